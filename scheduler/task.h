/*
 * One recurring task in the scheduler: which of its occurrences are due, and what becomes of those
 * that were missed. Everything here is a pure function of the task and the time; the caller writes
 * decisions to the database.
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
	const char *arguments; /* the arguments of its jobs */
	int64_t from;          /* the occurrences until then are decided on */
	int64_t next;          /* the first one after that; CLOCK_NEVER = none */
	int64_t retry_at;      /* not before this time: its job could not be enqueued, or waits */
	int64_t failing_since; /* its job could not be enqueued; 0 = it could */
	bool dynamic;          /* it was added at run time */
	int64_t since;         /* dynamic: since when it has this schedule; 0 = not known */
	bool paused;
	int64_t resumed_at; /* occurrences until then are void; 0 = it was never paused */
};

/* What is due of one task at one time; occurrences are in ascending order, in the arena. */
struct due {
	const int64_t *occurrences; /* that get a job */
	size_t count;
	int64_t missed;       /* the latest of those that do not; 0 = none */
	int64_t missed_from;  /* the first of them */
	int64_t missed_count; /* at most RECURRING_COUNTED */
};

/* Continues after `from`: occurrences until then are decided on. */
void task_continue(struct task *task, int64_t from);

/*
 * Continues from what is known: the last occurrence decided on, and since when the task has its
 * schedule. What was missed longer ago than RECURRING_MEMORY does not count.
 */
void task_resume(struct task *task, int64_t since, int64_t last, int64_t now);

/*
 * If a clock that was ahead has been set back: occurrences from now on count again, and the
 * database knows those that are decided on already.
 */
void task_follow_clock(struct task *task, int64_t now);

/* When the task has something to do next; CLOCK_NEVER: nothing. */
int64_t task_wakes(const struct task *task);

/* The occurrences until `now`, by the task's policy for missed ones. */
struct due task_due(const struct task *task, struct arena *arena, int64_t now);

/*
 * When the job of an occurrence is due: with jitter each occurrence has its own delay, the same in
 * every scheduler.
 */
int64_t task_job_at(const struct task *task, int64_t occurrence);

/*
 * Fills in the job of the occurrence job->run_at; its keys, if its class has limits, are in the
 * arena.
 */
enum status task_job(const struct task *task, const struct config *config, struct arena *arena,
		     struct new_job *job, struct error *error) MUST_CHECK;

/* For qsort and bsearch: struct task by their keys. */
int task_by_key(const void *left, const void *right);

#endif
