/*
 * queue/manage/: what people do to jobs and queues (retry, discard, clear, pause, resume), and the
 * record of it.
 */
#ifndef MANAGE_H
#define MANAGE_H

#include "queue/look/look.h"

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
	int64_t counted_to;     /* job_clear_count: the time and number of the last one */
	int64_t counted_id;
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
