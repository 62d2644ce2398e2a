/*
 * The whole system in figures: the sums of a survey, and the classes and keys where most jobs fail
 * or wait.
 */
#ifndef STATS_H
#define STATS_H

#include "queue/look/survey.h"

#define STATS_MOST 10000 /* how many failed and blocked jobs are looked at */
#define STATS_TOP  10    /* classes and keys */

/* Processes of one kind. */
struct stats_kind {
	const char *kind;
	int64_t alive;
	int64_t silent;
	int64_t threads; /* of the living workers that report it */
	int64_t busy;    /* jobs that the living processes have claimed */
};

/* A class with failed jobs, or a key with jobs that wait for it. */
struct stats_entry {
	const char *name;
	int64_t count;
	int64_t at; /* the time of the last failure, or since when the longest waits */
};

struct stats {
	struct survey survey;
	int64_t counts[JOB_STATES]; /* finished: -1 */
	int64_t retrying;           /* of the scheduled ones */
	int64_t paused;             /* queues */
	int64_t unserved;
	const char *oldest_queue; /* by state; finished: -1 */
	int64_t latency;          /* its age */
	struct stats_kind kinds[8];
	size_t kind_count;
	struct stats_entry *failures; /* those with the most jobs first */
	size_t failure_count;
	struct stats_entry *keys;
	size_t key_count;
};

/* Everything is in the arena. `patience` says how long a process may be silent. */
enum status stats_read(struct db *db, struct arena *arena, const struct prune *patience,
		       struct stats *stats, struct error *error) MUST_CHECK;

#endif
