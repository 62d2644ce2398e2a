/* queue/enqueue/: jobs on their way in: new ones, and scheduled ones that are due. */
#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "queue/look/job.h"

/* A job to enqueue. Texts are borrowed until the call returns. */
struct new_job {
	const char *class_name;
	const char *arguments; /* JSON array or object text; NULL = no arguments */
	const char *array;     /* the same as payload_arguments gave them: not read again */
	const char *payload; /* instead of arguments: a whole Active Job object, stored as it is */
	const char *queue;   /* NULL = "default" */
	bool has_priority;
	int priority;    /* smaller runs first */
	int64_t at;      /* when it is due, in database time; 0 = now; a past time = now */
	int64_t delay;   /* microseconds from now, when at is 0 */
	int64_t timeout; /* of its runs; 0 = that of its class */
	const char *concurrency_key;  /* NULL = none */
	const char *const *more_keys; /* of the class's further limits, from position 1 */
	size_t more_count;
	const char *task_key; /* the recurring task whose occurrence it is for; NULL = none */
	int64_t run_at;       /* the occurrence, whole seconds */
	const char *outcome;  /* of the occurrence; NULL = "enqueued" */
	int64_t task_since;   /* since when the task has its schedule; 0 = not known */
	bool task_dynamic;    /* no occurrence is recorded without the task */
	bool cancels_none;    /* it is known that no limit of its class is cancel_running */
};

struct enqueued {
	int64_t id;
	char active_job_id[40];
	int64_t created_at;
	bool refused;   /* this job is INVALID, and the reason why enqueue() failed */
	bool discarded; /* all slots of its key were taken, and its class discards such jobs */
	bool repeated;  /* no new job: its occurrence had been decided on before, or is void */
};

/*
 * Enqueues all or none, in one transaction of a few statements however many jobs there are: due
 * jobs become ready, or blocked when no slot of their key is free, later ones scheduled. results
 * has count entries, in order; those of jobs that on_conflict discarded have no ID. INVALID: when
 * the arguments, queue, class or size of one are wrong, its result is `refused`, and the error of
 * several jobs begins with its place ("job 3: ..."); when no result is, it is unknown which job it
 * is.
 *
 * If the commit is uncertain, this looks for the jobs: OK when they are there, DOWN when
 * they are not. UNCERTAIN remains only when the database could not be asked in time (db_retry_for);
 * results then have what enqueue_resolve needs. Jobs for occurrences of recurring tasks are not
 * looked for: they may be enqueued again, and those that exist are then reported as repeated.
 */
enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error) MUST_CHECK;

/* Adds calls to those that enqueue a job, whose time is `now`. */
typedef void enqueue_more(void *data, int64_t now, struct db_calls *calls);

/* One job and, in the same transaction, what `more` adds. */
enum status enqueue_with(struct db *db, const struct new_job *job, enqueue_more *more, void *data,
			 struct enqueued *result, struct error *error) MUST_CHECK;

/*
 * Looks for the jobs of an enqueue that returned UNCERTAIN; jobs are its results. OK: all of them
 * were enqueued, and their IDs are set, except that of a job that has been deleted since (0). NONE:
 * none was. UNCERTAIN: still not known.
 *
 * Jobs that have all been deleted since cannot be distinguished from jobs that never existed: if
 * finished jobs are not preserved, NONE may also be the answer for jobs that have run.
 */
enum status enqueue_resolve(struct db *db, struct enqueued jobs[], size_t count,
			    struct error *error) MUST_CHECK;

/* INVALID: this is no valid name of a `what` (queue, class, ...), and why. */
enum status name_check(const char *what, const char *name, struct error *error) MUST_CHECK;

/* What a dispatcher remembers from one call to the next: zero at first. */
struct dispatching {
	int64_t apart_until; /* clock_monotonic: something was refused, so jobs go by number */
};

/* Is any scheduled job due? */
enum status dispatch_needed(struct db *db, struct arena *arena, bool *any,
			    struct error *error) MUST_CHECK;

/*
 * Moves up to batch_size due jobs, earliest first, from scheduled to ready, or to blocked when no
 * slot of their key is free (or deletes them, if their class discards such jobs); *moved is how
 * many rows were examined: after a full batch there may be more. What the database refuses does not
 * hold up the others (queue/refused).
 */
enum status dispatch(struct db *db, struct dispatching *how, int batch_size, int64_t *moved,
		     struct error *error) MUST_CHECK;

#endif
