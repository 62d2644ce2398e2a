/*
 * Who enqueues while everything else breaks: a process with a connection of its own, which is told
 * of what it enqueued and keeps the ids. It keeps some hundred jobs waiting and outlives every
 * outage of the database.
 */
#ifndef FEEDER_H
#define FEEDER_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct feeder {
	pid_t pid; /* 0 = none */
	struct feeder_shared *shared;
};

/* effects: the file that tells how many jobs have been run. */
void feeder_start(struct feeder *feeder, const char *url, const char *effects);

/* Waits for its end; it is no failure when it was not running. */
void feeder_stop(struct feeder *feeder);

/* Jobs that the database has confirmed; valid until feeder_close. */
const int64_t *feeder_jobs(const struct feeder *feeder, size_t *count);

void feeder_close(struct feeder *feeder);

#endif
