/*
 * queue/limits/: concurrency limits: keys, slots, and finding slots that leaked.
 *
 * A limit that a class declares (queue/classes), and the keys of its jobs.
 */
#ifndef LIMITS_H
#define LIMITS_H

#include "queue/enqueue/enqueue.h"

enum conflict { LIMIT_BLOCK, LIMIT_DISCARD, LIMIT_REPLACE, LIMIT_CANCEL };

struct limit {
	const char *class_name;
	int slots;        /* jobs of one key that run at once */
	int64_t duration; /* microseconds that a slot stays taken when no job is known to hold it */
	enum conflict on_conflict;
	const char *key;   /* the template of its jobs' keys */
	const char *group; /* NULL = the class */
};

struct payload;

/*
 * Sets the job's keys, from its arguments, one for each of these limits, which are those of its
 * class by position. `read` are the arguments if they have been read, else NULL; then this reads
 * them. All code that makes a job uses this: configured limits and those of the
 * database give the same keys.
 */
enum status limit_keys(struct arena *arena, const struct limit list[], size_t count,
		       struct new_job *job, const struct payload *read,
		       struct error *error) MUST_CHECK;

#endif
