/*
 * Detects and repairs damage to concurrency limits. It looks at every key for slots that no job
 * holds, jobs that are blocked although a slot is free, and semaphores about to expire under a
 * living job. Such differences come from outside (rows changed by hand, Solid Queue working beside
 * dray, a limit that was changed), and are repaired only when the next look, some seconds later,
 * finds them unchanged. While Solid Queue works beside dray a missing slot is returned later still:
 * see `patience`.
 */
#ifndef HEAL_H
#define HEAL_H

#include "common/text/text.h"
#include "queue/limits/heal_memory.h"
#include "queue/look/job.h"

/* The differences found at the last look; one a process. */
struct heal {
	struct heal_memory memory;
	/*
	 * How long slots must have been missing before they are returned, while processes of other
	 * software exist: Solid Queue ends a job in one transaction and returns its slot in the
	 * next. Microseconds; 0 = two looks are enough.
	 */
	int64_t patience;
	char *after;  /* the last key of an unfinished look; NULL = none; owned */
	bool singly;  /* goes on key by key: all keys at once failed */
	bool dropped; /* deleted a semaphore, for whose lock others may have waited */
	/*
	 * A look that takes longer goes on with the next call, so that a process can do other work
	 * while it waits for locks. Microseconds; 0 = as long as it takes.
	 */
	int64_t most;
	/*
	 * If set: change nothing, and call this for each semaphore whose value was wrong at the
	 * last look, too.
	 */
	void (*tell)(void *data, int64_t semaphore);
	void *data;
	int64_t audit; /* the line of the audit trail that counts the repairs; 0 = none */
	/* results of the last call */
	int64_t looked;   /* keys */
	int64_t repaired; /* of them, repaired */
	int64_t admitted; /* jobs */
	int64_t failed;   /* keys that could not be repaired; the others were */
	bool unsure; /* not all keys are well, or not certainly: look again after HEAL_PATIENCE */
};

#define HEAL_PATIENCE INT64_C(2000000) /* microseconds */

/*
 * One look at all keys, or at as many as `most` allows: then `after` is set. Not OK: the database
 * could not be asked; what was done before remains done. A key that cannot be repaired does not
 * hold up the others; then the result is OK and `error` says why.
 */
enum status heal(struct db *db, struct heal *heal, struct error *error) MUST_CHECK;

void heal_clear(struct heal *heal);

#endif
