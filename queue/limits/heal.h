/*
 * Concurrency limits that heal: looks at every key for slots that nobody holds, jobs that are
 * blocked although a slot is free, and semaphores about to expire under a job that lives. Whatever
 * does not add up was caused from outside (by hand, by Solid Queue beside us, by a limit that was
 * changed), and is acted on only when the next look, some seconds later, finds it unchanged. A slot
 * that is missing comes back later still while Solid Queue works beside us: see `patience`.
 */
#ifndef HEAL_H
#define HEAL_H

#include "common/text/text.h"
#include "queue/limits/heal_memory.h"
#include "queue/look/job.h"

/* What did not add up at the last look; one a process. */
struct heal {
	struct heal_memory memory;
	/*
	 * For so long slots must have been missing before they are given back, while processes of
	 * other software are there: Solid Queue ends a job in one transaction and returns its slot
	 * in the next. Microseconds; 0 = two looks are enough.
	 */
	int64_t patience;
	char *after;  /* the key with which that one ended so far; NULL = none; owned */
	bool singly;  /* it goes on key by key: all at once could not be had */
	bool dropped; /* a semaphore, whose lock somebody may have waited for */
	/*
	 * A look that takes longer goes on with the next call, so that a process whose locks are
	 * slow to come can do something else between. Microseconds; 0 = as long as it takes.
	 */
	int64_t most;
	/* Set: only look, and tell of each semaphore whose value was wrong at the last look, too.
	 */
	void (*tell)(void *data, int64_t semaphore);
	void *data;
	int64_t audit; /* the line of the audit trail that counts what did not add up; 0 = none */
	/* results of the last call */
	int64_t looked;   /* keys */
	int64_t repaired; /* of them, that did not add up */
	int64_t admitted; /* jobs */
	int64_t failed;   /* keys that could not be dealt with; the others were */
	bool again;       /* not all is well, or not for sure: look again in HEAL_PATIENCE */
};

#define HEAL_PATIENCE INT64_C(2000000) /* microseconds */

/*
 * One look at all keys, or what `most` allows of it: then `after` is set. Not OK: the database
 * could not be asked; what was done before stands. A key that cannot be dealt with does not hold up
 * the others; `error` then says why, with OK.
 */
enum status heal(struct db *db, struct heal *heal, struct error *error) MUST_CHECK;

void heal_clear(struct heal *heal);

#endif
