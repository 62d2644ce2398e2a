/* queue/enqueue/: jobs on their way in: new ones, and scheduled ones that are due. */
#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "queue/look/job.h"

/* A job to be. Texts are borrowed until the call returns. */
struct new_job {
	const char *class_name;
	const char *arguments; /* JSON array or object text; NULL = no arguments */
	const char *payload; /* instead of arguments: a whole Active Job object, stored as it is */
	const char *queue;   /* NULL = "default" */
	bool has_priority;
	int priority;                 /* smaller runs first */
	int64_t at;                   /* database time it is due; 0 = now; in the past = now */
	int64_t delay;                /* microseconds from now, when at is 0 */
	const char *concurrency_key;  /* NULL = none */
	const char *const *more_keys; /* of the class's further limits, from position 1 */
	size_t more_count;
	const char *task_key; /* the recurring task whose occurrence it is for; NULL = none */
	int64_t run_at;       /* the occurrence, whole seconds */
	const char *outcome;  /* of the occurrence; NULL = "enqueued" */
	int64_t task_since;   /* since when the task has the schedule of run_at; 0 = not known */
	bool task_dynamic;    /* there is no occurrence without the task */
};

struct enqueued {
	int64_t id;
	char active_job_id[40];
	int64_t created_at;
	bool refused;   /* it is this job that is INVALID, and why enqueue() failed */
	bool discarded; /* all slots of its key were taken, and its class says: no more then */
	bool repeated; /* its occurrence had been decided on before, or is none: there is no new job
			*/
};

/*
 * Enqueues all or none, in one transaction of a few statements whatever the count: due jobs
 * become ready, or blocked when no slot of their key is free, later ones scheduled. results has
 * count entries, in order; those of jobs that on_conflict discarded have no id. INVALID: when
 * the arguments, queue, class or size of one are wrong, its result is `refused`, and the error of
 * several jobs begins with its place ("job 3: ..."); when no result is, nobody knows which it is.
 *
 * A commit whose answer was lost is looked for: OK when the jobs are there, DOWN when they are
 * not. UNCERTAIN remains only when the database could not be asked in time (db_retry_for);
 * results then have what enqueue_resolve needs. Jobs for occurrences of recurring tasks are not
 * looked for: they may be enqueued again, and what was there is then told as repeated.
 */
enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error) MUST_CHECK;

/* One job and, in the same transaction, one call that gets a parameter more: the job's `now`. */
enum status enqueue_with(struct db *db, const struct new_job *job, const struct db_call *more,
			 struct enqueued *result, struct error *error) MUST_CHECK;

/*
 * Looks for what an enqueue of UNCERTAIN end has left; jobs are its results. OK: all of them were
 * enqueued, and their ids are set, except of one that has been deleted since (id 0). NONE:
 * nothing was. UNCERTAIN: still not known.
 *
 * Jobs that have all been deleted since cannot be told from jobs that never were: with finished
 * jobs not preserved, NONE may then be said of what has run.
 */
enum status enqueue_resolve(struct db *db, struct enqueued jobs[], size_t count,
			    struct error *error) MUST_CHECK;

/* INVALID: no `what` (queue, class, ...) can have this name, and why. */
enum status name_check(const char *what, const char *name, struct error *error) MUST_CHECK;

#endif
