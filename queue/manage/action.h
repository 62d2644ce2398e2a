/*
 * What people do to jobs: retry, discard, cancel, run now, set another queue or priority. Many jobs
 * are done in batches. Each batch is a transaction of its own, with every slot that it concerns and
 * its count in the audit trail, so that nothing is left half done if the work ends between two
 * batches or in one. Jobs that have moved on before their batch are refused, with the reason.
 */
#ifndef QUEUE_ACTION_H
#define QUEUE_ACTION_H

#include "queue/manage/manage.h"
#include "queue/processes/wake.h"

#define ACTION_BATCH 500

enum action_kind {
	ACTION_RETRY,   /* failed jobs */
	ACTION_DISCARD, /* jobs that are neither in progress nor finished */
	ACTION_RUN_NOW, /* scheduled jobs, as if they were due */
	ACTION_ARRANGE, /* jobs that wait or have failed: another queue, priority, or both */
	ACTION_CANCEL,  /* jobs that wait: ended; that run: to be stopped by their process */
};

/* A job that was refused. */
struct refusal {
	int64_t id;
	const char *reason;
	bool missing; /* there is no such job */
};

/* A job that runs, and had been cancelled before. */
struct stopping {
	int64_t id;
	int64_t since;
	const char *by;
};

struct action {
	struct db *db;
	struct arena *arena; /* of a batch; the caller clears it between batches */
	enum action_kind kind;
	const char *queue; /* ACTION_ARRANGE: NULL = as it is */
	bool has_priority; /* ACTION_ARRANGE */
	int priority;
	const char *reason; /* ACTION_CANCEL: of the person; NULL = none */
	int64_t audit;      /* the line of audit_begin that counts the jobs; 0 = none */
	/* the result of the last batch */
	int64_t done;
	int64_t stopping; /* ACTION_CANCEL: of these, the jobs that run */
	struct refusal *refused;
	size_t refused_count;
	struct stopping *known; /* ACTION_CANCEL: neither done nor refused */
	size_t known_count;
};

/* Does the action apply to jobs in this state? */
bool action_takes(enum action_kind kind, enum job_state state);

/*
 * Acts on these jobs, at most ACTION_BATCH. UNCERTAIN: it did so on all that are in the right
 * state, or on none.
 */
enum status action_ids(struct action *action, const int64_t ids[], size_t count,
		       struct error *error) MUST_CHECK;

/*
 * Acts on the next batch of the jobs that the filter chooses, the newest first, and sets
 * filter->before for the one after. The filter must have a state to which the action applies, or be
 * for what is unfinished. NONE: there are no more.
 */
enum status action_next(struct action *action, struct job_filter *filter,
			struct error *error) MUST_CHECK;

/* The columns of its rows after those of wake.h; they are null when it was not cancelled before. */

#endif
