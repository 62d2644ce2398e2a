/*
 * queue/settle/: the end of a run.
 *
 * A worker's one round trip: everything that ended since the last one is finished or failed, and
 * new jobs are claimed, in one transaction. Every row is guarded by its claim's name: a worker
 * whose claim is gone changes nothing, even when the claim's number has been given out again.
 */
#ifndef SETTLE_H
#define SETTLE_H

#include "db/db.h"
#include "queue/claim/claim.h"

/*
 * How a run may end. Settling, the worker and the tests read what follows from each way in one
 * table, so that a new way is a row there and a script in db/sql/settle.
 */
enum outcome_kind {
	OUTCOME_FINISHED,
	OUTCOME_RECORDED,    /* finished, and the history of its class has that, too */
	OUTCOME_FAILED,      /* the job waits for a person */
	OUTCOME_RELEASED,    /* it never began: it counts for nothing */
	OUTCOME_RETRIED,     /* it failed, and the job is executed again later */
	OUTCOME_DISCARDED,   /* it failed in a way that ends the job */
	OUTCOME_INTERRUPTED, /* it was cut short: no failure, and no execution */
	OUTCOME_SNOOZED,     /* it put the job off: the same */
	OUTCOME_CANCELLED,   /* a person ended the job */
	OUTCOMES
};

struct outcome_rule {
	const char *operation; /* the script, for many claims at once */
	const char *deletes;   /* instead, where finished jobs are not preserved; NULL = the same */
	enum job_state next;   /* where it leaves the job */
	bool in_history;       /* each claim comes with the end of its run, for the history */
};

extern const struct outcome_rule outcome_rules[OUTCOMES];

/* Does its job wait to be claimed again? */
bool outcome_runs_again(enum outcome_kind kind);

/* How one run ended. */
struct outcome {
	struct claim_name claim;
	enum outcome_kind kind;
	const char *error;          /* payload_error's text; NULL = it succeeded */
	int64_t attempt;            /* where in_history: its number, job_attempt */
	const char *group;          /* of an error: its fingerprint; NULL = it is none */
	int64_t began_at, ended_at; /* clock_monotonic; 0 = now */
	int64_t cpu_time;           /* of its process, microseconds; valid with peak_memory */
	int64_t peak_memory;        /* resident bytes of its process at most; 0 = not known */
	int64_t wait;               /* where the job is scheduled: microseconds from now */
	const char *payload;        /* OUTCOME_RETRIED: the job's new one; NULL = as it is */
	bool limited;               /* its job has a concurrency key */
	bool refused;               /* result: the claim is gone, so nothing was changed */
	const char *why;            /* result: a sentence that says why, when refused or told */
	bool told;                  /* result: the job was cancelled, and has ended so */
	bool aside;                 /* result: the database refuses it: it must be offered again */
};

struct settle_request {
	int64_t process_id;
	struct outcome *outcomes; /* written: refused, why, aside */
	size_t outcome_count;
	bool preserve_finished_jobs;
	int64_t keep_attempts;       /* how many runs of a job its history has */
	bool batches;                /* the database has Solid Queue's batches (batches_look) */
	struct claim_request *claim; /* NULL or limit 0 = claim nothing */
};

/*
 * Settles and claims. What the database refuses to do for one outcome or one job does not hold up
 * the others (queue/refused). *claims (count in *count) live in arena. An error with characters
 * that the database cannot hold is stored with those escaped. Not OK: nothing was settled or
 * claimed, except UNCERTAIN: call settle_resolve, then go on.
 */
enum status settle(struct db *db, struct arena *arena, struct settle_request *request,
		   struct claim **claims, size_t *count, struct error *error) MUST_CHECK;

/*
 * After UNCERTAIN: gives back to ready the claims that this process holds in the database but does
 * not know (made by the uncertain commit), and marks outcomes whose claims are gone as settled.
 * `held` are the claims of jobs that still run; those that no longer exist are returned with id 0.
 * Outcomes that remain to be settled are returned with claim.id > 0, the others with claim.id 0.
 */
enum status settle_resolve(struct db *db, struct settle_request *request, struct claim_name held[],
			   size_t held_count, struct error *error) MUST_CHECK;

/*
 * What became of a claim that is not there any more, for the log: a sentence, in the arena or
 * static; when the database cannot be asked the plain one.
 */
const char *claim_why_gone(struct db *db, struct arena *arena, const struct claim_name *claim);

/*
 * The same of a run that has ended; NULL when the database has this outcome, or its job was deleted
 * with it. Sets outcome->told: it would run again, but it was cancelled, and has ended so.
 */
const char *claim_why_unsettled(struct db *db, struct arena *arena, struct outcome *outcome);

/*
 * Batches of Solid Queue 1.7, which Rails makes and finishes: a row of solid_queue_batch_executions
 * says that a job of a batch has not ended. When a job ends, dray deletes this row in the same
 * transaction, so that Rails finds the batch complete.
 */

/* Does the database have batches? If not, the other functions must not be called. */
enum status batches_look(struct db *db, bool *there, struct error *error) MUST_CHECK;

/* Adds the call that takes those of these jobs that have ended out of their batches. Borrows the
 * jobs. */
void batches_leave(struct db_calls *calls, const int64_t jobs[], size_t count);

/* The same for jobs that were cancelled at this time without having been claimed. */
void batches_leave_cancelled(struct db_calls *calls, int64_t now);

#endif
