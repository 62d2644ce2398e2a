/* The first ready jobs: how late a queue is, without counting what waits in it. */
#ifndef HEADS_H
#define HEADS_H

#include "db/db.h"

struct queue_head {
	const char *queue;
	int64_t job;   /* of those that are first in their priority, the one that waits longest */
	int64_t since; /* when it became ready */
};

struct queue_heads {
	struct queue_head *list; /* by queue */
	size_t count;
};

/*
 * One for each queue that has ready jobs and is not paused; everything is in the arena. A priority
 * whose first job is of a paused class is not looked at. The cost does not grow with the jobs.
 */
enum status queue_heads_read(struct db *db, struct arena *arena, struct queue_heads *heads,
			     struct error *error) MUST_CHECK;

#endif
