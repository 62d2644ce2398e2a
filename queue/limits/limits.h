/*
 * queue/limits/: concurrency limits: keys, slots, and finding slots that leaked.
 *
 * What classes declare about concurrency. It stands in dray_limits, so that whoever enqueues,
 * dispatches or ends a job goes by the same limits, with or without a configuration.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "queue/enqueue/enqueue.h"

enum conflict { LIMIT_BLOCK, LIMIT_DISCARD, LIMIT_REPLACE };

struct limit {
	const char *class_name;
	int position;     /* among the limits of its class, from 0 */
	int slots;        /* jobs of one key that run at once */
	int64_t duration; /* microseconds that a slot lasts that nobody can vouch for */
	enum conflict on_conflict;
	const char *key;   /* template, NULL = the group alone */
	const char *group; /* NULL = the class */
};

struct limits {
	const struct limit *list;
	size_t count;
	const char *const *classes; /* all that this program knows, limited or not */
	size_t class_count;
};

/*
 * Writes down what differs from what is known already. A class of `classes` without a limit in the
 * list loses those it had; classes that are not among them belong to others.
 */
enum status limits_publish(struct db *db, const struct limits *limits,
			   struct error *error) MUST_CHECK;

/* The same of classes of which nothing is known yet; `classes` is not looked at. */
enum status limits_introduce(struct db *db, const struct limits *limits,
			     struct error *error) MUST_CHECK;

/*
 * The concurrency key of a job with these arguments (JSON array or object; NULL = none): group and
 * key joined by "/", as Solid Queue does. A placeholder that is the whole template and whose
 * argument is missing or null leaves only the group. INVALID when an argument is a list or an
 * object that is no record.
 */
enum status limit_key(struct arena *arena, const struct limit *limit, const char *arguments,
		      const char **key, struct error *error) MUST_CHECK;

/*
 * Gives the job a key for each of these limits, which are its class's by position. Whoever makes
 * a job asks here: configured limits and those of the database give the same keys.
 */
enum status limit_keys(struct arena *arena, const struct limit list[], size_t count,
		       struct new_job *job, struct error *error) MUST_CHECK;

#endif
