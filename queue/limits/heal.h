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
#include "queue/look/job.h"

/*
 * What is remembered of a key with a difference, from one look to the next: whether the difference
 * is still the same, and for how long slots have been missing at every count.
 */
struct heal_mark {
	uint64_t key;
	uint64_t state; /* what did not add up */
	bool lasts;     /* the same at two looks: repair it */
	/* Slots that the semaphore does not have and no job holds, counted under its lock. */
	int64_t since;   /* some were missing at every count since; 0 = none is */
	int64_t missing; /* the fewest at any of these counts */
	int64_t counts;
	int64_t fewest; /* how many of these counts came to exactly `missing` */
};

struct heal_marks {
	struct heal_mark *list; /* owned */
	size_t count, room;
};

struct heal_memory {
	struct heal_marks before;  /* of the last look, by key */
	struct heal_marks current; /* of an unfinished look, in the order in which they were seen */
};

/* Notes that so many slots are missing. */
void heal_mark_count(struct heal_mark *mark, int64_t missing, int64_t now);

/*
 * How many are missing for good. A slot that is about to be returned is missing, too, but not at
 * every count over so long a time; and where many slots are being returned their number changes, so
 * most counts must have come to the fewest.
 */
int64_t heal_mark_leaked(const struct heal_mark *mark, int64_t patience, int64_t now);

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
