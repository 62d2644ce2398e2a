#include "queue/look/survey.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/look/look.h"
#include "queue/pauses/pause.h"

/* The queues by name. */

/*
 * Adds what is known of a queue's pause. The row may have either of two spellings that are the same
 * queue, and no two pauses begin at the same instant.
 */
static void add_note(struct queue_row *row, const struct pause_row pauses[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pauses[i].since == row->paused_at && strcmp(pauses[i].kind, "queue") == 0 &&
		    strcasecmp(pauses[i].name, row->name) == 0)
			row->note = pauses[i].note;
}

/* A queue that has just appeared under a pattern is paused, but not by name yet. */
static void add_pattern(struct queue_row *row, const struct pause_row pauses[], size_t count)
{
	const struct pause_row *pattern = pattern_pausing(pauses, count, row->name);

	if (row->paused || !pattern)
		return;
	row->paused = true;
	row->paused_at = pattern->since;
	row->note = pattern->note;
}

enum status queue_list(struct db *db, struct arena *arena, struct queue_row **out, size_t *count,
		       struct error *error)
{
	struct db_rows rows = { 0 };
	struct pause_row *pauses;
	size_t pause_count = 0;
	enum status status = pause_list(db, arena, &pauses, &pause_count, error);

	if (status == STATUS_OK)
		status = db_query(db, arena, DB_PLAIN(queues), &rows, error);
	if (status != STATUS_OK)
		return status;
	struct queue_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	int64_t now = db_now(db);
	size_t named = 0;
	for (size_t i = 0; i < rows.count; i++) {
		if (db_is_null(&rows, i, QUEUES_NAME))
			continue; /* rows whose job is gone: the doctor's */
		struct queue_row *row = &list[named++];
		row->name = db_text(&rows, i, QUEUES_NAME);
		row->paused = db_int(&rows, i, QUEUES_PAUSED) != 0;
		row->size = db_int(&rows, i, QUEUES_READY);
		row->counts[JOB_READY] = row->size;
		row->counts[JOB_SCHEDULED] = db_int(&rows, i, QUEUES_SCHEDULED);
		row->counts[JOB_CLAIMED] = db_int(&rows, i, QUEUES_CLAIMED);
		row->counts[JOB_BLOCKED] = db_int(&rows, i, QUEUES_BLOCKED);
		row->counts[JOB_FAILED] = db_int(&rows, i, QUEUES_FAILED);
		row->counts[JOB_FINISHED] = -1;
		int64_t oldest = db_time(&rows, i, QUEUES_OLDEST_READY);
		row->latency = oldest > 0 && now > oldest ? now - oldest : 0;
		row->paused_at = db_time(&rows, i, QUEUES_PAUSED_AT);
		add_note(row, pauses, pause_count);
		add_pattern(row, pauses, pause_count);
	}
	*out = list;
	*count = named;
	return STATUS_OK;
}

/* All queues at a glance. */

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

	for (size_t i = 0; i < survey->count && status == STATUS_OK; i++) {
		struct survey_queue *queue = &survey->queues[i];
		if (queue->row.counts[JOB_READY] > 0 && !queue->row.paused)
			status = unserved_add(db, arena, &survey->servers, queue->row.name,
					      &queue->unserved, error);
	}
	return status;
}

bool survey_unserved(const struct survey_queue *queue)
{
	const int64_t *counts = queue->row.counts;

	return queue->workers == 0 && !queue->row.paused &&
	       counts[JOB_READY] + counts[JOB_SCHEDULED] + counts[JOB_BLOCKED] > 0;
}

/* The whole system in figures. */

#define KINDS (sizeof(((struct stats *)0)->kinds) / sizeof(struct stats_kind))

static void add_queue(const struct survey_queue *queue, struct stats *stats)
{
	for (int state = 0; state < JOB_FINISHED; state++)
		stats->counts[state] += queue->row.counts[state];
	stats->retrying += queue->retrying;
	stats->paused += queue->row.paused;
	stats->unserved += survey_unserved(queue);
	if (!queue->row.paused && queue->row.latency > stats->latency) {
		stats->latency = queue->row.latency;
		stats->oldest_queue = queue->row.name;
	}
}

static struct stats_kind *find_kind(struct stats *stats, const char *kind)
{
	for (size_t i = 0; i < stats->kind_count; i++)
		if (strcmp(stats->kinds[i].kind, kind) == 0)
			return &stats->kinds[i];
	if (stats->kind_count ==
	    KINDS) /* more kinds than there are: the last entry takes the rest */
		return &stats->kinds[KINDS - 1];
	stats->kinds[stats->kind_count].kind = kind;
	return &stats->kinds[stats->kind_count++];
}

static void add_server(const struct server *server, struct stats *stats)
{
	struct stats_kind *kind = find_kind(stats, server->row.kind);

	kind->silent += server->silent;
	if (server->silent)
		return;
	kind->alive++;
	if (!server_is_here(server)) {
		kind->leaving++;
		kind->ending += server->row.claims;
		return;
	}
	kind->threads += server->threads;
	kind->busy += server->row.claims;
}

/* They are read alike. */
DB_ALIKE(failures_by_class, keys_waited_for);

static struct stats_entry *entries(struct arena *arena, const struct db_rows *rows)
{
	struct stats_entry *list = arena_array(arena, rows->count + 1, sizeof(*list));

	for (size_t i = 0; i < rows->count; i++)
		list[i] = (struct stats_entry){ db_text(rows, i, KEYS_WAITED_FOR_NAME),
						db_int(rows, i, KEYS_WAITED_FOR_COUNT),
						db_time(rows, i, KEYS_WAITED_FOR_SINCE) };
	return list;
}

enum status stats_read(struct db *db, struct arena *arena, const struct prune *patience,
		       struct stats *stats, struct error *error)
{
	struct db_rows failures = { 0 };
	struct db_rows keys = { 0 };

	*stats = (struct stats){ .counts = { [JOB_FINISHED] = -1 } };
	enum status status = survey_read(db, arena, patience, &stats->survey, error);
	if (status == STATUS_OK)
		status = db_query(db, arena,
				  DB_CALL(failures_by_class, .most = P_INT(STATS_MOST),
					  .limit = P_INT(STATS_TOP)),
				  &failures, error);
	if (status == STATUS_OK)
		status = db_query(db, arena,
				  DB_CALL(keys_waited_for, .most = P_INT(STATS_MOST),
					  .limit = P_INT(STATS_TOP)),
				  &keys, error);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < stats->survey.count; i++)
		add_queue(&stats->survey.queues[i], stats);
	for (size_t i = 0; i < stats->survey.servers.count; i++)
		add_server(&stats->survey.servers.list[i], stats);
	stats->failures = entries(arena, &failures);
	stats->failure_count = failures.count;
	stats->keys = entries(arena, &keys);
	stats->key_count = keys.count;
	return STATUS_OK;
}
