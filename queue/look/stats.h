/* The whole system in figures: the sums of a survey, and the worst of what fails and waits. */
#ifndef STATS_H
#define STATS_H

#include "queue/look/survey.h"

#define STATS_MOST 10000 /* failed and blocked jobs are looked at to here */
#define STATS_TOP  10    /* classes and keys */

/* Processes of one kind. */
struct stats_kind {
	const char *kind;
	int64_t alive;
	int64_t silent;
	int64_t threads; /* of the living workers that say it */
	int64_t busy;    /* jobs that the living have claimed */
};

/* A class with failed jobs, or a key with jobs that wait for it. */
struct stats_entry {
	const char *name;
	int64_t count;
	int64_t at; /* the last failure; since when the longest waits */
};

struct stats {
	struct survey survey;
	int64_t counts[JOB_STATES]; /* finished: -1 */
	int64_t paused;             /* queues */
	int64_t unserved;
	const char *oldest_queue; /* with the oldest ready job of those not paused; NULL = none */
	int64_t latency;          /* its age */
	struct stats_kind kinds[8];
	size_t kind_count;
	struct stats_entry *failures; /* the most first */
	size_t failure_count;
	struct stats_entry *keys;
	size_t key_count;
};

/* Everything in the arena. `patience` says how long a process may be silent. */
enum status stats_read(struct db *db, struct arena *arena, const struct prune *patience,
		       struct stats *stats, struct error *error) MUST_CHECK;

#endif
