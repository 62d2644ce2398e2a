/* The tasks of recurring.yml, written down in the database when a scheduler begins. */
#ifndef SCHEDULER_PUBLISH_H
#define SCHEDULER_PUBLISH_H

#include "config/config.h"
#include "db/db.h"

enum status publish_tasks(struct db *db, const struct config_scheduler *config,
			  struct error *error) MUST_CHECK;

#endif
