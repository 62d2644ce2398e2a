/*
 * Batches of Solid Queue 1.7, which Rails makes and finishes: a row of solid_queue_batch_executions
 * says that a job of a batch has not ended. When a job ends, dray deletes this row in the same
 * transaction, so that Rails finds the batch complete.
 */
#ifndef QUEUE_BATCHES_H
#define QUEUE_BATCHES_H

#include "db/db.h"

/* Does the database have batches? If not, the other functions must not be called. */
enum status batches_look(struct db *db, bool *there, struct error *error) MUST_CHECK;

/* Adds the call that takes those of these jobs that have ended out of their batches. Borrows the
 * jobs. */
void batches_leave(struct db_calls *calls, const int64_t jobs[], size_t count);

/* The same for jobs that were cancelled at this time without having been claimed. */
void batches_leave_cancelled(struct db_calls *calls, int64_t now);

#endif
