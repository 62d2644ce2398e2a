/*
 * queue/limits/: concurrency limits: keys, slots, and finding slots that leaked.
 *
 * The limits that classes declare. They are stored in dray_limits, so that every process that
 * enqueues, dispatches or ends a job uses the same limits, with or without a configuration.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "queue/enqueue/enqueue.h"

enum conflict { LIMIT_BLOCK, LIMIT_DISCARD, LIMIT_REPLACE };

struct limit {
	const char *class_name;
	int position;     /* among the limits of its class, from 0 */
	int slots;        /* jobs of one key that run at once */
	int64_t duration; /* how many jobs of one key may run at once */
	enum conflict on_conflict;
	const char *key; /* microseconds that a slot stays taken when no job is known to hold it */
	const char *group; /* NULL = the class */
};

struct limits {
	const struct limit *list;
	size_t count;
	const char *const *classes; /* all that this program knows, limited or not */
	size_t class_count;
};

/* all classes that this program knows, limited or not */
enum status limits_publish(struct db *db, const struct limits *limits,
			   struct error *error) MUST_CHECK;

/*
 * Stores what differs from the stored limits. A class of `classes` without a limit in the list
 * loses those it had; other classes are left alone.
 */
enum status limits_introduce(struct db *db, const struct limits *limits,
			     struct error *error) MUST_CHECK;

/* The same for classes of which nothing is stored yet; `classes` is not used. */
enum status limit_key(struct arena *arena, const struct limit *limit, const char *arguments,
		      const char **key, struct error *error) MUST_CHECK;

/*
 * Sets the job's keys, one for each of these limits, which are those of its class by position. All
 * code that makes a job uses this: configured limits and those of the database give the same keys.
 */
enum status limit_keys(struct arena *arena, const struct limit list[], size_t count,
		       struct new_job *job, struct error *error) MUST_CHECK;

#endif
