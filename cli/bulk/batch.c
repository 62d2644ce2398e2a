#include "cli/bulk/batch.h"

bool batch_full(const struct batch *batch)
{
	return batch->count == BATCH_JOBS || batch->bytes >= BATCH_BYTES;
}

void batch_clear(struct batch *batch)
{
	arena_clear(batch->arena);
	batch->count = 0;
	batch->bytes = 0;
	batch->done = 0;
	batch->refused = 0;
	batch->singly = false;
}

/* Enqueues the next `count` jobs in one transaction. */
static enum status enqueue_next(struct db *db, struct batch *batch, size_t count,
				struct error *error)
{
	enum status status =
		enqueue(db, batch->jobs + batch->done, count, batch->results + batch->done, error);

	if (status == STATUS_OK) {
		batch->done += count;
		batch->accept(batch->context, count);
	}
	batch->doubtful = status == STATUS_UNCERTAIN ? count : 0;
	return status;
}

/* Passes the next job to refuse(). */
static void refuse_next(struct batch *batch, const char *why)
{
	batch->refuse(batch->context, batch->lines[batch->done], why);
	batch->done++;
}

/* The number, from 1, of the job that was refused; 0 if it is not known. */
static size_t refused(const struct enqueued results[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (results[i].refused)
			return i + 1;
	return 0;
}

/* The jobs before one that is known to be refused, that one alone, or the rest. */
static size_t next_count(const struct batch *batch)
{
	size_t left = batch->count - batch->done;

	if (batch->singly || batch->refused == batch->done + 1)
		return 1;
	return batch->refused > batch->done ? batch->refused - 1 - batch->done : left;
}

/* So each job is checked at most three times, however many are bad. */
static enum status advance(struct db *db, struct batch *batch, struct error *error)
{
	size_t count = next_count(batch);
	enum status status = enqueue_next(db, batch, count, error);

	if (status != STATUS_INVALID)
		return status;
	if (count == 1) {
		refuse_next(batch, error->text);
		return STATUS_OK;
	}
	size_t position = refused(batch->results + batch->done, count);
	batch->refused = position > 0 ? batch->done + position : 0;
	batch->singly = position == 0;
	return STATUS_OK;
}

enum status batch_flush(struct db *db, struct batch *batch, struct error *error)
{
	enum status status = STATUS_OK;

	while (batch->done < batch->count && status == STATUS_OK)
		status = advance(db, batch, error);
	return status;
}
