/* The jobs that a bulk enqueue has read and not yet handed to the database. */
#ifndef BULK_BATCH_H
#define BULK_BATCH_H

#include "queue/enqueue/enqueue.h"

#define BATCH_JOBS  ((size_t)1000)
#define BATCH_BYTES ((size_t)8 << 20)

struct batch {
	struct arena *arena; /* of the jobs' texts */
	struct new_job jobs[BATCH_JOBS];
	int64_t lines[BATCH_JOBS]; /* where each stands */
	struct enqueued results[BATCH_JOBS];
	size_t count;
	size_t bytes;    /* of the lines */
	size_t done;     /* dealt with, enqueued or refused */
	size_t doubtful; /* after UNCERTAIN: so many from `done` on may or may not be enqueued */
	bool singly;     /* one of them is refused and nobody says which */
	void (*refuse)(void *context, int64_t line, const char *why);
	void (*accept)(void *context, size_t count);
	void *context;
};

/* Is it time to flush? */
bool batch_full(const struct batch *batch);

/*
 * Enqueues all jobs, in one transaction when none is refused; those that are refused go to
 * refuse(), the others are not held up by them. Not OK: the jobs from `done` on were not enqueued.
 */
enum status batch_flush(struct db *db, struct batch *batch, struct error *error) MUST_CHECK;

/* Empties it for the next jobs. */
void batch_clear(struct batch *batch);

#endif
