/*
 * The tasks that a scheduler has: those of recurring.yml, published when it begins, and what people
 * change while it runs: tasks that are added, changed and removed at run time, and pauses of any
 * task. The database is polled; changes are applied between two batches, so that no batch sees half
 * a change. If a task was paused, removed or given another schedule meanwhile,
 * its old occurrences are void: the transaction that enqueues a job checks that
 * (db/sql/recurring_record), however late the scheduler learns of it.
 */
#ifndef SCHEDULER_TASKS_H
#define SCHEDULER_TASKS_H

#include "config/config.h"
#include "db/db.h"
#include "scheduler/task.h"

/* What is known of schedulers with other files. */
struct publish_others {
	bool differ; /* one has, or may have, tasks that are not in this file: look again later */
	size_t foreign; /* how many such tasks */
};

/*
 * Writes the tasks of this file and removes static tasks that are not in it, except those of
 * another live scheduler. Logs that there are such tasks if there were none before. Without `write`
 * it only removes: two files may each have a different task of the same key.
 */
enum status publish_tasks(struct db *db, const struct config *config, int64_t process_id,
			  bool write, struct publish_others *known, struct error *error) MUST_CHECK;

/* Rewrites dynamic tasks that Rails cannot read. Logs how many there were. */
enum status publish_mend(struct db *db, struct error *error) MUST_CHECK;

/*
 * Writes tasks again that were deleted from Solid Queue's table: a Rails scheduler, when it starts,
 * deletes every static task that it does not know. Logs how many.
 */
enum status publish_missing(struct db *db, const struct config_scheduler *config,
			    struct error *error) MUST_CHECK;

/*
 * Logs which workers of other software take queues with jobs of commands, which they would fail.
 * Call it after the tasks of the file are in the database.
 */
enum status publish_takers(struct db *db, const struct config *config,
			   struct error *error) MUST_CHECK;

/* All tasks of a scheduler, sorted by key; a new list is made if some come or go. */
struct tasks {
	struct arena *arena; /* the list's */
	struct task *list;
	size_t count;
};

struct dynamic;

struct dynamic *dynamic_new(const struct config *config);
void dynamic_free(struct dynamic *dynamic);

/*
 * Asks the database and brings the tasks up to date. A task that still has a due occurrence from
 * before its change stays as it is; *again says that there is such a task: enqueue what is due and
 * call again. On any error all tasks are unchanged.
 */
enum status dynamic_follow(struct dynamic *dynamic, struct db *db, struct tasks *tasks, bool *again,
			   struct error *error) MUST_CHECK;

#endif
