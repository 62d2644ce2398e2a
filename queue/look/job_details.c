#include "queue/look/job_details.h"

#include <string.h>

#include "common/text/text.h"
#include "queue/payload/payload.h"
#include "queue/settle/cancellations.h"

#define MOST_ATTEMPTS 20
#define MOST_HOLDERS  10
#define MOST_RUNS     20

static void read_details(struct arena *arena, const struct db_rows *rows,
			 struct job_details *details)
{
	details->last_lost_at = db_time(rows, 0, 0);
	details->blocked_until = db_time(rows, 0, 1);
	details->process = (struct process_row){
		.id = db_int(rows, 0, 2),
		.kind = db_text(rows, 0, 3),
		.name = db_text(rows, 0, 4),
		.pid = (int)db_int(rows, 0, 5),
		.hostname = db_text(rows, 0, 6),
		.metadata = db_text(rows, 0, 7),
		.last_heartbeat_at = db_time(rows, 0, 8),
	};
	details->waits_for = db_text(rows, 0, 9);
	details->interruptions = db_int(rows, 0, 10);
	details->cancelled_at = db_time(rows, 0, 11);
	if (details->cancelled_at > 0)
		details->cancelled = cancel_text(arena, db_text(rows, 0, 12), db_text(rows, 0, 13));
}

static void read_slots(struct arena *arena, const struct db_rows *rows, struct job_details *details)
{
	details->slots = arena_array(arena, rows->count + 1, sizeof(*details->slots));
	details->slot_count = rows->count;
	for (size_t i = 0; i < rows->count; i++)
		details->slots[i] =
			(struct job_details_slot){ db_text(rows, i, 0), db_time(rows, i, 1) };
}

static enum status read_more_keys(struct db *db, struct arena *arena, int64_t id,
				  struct job_details *details, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("id", id) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "job_keys", values, 1, &rows, error);

	if (status != STATUS_OK)
		return status;
	details->more_keys = arena_array(arena, rows.count + 1, sizeof(*details->more_keys));
	details->more_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->more_keys[i] = db_text(&rows, i, 0);
	return STATUS_OK;
}

static enum status read_attempts(struct db *db, struct arena *arena, const struct job *job,
				 struct job_details *details, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("active_job_id", job->active_job_id),
					   DB_P_INT("id", job->id),
					   DB_P_INT("limit", MOST_ATTEMPTS) };
	struct db_rows rows = { 0 };
	enum status status = STATUS_OK;

	if (job->active_job_id)
		status = db_query(db, arena, "job_attempts", values, 3, &rows, error);
	if (status != STATUS_OK)
		return status;
	details->attempts = arena_array(arena, rows.count + 1, sizeof(*details->attempts));
	details->attempt_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->attempts[i] =
			(struct job_details_attempt){ db_int(&rows, i, 0), db_time(&rows, i, 1),
						      db_time(&rows, i, 2) };
	return STATUS_OK;
}

static enum status read_runs(struct db *db, struct arena *arena, int64_t id,
			     struct job_details *details, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("id", id), DB_P_INT("limit", MOST_RUNS) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "job_runs", values, 2, &rows, error);

	details->runs = arena_array(arena, rows.count + 1, sizeof(*details->runs));
	details->run_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->runs[i] = (struct job_details_run){
			.attempt = db_int(&rows, i, 0),
			.began_at = db_time(&rows, i, 1),
			.ended_at = db_time(&rows, i, 2),
			.process = db_text(&rows, i, 3),
			.hostname = db_text(&rows, i, 4),
			.outcome = db_text(&rows, i, 5),
			.error = db_text(&rows, i, 6),
			.cpu_time = db_int(&rows, i, 7),
			.peak_memory = db_int(&rows, i, 8),
			.group = db_text(&rows, i, 9),
		};
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_details_read(struct db *db, struct arena *arena, const struct job *job,
			     struct job_details *details, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("id", job->id) };
	struct db_rows rows = { 0 };
	struct db_rows slots = { 0 };
	enum status status = db_query(db, arena, "job_details", values, 1, &rows, error);

	if (status == STATUS_OK)
		status = db_query(db, arena, "job_slots", values, 1, &slots, error);
	if (status != STATUS_OK)
		return status;
	*details =
		(struct job_details){ .executions =
					      job->payload ? payload_executions(job->payload) : 0 };
	if (rows.count > 0) /* else it was deleted just now */
		read_details(arena, &rows, details);
	read_slots(arena, &slots, details);
	status = read_more_keys(db, arena, job->id, details, error);
	if (status == STATUS_OK)
		status = read_runs(db, arena, job->id, details, error);
	if (status != STATUS_OK)
		return status;
	return read_attempts(db, arena, job, details, error);
}

const char *job_error_group(const struct job *job, const struct job_details *details)
{
	const struct job_details_run *last = details->run_count > 0 ? details->runs : NULL;
	const char *outcome = job->state == JOB_SCHEDULED ? "retried" : "failed";

	if (!last || (job->state != JOB_FAILED && job->state != JOB_SCHEDULED))
		return NULL;
	if (job->state == JOB_FAILED && !text_same(last->error, job->error))
		return NULL; /* others have failed it since */
	return strcmp(last->outcome, outcome) == 0 ? last->group : NULL;
}

static void add_holders(const struct db_rows *rows, struct holders *holders)
{
	for (size_t i = 0; i < rows->count; i++)
		holders->list[holders->count++] = (struct holder){
			.job_id = db_int(rows, i, 0),
			.class_name = db_text(rows, i, 1),
			.since = db_time(rows, i, 2),
			.claimed_at = db_time(rows, i, 3),
			.process = db_text(rows, i, 4),
			.pid = (int)db_int(rows, i, 5),
			.hostname = db_text(rows, i, 6),
		};
}

enum status holders_read(struct db *db, struct arena *arena, const char *key,
			 struct holders *holders, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("key", key), DB_P_INT("limit", MOST_HOLDERS) };
	struct db_rows ours = { 0 };
	struct db_rows others = { 0 };
	enum status status = db_query(db, arena, "key_holders", values, 2, &ours, error);

	if (status == STATUS_OK)
		status = db_query(db, arena, "key_runners", values, 2, &others, error);
	if (status != STATUS_OK)
		return status;
	*holders = (struct holders){ .list = arena_array(arena, ours.count + others.count + 1,
							 sizeof(*holders->list)) };
	add_holders(&ours, holders);
	add_holders(&others, holders);
	return STATUS_OK;
}

enum status jobs_ahead(struct db *db, const struct job *job, const char *waits_for, int64_t most,
		       int64_t *ahead, struct error *error)
{
	bool blocked = job->state == JOB_BLOCKED && waits_for;
	const struct db_value values[] = {
		blocked ? (struct db_value)DB_P_TEXT("key", waits_for)
			: (struct db_value)DB_P_TEXT("queue", job->queue),
		DB_P_INT("priority", job->priority), DB_P_INT("id", job->id), DB_P_INT("most", most)
	};
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = STATUS_OK;

	*ahead = 0;
	if (blocked || job->state == JOB_READY)
		status = db_query(db, arena, blocked ? "ahead_blocked" : "ahead", values, 4, &rows,
				  error);
	if (status == STATUS_OK && rows.count > 0)
		*ahead = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}
