#include "cli/bulk/batch.h"

#include <stdlib.h>
#include <string.h>

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

/*
 * The number, from 1, of the job that enqueue() refused ("job 3: why"), and why; 0 if the text does
 * not tell.
 */
static size_t refused(const char *text, const char **why)
{
	static const char prefix[] = "job ";
	char *end;

	if (strncmp(text, prefix, strlen(prefix)) != 0)
		return 0;
	unsigned long position = strtoul(text + strlen(prefix), &end, 10);
	if (end[0] != ':' || end[1] != ' ')
		return 0;
	*why = end + 2;
	return position;
}

/*
 * Enqueues the rest, or the jobs before the first one that is refused. So each job is checked at
 * most twice, however many are bad.
 */
static enum status advance(struct db *db, struct batch *batch, struct error *error)
{
	size_t count = batch->singly ? 1 : batch->count - batch->done;
	const char *why = error->text;
	enum status status = enqueue_next(db, batch, count, error);

	if (status != STATUS_INVALID)
		return status;
	size_t position = count == 1 ? 1 : refused(error->text, &why);
	if (position == 0 || position > count) {
		batch->singly = true;
		return STATUS_OK;
	}
	struct error other = { 0 };
	status = position > 1 ? enqueue_next(db, batch, position - 1, &other) : STATUS_OK;
	if (status == STATUS_OK)
		refuse_next(batch, why);
	else if (status == STATUS_INVALID)
		batch->singly = true;
	else
		*error = other;
	return status == STATUS_INVALID ? STATUS_OK : status;
}

enum status batch_flush(struct db *db, struct batch *batch, struct error *error)
{
	enum status status = STATUS_OK;

	while (batch->done < batch->count && status == STATUS_OK)
		status = advance(db, batch, error);
	return status;
}
