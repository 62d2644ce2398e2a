/*
 * The slots of limited jobs. A verb that ends jobs, or brings them in, is put between two halves in
 * one transaction: slots_before locks the semaphores of all keys concerned, slots_after takes back
 * what those jobs hold no longer and gives what is free to the next. So there is no instant at
 * which a slot is lost or a job waits for a free one, and a job admits its successor as it ends.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "queue/enqueue/enqueue.h"

/* The keys that a verb is about. No keys: nothing of it is limited, and both halves are empty. */
struct slots {
	struct db *db;
	struct arena *arena;
	const char *keys; /* JSON [{"key", "class_name", "position"}] */
	size_t key_count;
	const int64_t *jobs; /* that may hold slots now */
	size_t job_count;
	bool several; /* jobs that need more than one key may be concerned */
	size_t last;  /* of the calls: the one that admitted, set by slots_after */
};

#define SLOTS_CALLS 6 /* at most as many for both halves */

/* The calls of one transaction, with room for those of slots. */
struct slots_calls {
	struct db_call *list;
	size_t count;
};

/*
 * The keys of these jobs, read from the database, and those of whoever waits for these keys and may
 * need others, too. `jobs` stay the caller's.
 */
enum status slots_find(struct slots *slots, const int64_t jobs[], size_t count,
		       struct error *error) MUST_CHECK;

/* Is that further key one of its own? Two limits may come to the same key, which is held once. */
bool slots_differ(const struct new_job *job, size_t more);

/* The keys of jobs that are about to be enqueued. */
void slots_find_new(struct slots *slots, const struct new_job jobs[], size_t count, int64_t now);

void slots_before(const struct slots *slots, struct slots_calls *calls);
void slots_after(struct slots *slots, struct slots_calls *calls);

/*
 * The calls for jobs that this process has claimed without a slot: who gets none is blocked, and
 * let in again when one is free. The rows of the second one are the jobs that are no longer
 * claimed.
 */
void slots_gate(struct slots *slots, int64_t process_id, int64_t now, struct slots_calls *calls);

/*
 * To be called when those calls are committed: goes on with the jobs of several keys that could not
 * be decided on, mostly because they came between the look at the keys and their lock. If that
 * fails healing does it.
 */
void slots_follow(struct slots *slots, const struct slots_calls *calls);

/* The same about keys whose call "slots_admit" has given these rows. */
void slots_follow_rows(struct slots *slots, const struct db_rows *admitted);

/*
 * What on_conflict says of jobs that came in with `now` and found no slot: after slots_after. The
 * call's rows are the ids of the jobs that were deleted for it.
 */
void slots_conflict(const struct slots *slots, int64_t now, struct slots_calls *calls);

#endif
