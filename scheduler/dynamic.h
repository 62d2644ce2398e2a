/*
 * What people change while a scheduler runs: tasks that are added, changed and removed at run time,
 * and pauses of any task. The database is polled; changes are applied between two batches, so that
 * no batch sees half a change. If a task was paused, removed or given another schedule meanwhile,
 * its old occurrences are void: the transaction that enqueues a job checks that
 * (db/sql/recurring_record), however late the scheduler learns of it.
 */
#ifndef SCHEDULER_DYNAMIC_H
#define SCHEDULER_DYNAMIC_H

#include "db/db.h"
#include "scheduler/task.h"

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
