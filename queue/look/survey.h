/*
 * All queues at a glance: how many jobs wait in them, how many get done, and which workers serve
 * them.
 */
#ifndef SURVEY_H
#define SURVEY_H

#include "queue/look/look.h"
#include "queue/processes/servers.h"

/* Finished jobs that are kept; jobs that are deleted when they finish cannot be counted. */
struct throughput {
	int64_t minute; /* in the last minute */
	int64_t hour;
};

struct survey_queue {
	struct queue_row row;
	int64_t retrying; /* of its scheduled jobs: those that wait for a retry */
	struct throughput throughput;
	size_t workers;            /* that serve it and are not silent */
	struct unserveds unserved; /* survey_unknown: those of its ready jobs */
};

struct survey {
	int64_t now; /* the database's clock */
	/* By name: those with unfinished jobs, a pause, or jobs that finished in the last hour */
	struct survey_queue *queues;
	size_t count;
	struct servers servers;
	struct throughput total;
	/*
	 * So many finished that only the last were counted: the rest of the hour, and perhaps of
	 * the minute, is extrapolated from them.
	 */
	bool estimated;
};

/* Everything is in the arena. `patience` says how long a process may be silent. */
enum status survey_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error) MUST_CHECK;

/* Its scheduled jobs that were never retried. */
static inline int64_t survey_delayed(const struct survey_queue *queue)
{
	return queue->row.counts[JOB_SCHEDULED] - queue->retrying;
}

/* The same without sizes and pauses, so only the queues in which jobs have finished lately. */
enum status survey_pace(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error) MUST_CHECK;

/* Looks also which jobs are of classes that no worker knows: a statement for each queue. */
enum status survey_unknown(struct db *db, struct arena *arena, struct survey *survey,
			   struct error *error) MUST_CHECK;

/*
 * Has it unfinished jobs, no pause, and no worker? Jobs of classes that its workers do not know are
 * not looked at: that would cost a statement, and change with each other job that comes and goes.
 */
bool survey_unserved(const struct survey_queue *queue);

/* The one with this name; NULL when there is none. */
const struct survey_queue *survey_find(const struct db *db, const struct survey *survey,
				       const char *name);

/*
 * The whole system in figures: the sums of a survey, and the classes and keys where most jobs fail
 * or wait.
 */
#define STATS_MOST 10000 /* how many failed and blocked jobs are looked at */
#define STATS_TOP  10    /* classes and keys */

/* Processes of one kind. */
struct stats_kind {
	const char *kind;
	int64_t alive;
	int64_t silent;
	int64_t leaving; /* of the living */
	int64_t threads; /* of the living workers that report it and are not leaving */
	int64_t busy;    /* jobs that the living processes have claimed that are not leaving */
	int64_t ending; /* the same of those that are: others leave as many threads idle for them */
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
