#include "queue/look/survey.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"

#define MOST_FINISHED 20000 /* the most that are counted; some ten milliseconds */

/* The number of jobs in a longer time at the same rate. */
static int64_t extrapolate(int64_t jobs, int64_t span, int64_t wanted)
{
	if (span <= 0 || span >= wanted)
		return jobs;
	return (int64_t)((double)jobs * (double)wanted / (double)span);
}

static struct survey_queue *find(const struct db *db, const struct survey *survey, const char *name)
{
	size_t length = strlen(name);

	for (size_t i = 0; i < survey->count; i++) {
		const char *own = survey->queues[i].row.name;
		if (strlen(own) == length && db_same_name(db, own, name, length))
			return &survey->queues[i];
	}
	return NULL;
}

const struct survey_queue *survey_find(const struct db *db, const struct survey *survey,
				       const char *name)
{
	return find(db, survey, name);
}

static struct survey_queue *find_or_add(const struct db *db, struct survey *survey,
					const char *name)
{
	struct survey_queue *queue = find(db, survey, name);

	if (queue)
		return queue;
	queue = &survey->queues[survey->count++];
	*queue = (struct survey_queue){ .row = { .name = name } };
	queue->row.counts[JOB_FINISHED] = -1;
	return queue;
}

static void add_throughput(const struct db *db, struct survey *survey, const struct db_rows *rows)
{
	int64_t counted = 0;
	int64_t earliest = survey->now;

	for (size_t i = 0; i < rows->count; i++) {
		counted += db_int(rows, i, THROUGHPUT_FINISHED);
		if (db_time(rows, i, THROUGHPUT_EARLIEST) < earliest)
			earliest = db_time(rows, i, THROUGHPUT_EARLIEST);
	}
	survey->estimated = counted >= MOST_FINISHED;
	int64_t span = survey->estimated ? survey->now - earliest : CLOCK_HOUR;
	for (size_t i = 0; i < rows->count; i++) {
		struct survey_queue *queue =
			find_or_add(db, survey, db_text(rows, i, THROUGHPUT_QUEUE_NAME));
		struct throughput *own = &queue->throughput;
		own->hour = extrapolate(db_int(rows, i, THROUGHPUT_FINISHED), span, CLOCK_HOUR);
		own->minute = extrapolate(db_int(rows, i, THROUGHPUT_FINISHED_IN_MINUTE), span,
					  CLOCK_MINUTE);
		survey->total.hour += own->hour;
		survey->total.minute += own->minute;
	}
}

static int by_name(const void *left, const void *right)
{
	const struct survey_queue *a = left;
	const struct survey_queue *b = right;

	return strcmp(a->row.name, b->row.name);
}

static enum status read_throughput(struct db *db, struct arena *arena, int64_t now,
				   struct db_rows *rows, struct error *error)
{
	return db_query(db, arena,
			DB_CALL(throughput, .since = P_TIME(now - CLOCK_HOUR),
				.until = P_TIME(now + CLOCK_MINUTE),
				.minute = P_TIME(now - CLOCK_MINUTE), .most = P_INT(MOST_FINISHED)),
			rows, error);
}

/* Adds everything except the sizes; `rows` may be empty. */
static enum status complete(struct db *db, struct arena *arena, const struct queue_row rows[],
			    size_t count, struct survey *survey, struct error *error)
{
	struct db_rows finished = { 0 };
	enum status status = read_throughput(db, arena, survey->now, &finished, error);

	if (status != STATUS_OK)
		return status;
	survey->queues = arena_array(arena, count + finished.count + 1, sizeof(*survey->queues));
	for (; survey->count < count; survey->count++)
		survey->queues[survey->count].row = rows[survey->count];
	add_throughput(db, survey, &finished);
	qsort(survey->queues, survey->count, sizeof(*survey->queues), by_name);
	for (size_t i = 0; i < survey->count; i++)
		survey->queues[i].workers =
			servers_of(db, &survey->servers, survey->queues[i].row.name);
	return STATUS_OK;
}

/* A job may have been dispatched or retried since the others were counted. */
static enum status read_retrying(struct db *db, struct arena *arena, struct survey *survey,
				 struct error *error)
{
	struct db_rows rows = { 0 };
	int64_t scheduled = 0;

	for (size_t i = 0; i < survey->count; i++)
		scheduled += survey->queues[i].row.counts[JOB_SCHEDULED];
	enum status status =
		scheduled > 0
			? db_query(db, arena, DB_CALL(retrying, .scheduled = P_INT(scheduled)),
				   &rows, error)
			: STATUS_OK;
	for (size_t i = 0; i < rows.count; i++) {
		struct survey_queue *queue =
			find(db, survey, db_text(&rows, i, RETRYING_QUEUE_NAME));
		int64_t counted = db_int(&rows, i, RETRYING_RETRYING);
		if (queue)
			queue->retrying = counted < queue->row.counts[JOB_SCHEDULED]
						  ? counted
						  : queue->row.counts[JOB_SCHEDULED];
	}
	return status;
}

enum status survey_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error)
{
	struct queue_row *rows;
	size_t count = 0;

	*survey = (struct survey){ .now = db_now(db) };
	enum status status = queue_list(db, arena, &rows, &count, error);
	if (status == STATUS_OK)
		status = servers_read(db, arena, patience, &survey->servers, error);
	if (status == STATUS_OK)
		status = complete(db, arena, rows, count, survey, error);
	if (status == STATUS_OK)
		status = read_retrying(db, arena, survey, error);
	return status;
}

enum status survey_pace(struct db *db, struct arena *arena, const struct prune *patience,
			struct survey *survey, struct error *error)
{
	*survey = (struct survey){ .now = db_now(db) };
	enum status status = servers_read(db, arena, patience, &survey->servers, error);

	return status == STATUS_OK ? complete(db, arena, NULL, 0, survey, error) : status;
}

enum status survey_unknown(struct db *db, struct arena *arena, struct survey *survey,
			   struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < survey->count && status == STATUS_OK; i++)
		status = unserved_add(db, arena, &survey->servers, &survey->queues[i].row,
				      &survey->queues[i].unserved, error);
	return status;
}

bool survey_unserved(const struct survey_queue *queue)
{
	const int64_t *counts = queue->row.counts;

	return queue->workers == 0 && !queue->row.paused &&
	       counts[JOB_READY] + counts[JOB_SCHEDULED] + counts[JOB_BLOCKED] > 0;
}
