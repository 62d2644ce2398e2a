/* The tasks of recurring.yml, written down in the database when a scheduler begins. */
#ifndef SCHEDULER_PUBLISH_H
#define SCHEDULER_PUBLISH_H

#include "config/config.h"
#include "db/db.h"

/* What is known of schedulers of dray with other files. */
struct publish_others {
	bool differ;    /* one has tasks that are not in this file, or may have: look again later */
	size_t foreign; /* so many */
};

/*
 * Those of a file that are not in this one are removed, but for such as another scheduler that
 * lives has. Logs when there are such and there were none before.
 */
enum status publish_tasks(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error) MUST_CHECK;

/* Dynamic tasks, too, are such that Rails can read them. Logs how many were not. */
enum status publish_mend(struct db *db, struct error *error) MUST_CHECK;

/*
 * Removes what none has any more, and writes nothing: two files may have another task of the same
 * key each.
 */
enum status publish_again(struct db *db, const struct config *config, int64_t process_id,
			  struct publish_others *known, struct error *error) MUST_CHECK;

/*
 * Writes those down again that somebody has deleted from Solid Queue's table: a scheduler of Rails
 * does so, when it starts, with every static task that it does not know. Logs how many.
 */
enum status publish_missing(struct db *db, const struct config_scheduler *config,
			    struct error *error) MUST_CHECK;

/*
 * Logs which workers of other software take queues of commands, whose jobs they would fail. Those
 * of the file are in the database by then.
 */
enum status publish_takers(struct db *db, const struct config *config,
			   struct error *error) MUST_CHECK;

#endif
