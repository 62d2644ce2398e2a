/*
 * The slots of limited jobs. An operation that ends jobs, or adds them, is put between two halves
 * in one transaction: slots_before locks the semaphores of all keys concerned, slots_after takes
 * back the slots that those jobs no longer hold and gives free ones to the next jobs. So a slot is
 * never lost and no job ever waits for a free one: a job admits its successor as it ends.
 */
#ifndef SLOTS_H
#define SLOTS_H

#include "queue/claim/claim.h"
#include "queue/enqueue/enqueue.h"

/* The keys that an operation concerns. No keys: nothing is limited, and both halves are empty. */
struct slots {
	struct db *db;
	struct arena *arena;
	struct db_list keys; /* slot_row */
	const int64_t *jobs; /* that may hold slots now */
	size_t job_count;
	bool ungated;    /* they may not have come to the gate: who has no row of ours gets none */
	bool several;    /* jobs that need more than one key may be concerned */
	size_t last;     /* of the calls: the one that admitted, set by slots_after */
	size_t conflict; /* of the calls: the first one of slots_conflict; 0 = there is none */
	bool cancels;    /* the class of one of the jobs may have a limit that cancels others */
	int64_t now;     /* the time of all calls; 0 = each has its own */
};

/*
 * The keys of these jobs, read from the database, and the further keys of the jobs that wait for
 * them. `jobs` stay the caller's.
 */
enum status slots_find(struct slots *slots, const int64_t jobs[], size_t count,
		       struct error *error) MUST_CHECK;

/*
 * Is that further key different from the others? Two limits may give the same key, which is held
 * once.
 */
bool slots_differ(const struct new_job *job, size_t more);

/* The keys of jobs that are about to be enqueued. */
void slots_find_new(struct slots *slots, const struct new_job jobs[], size_t count, int64_t now);

void slots_before(const struct slots *slots, struct db_calls *calls);
void slots_after(struct slots *slots, struct db_calls *calls);

/*
 * The calls for jobs that this process has claimed without a slot: a job that gets none is blocked,
 * and admitted when one is free. The rows of the second call are the jobs that are no longer
 * claimed.
 */
void slots_gate(struct slots *slots, int64_t process_id, struct db_calls *calls);

/*
 * Runs the calls, and slots_follow. If the database refuses them for the sake of a job that they
 * would admit, they are run without admitting, and then slots_admit_apart.
 */
enum status slots_run(struct slots *slots, struct db_calls *calls, struct error *error) MUST_CHECK;

/*
 * One key after the other: admits jobs, and makes those scheduled, after a pause, of which the
 * database refuses that (queue/refused). What fails, and a key whose semaphore cannot be locked, is
 * left to healing.
 */
void slots_admit_apart(const struct slots *slots);

/* Deletes blocked rows whose job does not exist, a hundred at a time. */
enum status slots_delete_missing(struct db *db, struct error *error) MUST_CHECK;

/*
 * To be called when those calls are committed: goes on with jobs of several keys that could not be
 * decided on, mostly because they arrived between the look at the keys and their lock. If this
 * fails, healing does it later.
 */
void slots_follow(struct slots *slots, const struct db_calls *calls);

/* The same for keys whose call "slots_admit" returned these rows. */
void slots_follow_rows(struct slots *slots, const struct db_rows *admitted);

/*
 * Applies on_conflict to jobs that were added at the time of slots (`now`) and found no slot: after
 * slots_after. The first call's rows are the IDs of the jobs that were deleted.
 */
enum status slots_conflict(struct slots *slots, struct db_calls *calls,
			   struct error *error) MUST_CHECK;

/*
 * slots_run for calls with those of slots_conflict, if jobs may cancel others: the slots of those
 * that were cancelled go to others, and processes look at once that run some. If this fails,
 * healing does the former later.
 */
enum status slots_run_new(struct slots *slots, struct db_calls *calls,
			  struct error *error) MUST_CHECK;

/*
 * Limited jobs that were claimed without a slot: somebody made them ready past the gate (another
 * system's dispatcher that does not know the class, or rows written by hand). They must not run.
 * Takes the claims out of the list that have no slot and cannot have one; their jobs are blocked.
 * Jobs without a key cost nothing. Not OK: none of the claims may be run.
 */
enum status gate_claims(struct db *db, struct arena *arena, struct claim claims[], size_t *count,
			struct error *error) MUST_CHECK;

#endif
