/*
 * One recurring task in the scheduler: which of its occurrences are due, and what becomes of those
 * that were missed. Everything here is a pure function of the task and the time; what was decided
 * on is written down by the caller.
 */
#ifndef SCHEDULER_TASK_H
#define SCHEDULER_TASK_H

#include "config/config.h"
#include "queue/enqueue/enqueue.h"
#include "schedule/schedule.h"

/* An occurrence that is later than this was missed; until then it is only late. */
#define TASK_LATE (10 * CLOCK_SECOND)

struct task {
	const struct config_task *config;
	const char *arguments; /* as its jobs have them */
	int64_t from;          /* the occurrences until then are decided on */
	int64_t next;          /* the first one after that; CLOCK_NEVER = none */
	int64_t retry_at;      /* not before this time: it could not be enqueued, or is queued */
	bool dynamic;          /* it was added at run time */
	int64_t since;         /* of a dynamic one: it has its schedule; 0 = not known */
	bool paused;
	int64_t resumed_at; /* the occurrences until then are none; 0 = it was never paused */
};

/* What is to be done at one time about one task; occurrences ascend and are in the arena. */
struct due {
	const int64_t *occurrences; /* that get a job */
	size_t count;
	int64_t missed;       /* the latest of those that do not; 0 = none */
	int64_t missed_from;  /* the first of them */
	int64_t missed_count; /* at most RECURRING_COUNTED */
};

/* Goes on after `from`: occurrences until then are decided on. */
void task_continue(struct task *task, int64_t from);

/* From what is known: the last occurrence decided on, and since when the task has its schedule.
 * What was missed before RECURRING_MEMORY is not. */
void task_resume(struct task *task, int64_t since, int64_t last, int64_t now);

/*
 * A clock that was ahead has been set right: the occurrences from now on count again, and those
 * that were decided on then are found decided.
 */
void task_follow_clock(struct task *task, int64_t now);

/* When is it to be looked at again? CLOCK_NEVER: not at all. */
int64_t task_wakes(const struct task *task);

/* The occurrences until `now` by the task's policy for what was missed. */
struct due task_due(const struct task *task, struct arena *arena, int64_t now);

/* When an occurrence's job is due: jitter gives each occurrence its own delay, the same to
 * everybody. */
int64_t task_job_at(const struct task *task, int64_t occurrence);

/* Fills in the job of the occurrence job->run_at; its keys, if its class has limits, are in the
 * arena.
 */
enum status task_job(const struct task *task, const struct config *config, struct arena *arena,
		     struct new_job *job, struct error *error) MUST_CHECK;

/* For qsort and bsearch: struct task, and struct recurring_known, by their tasks' keys. */
int task_by_key(const void *left, const void *right);
int known_by_key(const void *left, const void *right);

#endif
