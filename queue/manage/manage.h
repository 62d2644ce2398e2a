/* What a person does to jobs and queues: list, show, retry, discard, pause, resume. */
#ifndef MANAGE_H
#define MANAGE_H

#include "queue/look/job.h"
#include "queue/pauses/pause.h"

/*
 * Which jobs. Zero and NULL mean any. A page goes on where the last one ended: below its last id
 * (`before`), or above it (`after`) when the oldest come first.
 */
struct job_filter {
	bool has_state;
	enum job_state state;
	const char *queue;
	const char *class_name;
	const char *key;  /* concurrency key */
	const char *text; /* somewhere in the payload or the error; case does not matter */
	int64_t since;    /* enqueued then or later */
	int64_t until;    /* enqueued before */
	int64_t after;    /* ids above */
	int64_t before;   /* ids below */
	bool oldest;      /* first; else the newest */
	int limit;        /* 0 = 50 */
};

/* One statement, bounded by the limit and not by how many there are. */
enum status job_list(struct db *db, struct arena *arena, const struct job_filter *filter,
		     struct job **jobs, size_t *count, struct error *error) MUST_CHECK;

struct job_ids {
	const int64_t *list;
	size_t count;
};

/* Those of these jobs that there are, in no order. */
enum status job_list_named(struct db *db, struct arena *arena, const struct job_ids *ids,
			   struct job **jobs, size_t *count, struct error *error) MUST_CHECK;

/* NONE when there is no such job. */
enum status job_find(struct db *db, struct arena *arena, int64_t id, struct job *job,
		     struct error *error) MUST_CHECK;

/* The newest job with this Active Job id, which Active Job's own retries keep. NONE: no such job.
 */
enum status job_find_active(struct db *db, const char *active_job_id, int64_t *id,
			    struct error *error) MUST_CHECK;

/*
 * A failed job back to ready with its attempt counters reset (docs/internals/solid-queue.md, 2.4)
 * and its losses forgotten. NONE: no such job; INVALID: it is not failed (the text names its
 * state).
 */
enum status job_retry(struct db *db, int64_t id, struct error *error) MUST_CHECK;

/* Every failed job of the filter, in batches (queue/manage/action.h); *count = how many. */
enum status job_retry_all(struct db *db, const struct job_filter *filter, int64_t *count,
			  struct error *error) MUST_CHECK;

/* Deletes a job that is not running. NONE: no such job; INVALID: in progress, or finished. */
enum status job_discard(struct db *db, int64_t id, struct error *error) MUST_CHECK;

/* Every job of the filter (a state is required; not claimed, not finished). */
enum status job_discard_all(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error) MUST_CHECK;

/* Finished jobs that are to be deleted. */
struct job_clear {
	struct db *db;
	int64_t before;         /* finished before that */
	const char *class_name; /* NULL = any */
	const char *queue;      /* NULL = any */
	int batch;              /* at most so many in one transaction, or page */
	int64_t audit;          /* the line that counts them, of audit_begin; 0 = none */
	int64_t deleted;        /* so far, or counted */
	int64_t counted_to;     /* job_clear_count: the time and number of the last one */
	int64_t counted_id;
};

/*
 * Deletes the oldest of them; *more: there may be more. Several processes at it at once take
 * different ones. Jobs that are not finished are never touched.
 */
enum status job_clear_next(struct job_clear *clear, bool *more, struct error *error) MUST_CHECK;

/* Counts the next page of them instead; changes nothing. */
enum status job_clear_count(struct job_clear *clear, bool *more, struct error *error) MUST_CHECK;

/* All of them, `batch` at a time. */
enum status job_clear_finished(struct db *db, int64_t finished_before, const char *class_name,
			       int batch, int64_t *count, struct error *error) MUST_CHECK;

struct queue_row {
	const char *name;
	int64_t size;    /* ready jobs */
	int64_t latency; /* microseconds since the oldest became ready; 0 when empty */
	bool paused;
	int64_t paused_at;
	struct pause_note note;     /* all NULL and 0 when somebody else has paused it */
	int64_t counts[JOB_STATES]; /* by enum job_state; finished is not counted: -1 */
};

/* Every queue that has a job or a pause, by name. */
enum status queue_list(struct db *db, struct arena *arena, struct queue_row **out, size_t *count,
		       struct error *error) MUST_CHECK;

/*
 * *changed: was it not so before? Pausing what does not exist is allowed. Told about
 * them is the user of this process; queue/pauses/pause.h has more to tell.
 */
enum status queue_pause(struct db *db, const char *name, bool *changed,
			struct error *error) MUST_CHECK;
enum status queue_resume(struct db *db, const char *name, bool *changed,
			 struct error *error) MUST_CHECK;

#endif
