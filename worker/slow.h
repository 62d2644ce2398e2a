/*
 * Runs that take much longer than their class's usually do. The worker remembers how long the last
 * runs of each class took, those that nobody had stopped; when it has seen twenty, a run that takes
 * ten times their median, and five minutes, is slow. That is said once in the log and stands in the
 * worker's metadata, where `dray jobs --slow` reads it. Nothing is stopped: for that there is
 * `timeout`. Main thread only.
 */
#ifndef SLOW_H
#define SLOW_H

#include <stddef.h>
#include <stdint.h>

struct slot;
struct text;
struct worker;

#define PACE_RUNS 32

/* How long the last runs of a class took: microseconds, in a ring. */
struct pace {
	int64_t runs[PACE_RUNS];
	size_t count; /* of all that were seen */
};

/* The run begins: it is looked at in five minutes. */
void slow_begin(struct slot *slot);

/* The run has ended: its class's pace. */
void slow_learn(const struct slot *slot);

/* Tells when it is slow, else looks again later (worker->kill_at). */
void slow_look(struct slot *slot, int64_t now);

/* Adds the jobs of the slow runs to the metadata: ,"slow_jobs":[1,2]; nothing when there are none.
 */
void slow_describe(const struct worker *worker, struct text *metadata);

#endif
