/*
 * What is not running although work waits for it: nothing in the tables is wrong then, and yet
 * nothing happens.
 */
#ifndef ABSENT_H
#define ABSENT_H

#include "queue/processes/unserved.h"

enum absence {
	ABSENT_EVERYBODY,  /* no process at all */
	ABSENT_WORKER,     /* no worker serves a queue with ready jobs */
	ABSENT_DISPATCHER, /* scheduled jobs are due */
	ABSENT_SCHEDULER,  /* there are recurring tasks */
	ABSENT_CHILD       /* a supervisor has given one up */
};

struct absent {
	enum absence kind;
	const char *queue; /* of ABSENT_WORKER */
	const char *text;  /* a sentence */
};

struct absents {
	struct absent *list;
	size_t count;
	struct unserveds unserved; /* the rows alone: the caller knows what to do about them */
};

/* A word for programs, in JSON: "worker". */
const char *absence_name(enum absence kind);

/*
 * Everything is in the arena. `patience` says how long a process may be silent. When no process is
 * there at all, that is reported once, with what waits, and not role by role.
 */
enum status absent_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct absents *absents, struct error *error) MUST_CHECK;

#endif
