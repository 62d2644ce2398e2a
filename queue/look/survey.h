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

#endif
