/*
 * The database's clock as one connection knows it: its offset to this machine's monotonic clock,
 * measured now and then. Pure; times are microseconds.
 */
#ifndef SERVER_CLOCK_H
#define SERVER_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

struct server_clock {
	int64_t offset; /* database clock minus monotonic clock */
	int64_t last;   /* the last value given */
	unsigned times_set_back;
	bool known;
};

/* The database's clock was `server` at some time between `before` and `after` (monotonic). */
void server_clock_measured(struct server_clock *clock, int64_t server, int64_t before,
			   int64_t after);

/* The database's time at this monotonic time. No value is given twice. */
int64_t server_clock_now(struct server_clock *clock, int64_t monotonic);

#endif
