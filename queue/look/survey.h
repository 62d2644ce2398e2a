/* All queues at a glance: what waits in them, how much of it gets done, and who serves them. */
#ifndef SURVEY_H
#define SURVEY_H

#include "queue/look/look.h"
#include "queue/processes/servers.h"

/* Jobs that were finished and are kept; what is deleted as it finishes cannot be counted. */
struct throughput {
	int64_t minute; /* in the last minute */
	int64_t hour;
};

struct survey_queue {
	struct queue_row row;
	struct throughput throughput;
	size_t workers; /* that serve it and are not silent */
};

struct survey {
	int64_t now; /* the database's clock */
	/* By name: with unfinished jobs, or a pause, or some that were finished in the last hour */
	struct survey_queue *queues;
	size_t count;
	struct servers servers;
	struct throughput total;
	/*
	 * So many were finished that only the last were counted: the rest of the hour, and perhaps
	 * of the minute, is taken to have been like them.
	 */
	bool estimated;
};

/* Everything in the arena. `patience` says how long a process may be silent. */
enum status survey_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error) MUST_CHECK;

/* The same without sizes and pauses, so of those queues only where something was finished lately.
 */
enum status survey_pace(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error) MUST_CHECK;

/* Has it unfinished jobs that nobody would take, and not for a pause? */
bool survey_unserved(const struct survey_queue *queue);

/* The one with this name; NULL when there is none. */
const struct survey_queue *survey_find(const struct db *db, const struct survey *survey,
				       const char *name);

#endif
