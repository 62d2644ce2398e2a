/* Failures by their cause: the error groups of the history (queue/payload/fingerprint.h). */
#ifndef ERRORS_H
#define ERRORS_H

#include "db/db.h"

#define ERRORS_READ        100000 /* failures in the history at most: the last ones */
#define ERRORS_TREND       8      /* hours, the current one is the last */
#define ERRORS_RUNS        20     /* of a group, at most */
#define ERRORS_FAILED_MOST 1000   /* failed jobs that are asked for a group */

/* One failure of a group. */
struct error_run {
	int64_t id; /* in the history */
	int64_t job_id;
	const char *class_name;
	int64_t attempt;
	int64_t ended_at;
	const char *outcome; /* "failed", "retried", "discarded" */
};

struct error_group {
	const char *name;
	int64_t count;
	int64_t first_at, last_at;
	int64_t trend[ERRORS_TREND]; /* -1: the hour was not read */
	const char *error; /* the newest one's, as failed_executions.error; NULL = it is gone */
	struct error_run *runs; /* the last ones, the newest first */
	size_t run_count;
	const char **classes; /* of the jobs of `runs` */
	size_t class_count;
};

struct errors {
	struct error_group *list; /* the most frequent first */
	size_t count;
	int64_t failures;  /* of all groups */
	int64_t read_from; /* the oldest one that was read, if there were more; 0 = there were not
			    */
};

/* The groups of the failures since then, without their runs. Everything lives in the arena. */
enum status errors_read(struct db *db, struct arena *arena, int64_t since, struct errors *errors,
			struct error *error) MUST_CHECK;

/* The runs, classes and errors of `count` groups. */
enum status errors_read_runs(struct db *db, struct arena *arena, struct error_group groups[],
			     size_t count, struct error *error) MUST_CHECK;

/* How many of the last ERRORS_FAILED_MOST failed jobs have no group. */
enum status errors_without_group(struct db *db, int64_t *jobs, struct error *error) MUST_CHECK;

#endif
