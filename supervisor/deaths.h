/*
 * The children that have died and still have a row. Each is told to the janitor, by a pipe that
 * never makes us wait, and kept until that has said that it is buried; another janitor is told
 * again of those that are left. To bury twice is harmless.
 */
#ifndef DEATHS_H
#define DEATHS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

struct open_death;

struct deaths {
	struct open_death *list; /* oldest first */
	unsigned count;          /* so far: the next one's number */
	int pipe[2];
};

/* Not open yet. */
void deaths_init(struct deaths *deaths);
enum status deaths_open(struct deaths *deaths, struct error *error) MUST_CHECK;
void deaths_close(struct deaths *deaths);

/* A child of this lane has died; `status` is of waitpid(2). */
void deaths_add(struct deaths *deaths, unsigned lane, const char *name, int pid, int status);

/*
 * Tells the janitor of those that it has not been told of, as far as the pipe has room. Were there
 * any? Then it is to be signalled.
 */
bool deaths_tell(struct deaths *deaths);

/* Another janitor comes: it has been told of none. */
void deaths_begin(struct deaths *deaths);

/* The janitor has buried the one with this number. */
void deaths_end(struct deaths *deaths, unsigned number);

size_t deaths_open_count(const struct deaths *deaths);

/*
 * Does one of this lane hold it? For some time only, since the janitor may stand still; until when
 * is the next to be looked at, clock_monotonic?
 */
bool deaths_hold(const struct deaths *deaths, unsigned lane);
int64_t deaths_due(const struct deaths *deaths);

#endif
