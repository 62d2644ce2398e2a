#ifndef ENQUEUE_H
#define ENQUEUE_H

#include "queue/job.h"

/* A job to be. Texts are borrowed until the call returns. */
struct new_job {
	const char *class_name;
	const char *arguments; /* JSON array or object text; NULL = no arguments */
	const char *payload; /* instead of arguments: a whole Active Job object, stored as it is */
	const char *queue;   /* NULL = "default" */
	bool has_priority;
	int priority;                /* smaller runs first */
	int64_t at;                  /* database time it is due; 0 = now; in the past = now */
	int64_t delay;               /* microseconds from now, when at is 0 */
	const char *concurrency_key; /* NULL = none */
};

struct enqueued {
	int64_t id;
	char active_job_id[40];
};

/*
 * Enqueues all or none, in one transaction of a few statements whatever the count: due jobs
 * become ready, later ones scheduled. results has count entries, in order. INVALID names the
 * job's index ("job 3: ...") when its arguments, queue, class or size are wrong.
 */
enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error) MUST_CHECK;

#endif
