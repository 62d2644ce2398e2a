/* The tasks of recurring.yml, written down in the database when a scheduler begins. */
#ifndef SCHEDULER_PUBLISH_H
#define SCHEDULER_PUBLISH_H

#include "config/config.h"
#include "db/db.h"

enum status publish_tasks(struct db *db, const struct config_scheduler *config,
			  struct error *error) MUST_CHECK;

/*
 * Writes those down again that somebody has deleted from Solid Queue's table: a scheduler of Rails
 * does so, when it starts, with every static task that it does not know. Logs how many.
 */
enum status publish_missing(struct db *db, const struct config_scheduler *config,
			    struct error *error) MUST_CHECK;

#endif
