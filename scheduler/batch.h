/*
 * What is due at one time, of many tasks: gathered, written to the database in one transaction, and
 * then logged. A batch lasts for one tick.
 */
#ifndef SCHEDULER_BATCH_H
#define SCHEDULER_BATCH_H

#include "queue/recurring/recurring.h"
#include "scheduler/task.h"

#define BATCH_JOBS 500 /* a batch may hold more, because it takes all occurrences of a task */

/* A task, and the time from which it continues once the batch is done. */
struct batch_task {
	struct task *task;
	int64_t until;
};

struct batch {
	struct arena *arena;
	const struct config *config;
	struct db *db;
	int64_t now;
	struct new_job *jobs;
	size_t job_count;
	struct recurring_skipped *skipped;
	size_t skip_count;
	struct batch_task *tasks; /* concerned */
	size_t task_count;
};

struct batch_result {
	int64_t enqueued, repeated, discarded, skipped;
};

/* Gathers from tasks that are due; full if there may be more. */
enum status batch_gather(struct batch *batch, struct task tasks[], size_t count, bool *full,
			 struct error *error) MUST_CHECK;

/* Carries out the batch. On any error no task has advanced, and the batch may be repeated. */
enum status batch_run(struct batch *batch, struct batch_result *result,
		      struct error *error) MUST_CHECK;

#endif
