/*
 * Ready jobs that no worker of their queue takes, because none knows their class: workers of dray
 * publish the classes that they know. Those of other software do not, so nothing is said of a queue
 * that one of them serves.
 */
#ifndef UNSERVED_H
#define UNSERVED_H

#include "queue/look/look.h"
#include "queue/processes/servers.h"

#define UNSERVED_MOST 10000 /* so many of a queue's first ready jobs are looked at */

struct unserved {
	const char *queue;
	const char *class_name;
	int64_t jobs;
};

struct unserveds {
	struct unserved *list;
	size_t count;
};

/* Adds those of one queue; everything is in the arena. */
enum status unserved_add(struct db *db, struct arena *arena, const struct servers *servers,
			 const struct queue_row *queue, struct unserveds *unserveds,
			 struct error *error) MUST_CHECK;

#endif
