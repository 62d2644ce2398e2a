#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"
#include "queue/manage.h"
#include "queue/parts.h"
#include "queue/payload.h"
#include "queue/slots.h"

#define DEFAULT_LIMIT 50
#define BATCH         500
#define LAST_TIME     (INT64_C(253402300799) * 1000000) /* the end of the year 9999 */

/* By the state (JOB_STATES: any) and whether the oldest come first. */
static const char *const list_operations[JOB_STATES + 1][2] = {
	[JOB_READY] = { "jobs_ready", "jobs_ready_oldest" },
	[JOB_SCHEDULED] = { "jobs_scheduled", "jobs_scheduled_oldest" },
	[JOB_CLAIMED] = { "jobs_claimed", "jobs_claimed_oldest" },
	[JOB_BLOCKED] = { "jobs_blocked", "jobs_blocked_oldest" },
	[JOB_FAILED] = { "jobs_failed", "jobs_failed_oldest" },
	[JOB_FINISHED] = { "jobs_finished", "jobs_finished_oldest" },
	[JOB_STATES] = { "jobs", "jobs_oldest" },
};

static void read_job(struct job *job, const struct db_rows *rows, size_t row)
{
	const char *state = db_text(rows, row, 10);

	*job = (struct job){
		.id = db_int(rows, row, 0),
		.queue = db_text(rows, row, 1),
		.class_name = db_text(rows, row, 2),
		.payload = db_text(rows, row, 3),
		.priority = (int)db_int(rows, row, 4),
		.active_job_id = db_text(rows, row, 5),
		.concurrency_key = db_text(rows, row, 6),
		.scheduled_at = db_time(rows, row, 7),
		.created_at = db_time(rows, row, 8),
		.finished_at = db_time(rows, row, 9),
		.state = JOB_STATES,
		.error = db_text(rows, row, 11),
		.since = db_time(rows, row, 12),
		.process_id = db_int(rows, row, 13),
		.losses = rows->columns > 14 ? db_int(rows, row, 14) : 0,
	};
	if (state && job_state_parse(state, &job->state) != STATUS_OK)
		job->state = JOB_STATES;
}

/* The text as a pattern of LIKE whose escape character is "!"; "" for none. */
static const char *pattern(struct arena *arena, const char *text)
{
	struct text like = { 0 };

	if (!text)
		return "";
	text_add(&like, "%");
	for (const char *at = text; *at; at++) {
		if (strchr("%_!", *at))
			text_add(&like, "!");
		text_append(&like, at, 1);
	}
	text_add(&like, "%");
	const char *copy = arena_strdup(arena, text_string(&like));
	text_free(&like);
	return copy;
}

enum status job_list(struct db *db, struct arena *arena, const struct job_filter *filter,
		     struct job **jobs, size_t *count, struct error *error)
{
	const struct db_value values[] = {
		DB_P_TEXT("queue", filter->queue),
		DB_P_TEXT("class_name", filter->class_name),
		DB_P_TEXT("key", filter->key),
		DB_P_TEXT("text", pattern(arena, filter->text)),
		DB_P_TIME("since", filter->since),
		DB_P_TIME("until", filter->until > 0 ? filter->until : LAST_TIME),
		DB_P_INT("after", filter->after),
		DB_P_INT("before", filter->before > 0 ? filter->before : INT64_MAX),
		DB_P_INT("limit", filter->limit > 0 ? filter->limit : DEFAULT_LIMIT),
	};
	enum job_state state = filter->has_state ? filter->state : JOB_STATES;
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, list_operations[state][filter->oldest], values,
				      sizeof(values) / sizeof(values[0]), &rows, error);

	if (status != STATUS_OK)
		return status;
	*jobs = arena_array(arena, rows.count + 1, sizeof(**jobs));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		read_job(&(*jobs)[i], &rows, i);
	return STATUS_OK;
}

enum status job_find(struct db *db, struct arena *arena, int64_t id, struct job *job,
		     struct error *error)
{
	const struct db_value values[] = { DB_P_INT("id", id) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "job", values, 1, &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		return error_set(error, STATUS_NONE, "job %" PRId64 ": no such job", id);
	if (status == STATUS_OK)
		read_job(job, &rows, 0);
	return status;
}

enum status job_find_active(struct db *db, const char *active_job_id, int64_t *id,
			    struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("active_job_id", active_job_id) };
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "job_by_active_job_id", values, 1, &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = error_set(error, STATUS_NONE, "job %s: no such job", active_job_id);
	else if (status == STATUS_OK)
		*id = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

/*
 * The job's object for "retry". A payload that cannot be read, or that would not fit any more, is
 * retried as it is.
 */
static void add_retry(const struct db *db, struct arena *arena, const struct job *job,
		      struct text *json)
{
	const char *payload;

	text_printf(json, "{\"job_id\":%" PRId64 ",\"arguments\":", job->id);
	if (payload_reset(arena, job->payload, &payload, NULL) == STATUS_OK &&
	    strlen(payload) <= db_text_maximum(db))
		text_json(json, payload);
	else
		text_add(json, "null");
	text_add(json, "}");
}

/* Those of the jobs that have a key, and their slots. */
static enum status find_slots(struct slots *slots, const struct job jobs[], size_t count,
			      struct error *error)
{
	int64_t *limited = arena_array(slots->arena, count + 1, sizeof(*limited));
	size_t many = 0;

	for (size_t i = 0; i < count; i++)
		if (jobs[i].concurrency_key)
			limited[many++] = jobs[i].id;
	return slots_find(slots, limited, many, error);
}

static enum status retry_jobs(struct db *db, struct arena *arena, const struct job jobs[],
			      size_t count, int64_t *retried, struct error *error)
{
	struct parts parts = { .arena = arena };

	for (size_t i = 0; i < count; i++)
		add_retry(db, arena, &jobs[i], parts_next(&parts));
	parts_end(&parts);
	struct slots slots = { .db = db, .arena = arena };
	enum status status = find_slots(&slots, jobs, count, error);
	if (status != STATUS_OK)
		return status;
	struct slots_calls calls = {
		arena_array(arena, parts.count + SLOTS_CALLS, sizeof(*calls.list)), 0
	};
	slots_before(&slots, &calls);
	size_t first = calls.count;
	for (size_t i = 0; i < parts.count; i++) {
		struct db_value *values = arena_array(arena, 2, sizeof(*values));
		values[0] = (struct db_value)DB_P_TEXT("jobs", parts.list[i].json);
		values[1] = (struct db_value)DB_P_TIME("now", db_now(db));
		calls.list[calls.count++] =
			(struct db_call){ .operation = "retry", .values = values, .count = 2 };
	}
	slots_after(&slots, &calls);
	status = db_run(db, arena, calls.list, calls.count, error);
	*retried = 0;
	for (size_t i = 0; i < parts.count && status == STATUS_OK; i++)
		*retried += (int64_t)calls.list[first + i].rows.count;
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status retry_one(struct db *db, struct arena *arena, int64_t id, struct error *error)
{
	struct job job;
	int64_t retried = 0;
	enum status status = job_find(db, arena, id, &job, error);

	if (status == STATUS_OK && job.state == JOB_FAILED)
		status = retry_jobs(db, arena, &job, 1, &retried, error);
	if (status == STATUS_OK && retried == 0)
		return error_set(error, STATUS_INVALID, "job %" PRId64 ": not failed but %s", id,
				 job_state_name(job.state));
	return status;
}

enum status job_retry(struct db *db, int64_t id, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = retry_one(db, arena, id, error);

	arena_free(arena);
	return status;
}

/* Does something to a batch of jobs; *done is how many. */
typedef enum status batch_verb(struct db *db, struct arena *arena, const struct job jobs[],
			       size_t count, int64_t *done, struct error *error);

/* Walks the filter's jobs from the newest down, a batch at a time, each in its own transaction. */
static enum status for_each_batch(struct db *db, const struct job_filter *wanted, batch_verb *verb,
				  int64_t *total, struct error *error)
{
	struct arena *arena = arena_new();
	struct job_filter filter = *wanted;
	enum status status;
	size_t count = 0;

	filter.limit = BATCH;
	*total = 0;
	do {
		struct job *jobs;
		int64_t done = 0;
		arena_clear(arena);
		status = job_list(db, arena, &filter, &jobs, &count, error);
		if (status != STATUS_OK || count == 0)
			break;
		filter.before = jobs[count - 1].id;
		status = verb(db, arena, jobs, count, &done, error);
		*total += done;
	} while (status == STATUS_OK && count == BATCH);
	arena_free(arena);
	return status;
}

enum status job_retry_all(struct db *db, const struct job_filter *filter, int64_t *count,
			  struct error *error)
{
	struct job_filter failed = *filter;

	failed.has_state = true;
	failed.state = JOB_FAILED;
	return for_each_batch(db, &failed, retry_jobs, count, error);
}

static enum status discard_jobs(struct db *db, struct arena *arena, const struct job jobs[],
				size_t count, int64_t *discarded, struct error *error)
{
	int64_t *ids = arena_array(arena, count, sizeof(*ids));

	for (size_t i = 0; i < count; i++)
		ids[i] = jobs[i].id;
	const struct db_value values[] = { DB_P_IDS("jobs", ids, count) };
	struct slots slots = { .db = db, .arena = arena };
	struct db_call list[SLOTS_CALLS + 1];
	struct slots_calls calls = { list, 0 };
	enum status status = find_slots(&slots, jobs, count, error);
	if (status != STATUS_OK)
		return status;
	slots_before(&slots, &calls);
	size_t own = calls.count;
	list[calls.count++] =
		(struct db_call){ .operation = "discard", .values = values, .count = 1 };
	slots_after(&slots, &calls);
	status = db_run(db, arena, list, calls.count, error);
	*discarded = status == STATUS_OK ? (int64_t)list[own].rows.count : 0;
	return status == STATUS_NONE ? STATUS_OK : status;
}

static enum status discard_one(struct db *db, struct arena *arena, int64_t id, struct error *error)
{
	struct job job;
	int64_t discarded = 0;
	enum status status = job_find(db, arena, id, &job, error);

	if (status == STATUS_OK && job.state != JOB_FINISHED)
		status = discard_jobs(db, arena, &job, 1, &discarded, error);
	if (status == STATUS_OK && discarded == 0)
		return error_set(error, STATUS_INVALID, "job %" PRId64 ": %s", id,
				 job.state == JOB_FINISHED ? "already finished"
							   : "in progress, can't be discarded");
	return status;
}

enum status job_discard(struct db *db, int64_t id, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = discard_one(db, arena, id, error);

	arena_free(arena);
	return status;
}

enum status job_discard_all(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error)
{
	if (!filter->has_state || filter->state == JOB_CLAIMED || filter->state == JOB_FINISHED)
		return error_set(error, STATUS_INVALID,
				 "only ready, scheduled, blocked or failed jobs can be discarded");
	return for_each_batch(db, filter, discard_jobs, count, error);
}

enum status job_clear_finished(struct db *db, int64_t finished_before, const char *class_name,
			       int batch, int64_t *count, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status;
	int64_t deleted = 0;

	*count = 0;
	do {
		const struct db_value values[] = { DB_P_TIME("before", finished_before),
						   DB_P_TEXT("class_name", class_name),
						   DB_P_INT("limit", batch) };
		struct db_rows rows = { 0 };
		arena_clear(arena);
		status = db_query(db, arena, "clear_finished", values, 3, &rows, error);
		deleted = (int64_t)rows.changed;
		*count += deleted;
	} while (status == STATUS_OK && deleted >= batch);
	arena_free(arena);
	return status;
}
