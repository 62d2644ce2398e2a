/*
 * What people change while a scheduler runs: tasks that are added, changed and removed at run time,
 * and pauses of any task. The database is asked now and then; what has changed there is taken over
 * between two batches, so that no batch sees half a change. An occurrence of a task that was
 * paused, removed or given another schedule meanwhile is none: whoever fires it finds out in the
 * transaction (db/sql/recurring_record), however late it comes to know.
 */
#ifndef SCHEDULER_DYNAMIC_H
#define SCHEDULER_DYNAMIC_H

#include "db/db.h"
#include "scheduler/task.h"

/* All tasks of a scheduler, sorted by key; the list is made anew when some come or go. */
struct tasks {
	struct arena *arena; /* the list's */
	struct task *list;
	size_t count;
};

struct dynamic;

struct dynamic *dynamic_new(const struct config *config);
void dynamic_free(struct dynamic *dynamic);

/*
 * Asks the database, and brings the tasks up to date. A task that has an occurrence of before its
 * change yet to be fired stays as it is; *again: there is such a one, fire and ask again. On any
 * error all are as they were.
 */
enum status dynamic_follow(struct dynamic *dynamic, struct db *db, struct tasks *tasks, bool *again,
			   struct error *error) MUST_CHECK;

#endif
