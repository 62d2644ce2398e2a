/* Writes the tasks of recurring.yml to the database when a scheduler starts. */
#ifndef SCHEDULER_PUBLISH_H
#define SCHEDULER_PUBLISH_H

#include "config/config.h"
#include "db/db.h"

/* What is known of schedulers with other files. */
struct publish_others {
	bool differ; /* one has, or may have, tasks that are not in this file: look again later */
	size_t foreign; /* how many such tasks */
};

/*
 * Writes the tasks of this file and removes static tasks that are not in it, except those of
 * another live scheduler. Logs that there are such tasks if there were none before.
 */
enum status publish_tasks(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error) MUST_CHECK;

/* Rewrites dynamic tasks that Rails cannot read. Logs how many there were. */
enum status publish_mend(struct db *db, struct error *error) MUST_CHECK;

/*
 * Removes tasks that no live scheduler has any more. Writes none: two files may each have a
 * different task of the same key.
 */
enum status publish_again(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error) MUST_CHECK;

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

#endif
