/*
 * queue/classes/: what classes declare, in dray_classes.
 *
 * Every process that starts with a jobs.yml publishes what its classes declare, so that every
 * program that enqueues, dispatches, ends or loses a job treats it alike, with or without a
 * configuration.
 */
#ifndef CLASSES_H
#define CLASSES_H

#include "queue/limits/limits.h"
#include "queue/look/job.h"

struct class_policy {
	const char *name;
	int64_t max_losses; /* that its jobs survive; JOB_NO_BOUND = the class says nothing */
	const struct limit *limits; /* by position */
	size_t limit_count;
	const char
		*lost_end; /* of jobs that do not survive, for loss_policy.end; NULL: they fail */
};

/*
 * Stores what differs from what is stored of these classes, and nothing if there are none. Other
 * classes are left alone.
 */
enum status classes_publish(struct db *db, const struct class_policy list[], size_t count,
			    struct error *error) MUST_CHECK;

/* The same for those of them of which nothing is stored yet. */
enum status classes_introduce(struct db *db, const struct class_policy list[], size_t count,
			      struct error *error) MUST_CHECK;

#endif
