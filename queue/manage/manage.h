/*
 * queue/manage/: what people do to jobs and queues (retry, discard, clear, pause, resume), and the
 * record of it.
 *
 * Many jobs are done in batches. Each batch is a transaction of its own, with every slot that it
 * concerns and its count in the audit trail, so that nothing is left half done if the work ends
 * between two batches or in one. Jobs that have moved on before their batch are refused, with the
 * reason.
 */
#ifndef MANAGE_H
#define MANAGE_H

#include "queue/look/look.h"

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
	bool runs;    /* ACTION_CANCEL: in a process that does not stop it */
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

/*
 * Makes a failed job ready, with its attempt counters reset (docs/internals/solid-queue.md, 2.4)
 * and its losses forgotten. NONE: no such job; INVALID: it is not failed (the text names its
 * state).
 */
enum status job_retry(struct db *db, int64_t id, struct error *error) MUST_CHECK;

/* Every failed job of the filter, in batches (action_next); *count = how many. */
enum status job_retry_all(struct db *db, const struct job_filter *filter, int64_t *count,
			  struct error *error) MUST_CHECK;

/* Deletes a job that is not running. NONE: no such job; INVALID: in progress, or finished. */
enum status job_discard(struct db *db, int64_t id, struct error *error) MUST_CHECK;

/* Every job of the filter (a state is required; not claimed, not finished). */
enum status job_discard_all(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error) MUST_CHECK;

/*
 * Ends a job that waits as finished, and has one that runs stopped (queue/settle/cancellations.h);
 * the history says that this user cancelled it, and why (NULL: for no reason). NONE: no such job;
 * INVALID: it has failed or finished, other software runs it, or the reason is no text of at most
 * CANCEL_REASON bytes.
 */
enum status job_cancel(struct db *db, int64_t id, const char *reason,
		       struct error *error) MUST_CHECK;

/* Finished jobs that are to be deleted. */
struct job_clear {
	struct db *db;
	int64_t before;         /* finished before that */
	const char *class_name; /* NULL = any */
	const char *queue;      /* NULL = any */
	int batch;              /* at most so many in one transaction, or page */
	int64_t audit;          /* the line of audit_begin that counts them; 0 = none */
	int64_t deleted;        /* so far, or counted */
	int64_t refused;        /* so many the database does not let go: they are set aside */
	struct arena *arena;    /* job_clear_count: for counted_to */
	const char *counted_to; /* the same: the time of the last one, as it stands there */
	int64_t counted_id;     /* and its number */
};

/*
 * Deletes the oldest of them; *more: there may be more. Several processes may do this at once: they
 * take different ones. Jobs that are not finished are never touched.
 */
enum status job_clear_next(struct job_clear *clear, bool *more, struct error *error) MUST_CHECK;

/* Counts the next page of them, and changes nothing. */
enum status job_clear_count(struct job_clear *clear, bool *more, struct error *error) MUST_CHECK;

/* All of them, `batch` at a time. */
enum status job_clear_finished(struct db *db, int64_t finished_before, const char *class_name,
			       int batch, int64_t *count, struct error *error) MUST_CHECK;

/*
 * *changed: did this change anything? A queue that does not exist may be paused. The audit trail
 * names the user of this process; queue/pauses/pause.h takes a reason and more.
 */
enum status queue_pause(struct db *db, const char *name, bool *changed,
			struct error *error) MUST_CHECK;
enum status queue_resume(struct db *db, const char *name, bool *changed,
			 struct error *error) MUST_CHECK;

#endif
