/* The limits of jobs.yml, written into the database for everybody. */
#ifndef PUBLISH_H
#define PUBLISH_H

#include "config/config.h"
#include "db/db.h"
#include "queue/limits/limits.h"

/* One of the class's limits as the queue knows it; its texts are the configuration's. */
struct limit publish_limit(const struct config *config, const struct config_class *class,
			   size_t position);

/*
 * For those who only enqueue jobs of this class (NULL = of any): what it declares, unless something
 * is known of it already. Without limits nothing is asked.
 */
enum status introduce_limits(struct db *db, const struct config *config, const char *class_name,
			     struct error *error) MUST_CHECK;

/* With a jobs.yml without classes nothing is known, and nothing is written. */
enum status publish_limits(struct db *db, const struct config *config,
			   struct error *error) MUST_CHECK;

#endif
