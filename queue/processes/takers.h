/*
 * Queues separate dray from other software: a Rails worker takes every job in its queues, and fails
 * those whose class it does not have. So it must not serve the queues of commands.
 */
#ifndef TAKERS_H
#define TAKERS_H

#include "queue/processes/servers.h"
#include "queue/recurring/task.h"

/* A queue of commands that workers of other software take, too. */
struct taker {
	const char *queue;
	const char *name; /* of the first such worker */
	size_t count;     /* how many such workers */
	const char *text; /* a sentence */
};

struct takers {
	/* Queues to check besides those of the tasks in the database. */
	const char *const *queues;
	size_t queue_count;
	const char *of_class; /* the queue that jobs.yml gives the class of commands, or NULL */
	struct taker *list;   /* found */
	size_t count;
};

/* What is to be done about each. */
#define TAKER_ADVICE "Remove this queue from its queues."

/* Among these processes, with the tasks in the database; everything is in the arena. */
void takers_find(const struct db *db, struct arena *arena, const struct servers *servers,
		 const struct recurring_row rows[], size_t count, struct takers *takers);

/* The same, reading them. `patience` says how long a process may be silent. */
enum status takers_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct takers *takers, struct error *error) MUST_CHECK;

#endif
