/*
 * What a person does to jobs: retry, discard, run now, give another queue or priority. Many at
 * once are done in batches, each a transaction of its own with every slot that it concerns and
 * with its count in the audit trail, so that whatever ends the work between two batches, or in
 * one, leaves nothing half done. Jobs that moved on before their batch are refused, with why.
 */
#ifndef QUEUE_ACTION_H
#define QUEUE_ACTION_H

#include "queue/manage/manage.h"

#define ACTION_BATCH 500

enum action_kind {
	ACTION_RETRY,   /* failed jobs */
	ACTION_DISCARD, /* jobs that are neither in progress nor finished */
	ACTION_RUN_NOW, /* scheduled jobs, as if they were due */
	ACTION_ARRANGE, /* jobs that wait or have failed: another queue, priority, or both */
};

/* A job to which it was not done. */
struct refusal {
	int64_t id;
	const char *reason;
	bool missing; /* there is no such job */
};

struct action {
	struct db *db;
	struct arena *arena; /* of a batch; the caller clears it between two */
	enum action_kind kind;
	const char *queue; /* ACTION_ARRANGE: NULL = as it is */
	bool has_priority; /* ACTION_ARRANGE */
	int priority;
	int64_t audit; /* the line that counts, of audit_begin; 0 = none */
	/* what became of the last batch */
	int64_t done;
	struct refusal *refused;
	size_t refused_count;
};

/* Can it be done to jobs in this state? */
bool action_takes(enum action_kind kind, enum job_state state);

/* Does it to these jobs, at most ACTION_BATCH. UNCERTAIN: to all of them that it can, or to none.
 */
enum status action_ids(struct action *action, const int64_t ids[], size_t count,
		       struct error *error) MUST_CHECK;

/*
 * Does it to the next batch of those that the filter chooses, the newest first, and sets
 * filter->before for the one after. The filter has a state that the action takes. NONE: there are
 * no more.
 */
enum status action_next(struct action *action, struct job_filter *filter,
			struct error *error) MUST_CHECK;

#endif
