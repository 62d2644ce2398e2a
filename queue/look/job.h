/*
 * A job as the queue knows it, and its states. A job's state is the table that its execution row is
 * in (docs/internals/queue.md).
 */
#ifndef JOB_H
#define JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"
#include "db/db.h"

enum job_state {
	JOB_READY,
	JOB_SCHEDULED,
	JOB_CLAIMED,
	JOB_BLOCKED,
	JOB_FAILED,
	JOB_FINISHED,
	JOB_STATES /* also: no state, the job is in no table and unfinished */
};

/* "ready", "scheduled", ...: command line and JSON. */
const char *job_state_name(enum job_state state);
enum status job_state_parse(const char *name, enum job_state *state) MUST_CHECK;

#define JOB_NO_BOUND (-1)

/* A job as read from the database; texts live in the arena of the call that read it. */
struct job {
	int64_t id;
	const char *queue;
	const char *class_name;
	const char *payload; /* the full Active Job object of jobs.arguments */
	int priority;
	const char *active_job_id;   /* NULL if absent */
	const char *concurrency_key; /* NULL if absent */
	int64_t scheduled_at;        /* 0 = NULL */
	int64_t finished_at;
	int64_t created_at;
	enum job_state state; /* JOB_STATES when unknown or in no table */
	const char *error;    /* the failure's JSON, failed jobs only */
	int64_t since;        /* created_at of the execution row; 0 for finished jobs */
	int64_t process_id;   /* claimed jobs only; 0 = none */
	const char *outcome;  /* "cancelled", "discarded": finished so; "cancelling"; else NULL */
	int64_t losses;       /* how often its process was lost; job_find and claims only */
	int64_t runs_before;  /* runs that neither losses nor the payload count; claims only */
	/*
	 * How many losses it survives as its class declares, JOB_NO_BOUND when that says nothing;
	 * with losses.
	 */
	int64_t max_losses;
};

/*
 * The number of this run: 1 + the runs that began before. `executions` is Active Job's own count.
 */
static inline int64_t job_attempt(const struct job *job, int executions)
{
	return 1 + executions + job->runs_before + job->losses;
}

/* A row's job.max_losses. */
static inline int64_t job_bound(const struct db_rows *rows, size_t row, size_t column)
{
	return db_is_null(rows, row, column) ? JOB_NO_BOUND : db_int(rows, row, column);
}

#endif
