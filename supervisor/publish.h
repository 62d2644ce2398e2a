/* The limits of jobs.yml, written into the database for everybody. */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "config/config.h"
#include "db/db.h"

/* With a jobs.yml without classes nothing is known, and nothing is written. */
enum status publish_limits(struct db *db, const struct config *config,
			   struct error *error) MUST_CHECK;

#endif
