/*
 * Claim numbers that are given out again, as after a failover to a server that lagged: the whole
 * suite runs with them. Cleaning up after a fault claims under the numbers that it has met;
 * and what a frozen process held is given to a thief under the same numbers: the process goes on,
 * and must change nothing that is the thief's.
 */
#ifndef REUSE_H
#define REUSE_H

#include "tests/support/queue.h"

/* No cell gets near this number, unless numbers go on from cell to cell. */
#define REUSE_BELOW 1000

struct reuse {
	int64_t number; /* the lowest that the process holds; 0 = none */
	int64_t thief;  /* its process row; 0 = there is none */
	size_t taken;
};

/* Before its claims are given away. */
struct reuse reuse_of(struct test_db *stage, int64_t process);

/* The thief takes everything that is ready, from that number on. */
void reuse_begin(struct reuse *reuse, struct test_db *stage);

/* The process has ended: the thief has all that it took, and gives it back. */
void reuse_end(const struct reuse *reuse, struct test_db *stage);

#endif
