/*
 * queue/look/: what people see of jobs and queues, in lists, in figures and one by one, and why a
 * job is not running. Nothing here changes anything.
 */
#ifndef LOOK_H
#define LOOK_H

#include "queue/look/job.h"
#include "queue/pauses/pause.h"

/*
 * Which jobs. Zero and NULL mean any. A page continues where the last one ended: below its last ID
 * (`before`), or above it (`after`) when the oldest come first.
 */
struct job_filter {
	bool has_state;
	enum job_state state;
	bool unfinished; /* without a state: all that wait or run, the newest first */
	const char *queue;
	const char *class_name;
	const char *key;         /* concurrency key */
	const char *error_group; /* of failed jobs only: how the last run failed */
	const char *text;        /* somewhere in the payload or the error; case does not matter */
	int64_t since;           /* enqueued then or later */
	int64_t until;           /* enqueued before */
	int64_t after;           /* ids above */
	int64_t before;          /* ids below */
	bool oldest;             /* the oldest first, else the newest */
	int limit;               /* 0 = 50 */
};

/* One statement, whose cost depends on the limit and not on the number of jobs. */
enum status job_list(struct db *db, struct arena *arena, const struct job_filter *filter,
		     struct job **jobs, size_t *count, struct error *error) MUST_CHECK;

/*
 * The ID at which job_list's page of one state of unfinished jobs ends, the newest first, without
 * the jobs; 0 = it is the last page. The filter has a limit.
 */
enum status job_list_end(struct db *db, const struct job_filter *filter, int64_t *end,
			 struct error *error) MUST_CHECK;

struct job_ids {
	const int64_t *list;
	size_t count;
};

/* Those of these jobs that exist, in no order. */
enum status job_list_named(struct db *db, struct arena *arena, const struct job_ids *ids,
			   struct job **jobs, size_t *count, struct error *error) MUST_CHECK;

/* NONE when there is no such job. */
enum status job_find(struct db *db, struct arena *arena, int64_t id, struct job *job,
		     struct error *error) MUST_CHECK;

/* The newest job with this Active Job id, which Active Job's own retries keep. NONE: no such job.
 */
enum status job_find_active(struct db *db, const char *active_job_id, int64_t *id,
			    struct error *error) MUST_CHECK;

struct queue_row {
	const char *name;
	int64_t size;    /* ready jobs */
	int64_t latency; /* microseconds since the oldest became ready; 0 when empty */
	bool paused;
	int64_t paused_at;
	struct pause_note note;     /* all NULL and 0 when other software has paused it */
	int64_t counts[JOB_STATES]; /* by enum job_state; finished is not counted: -1 */
};

/* Every queue that has a job or a pause, by name. */
enum status queue_list(struct db *db, struct arena *arena, struct queue_row **out, size_t *count,
		       struct error *error) MUST_CHECK;

#endif
