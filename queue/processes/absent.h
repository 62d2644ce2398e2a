/*
 * What is not running although work waits for it: nothing in the tables is wrong then, and yet
 * nothing happens. And who takes what it cannot do.
 */
#ifndef ABSENT_H
#define ABSENT_H

#include "common/role.h"
#include "queue/processes/servers.h"

struct absent {
	/*
	 * For programs: "process", no process at all; "worker", no worker serves a queue with ready
	 * jobs, or one is held; the word of another role for which work waits; "child", a
	 * supervisor has given one up; "trouble", what a process does fails; "outdated", a worker
	 * that could not take over a reload is not replaced.
	 */
	const char *kind;
	const char *queue; /* of a worker; NULL = one is held */
	const char *text;  /* a sentence */
};

struct absents {
	struct absent *list;
	size_t count;
	struct unserveds unserved; /* the rows alone: the caller knows what to do about them */
};

/*
 * Everything is in the arena. `patience` says how long a process may be silent, and `roles` (ended
 * by NULL) which there are. When no process is there at all, that is reported once, with what
 * waits, and not role by role.
 */
enum status absent_read(struct db *db, struct arena *arena, const struct prune *patience,
			const struct role *const roles[], struct absents *absents,
			struct error *error) MUST_CHECK;

/*
 * Queues separate dray from other software: a Rails worker takes every job in its queues, and fails
 * those whose class it does not have. So it must not serve the queues of commands.
 */

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

/* Everything is in the arena. `patience` says how long a process may be silent. */
enum status takers_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct takers *takers, struct error *error) MUST_CHECK;

#endif
