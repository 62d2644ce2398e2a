/* The jobs that a bulk enqueue has read and not yet enqueued. */
#ifndef BULK_BATCH_H
#define BULK_BATCH_H

#include "queue/enqueue/enqueue.h"

#define BATCH_JOBS  ((size_t)1000)
#define BATCH_BYTES ((size_t)8 << 20)

struct batch {
	struct arena *arena; /* holds the jobs' texts */
	struct new_job jobs[BATCH_JOBS];
	int64_t lines[BATCH_JOBS]; /* line number of each job */
	struct enqueued results[BATCH_JOBS];
	size_t count;
	size_t bytes;    /* of the lines */
	size_t done;     /* enqueued or refused so far */
	size_t doubtful; /* after UNCERTAIN: so many from `done` on are perhaps enqueued */
	size_t refused;  /* number, from 1, of a job that is refused; 0 = unknown */
	bool singly;     /* one of them is refused, but it is not known which */
	void (*refuse)(void *context, int64_t line, const char *why);
	void (*accept)(void *context, size_t count);
	void *context;
};

/* Whether the batch should be flushed. */
bool batch_full(const struct batch *batch);

/*
 * Enqueues all jobs, in one transaction if none is refused. A refused job is passed to refuse(),
 * and the others are enqueued all the same. If the status is not OK, the jobs from `done` on were
 * not enqueued.
 */
enum status batch_flush(struct db *db, struct batch *batch, struct error *error) MUST_CHECK;

/* Empties it for the next jobs. */
void batch_clear(struct batch *batch);

#endif
