#include "queue/look/job_details.h"

#include <string.h>

#include "common/text/text.h"
#include "db/operations.h"
#include "queue/payload/payload.h"
#include "queue/settle/cancellations.h"

#define MOST_ATTEMPTS 20
#define MOST_HOLDERS  10
#define MOST_RUNS     1000 /* of keep_attempts */

static void read_details(struct arena *arena, const struct db_rows *rows,
			 struct job_details *details)
{
	details->last_lost_at = db_time(rows, 0, JOB_DETAILS_LAST_LOST_AT);
	details->blocked_until = db_time(rows, 0, JOB_DETAILS_BLOCKED_UNTIL);
	details->process = (struct process_row){
		.id = db_int(rows, 0, JOB_DETAILS_PROCESS_ID),
		.kind = db_text(rows, 0, JOB_DETAILS_KIND),
		.name = db_text(rows, 0, JOB_DETAILS_NAME),
		.pid = (int)db_int(rows, 0, JOB_DETAILS_PID),
		.hostname = db_text(rows, 0, JOB_DETAILS_HOSTNAME),
		.metadata = db_text(rows, 0, JOB_DETAILS_METADATA),
		.last_heartbeat_at = db_time(rows, 0, JOB_DETAILS_LAST_HEARTBEAT_AT),
	};
	details->retried = db_int(rows, 0, JOB_DETAILS_RUNS_BEFORE) > 0;
	details->waits_for = db_text(rows, 0, JOB_DETAILS_WAITS_FOR);
	details->interruptions = db_int(rows, 0, JOB_DETAILS_INTERRUPTIONS);
	details->cancelled_at = db_time(rows, 0, JOB_DETAILS_CANCELLED_AT);
	if (details->cancelled_at > 0)
		details->cancelled = cancel_text(arena, db_text(rows, 0, JOB_DETAILS_CANCELLED_BY),
						 db_text(rows, 0, JOB_DETAILS_CANCEL_REASON));
}

static void read_slots(struct arena *arena, const struct db_rows *rows, struct job_details *details)
{
	details->slots = arena_array(arena, rows->count + 1, sizeof(*details->slots));
	details->slot_count = rows->count;
	for (size_t i = 0; i < rows->count; i++)
		details->slots[i] =
			(struct job_details_slot){ db_text(rows, i, JOB_SLOTS_CONCURRENCY_KEY),
						   db_time(rows, i, JOB_SLOTS_CREATED_AT) };
}

static enum status read_more_keys(struct db *db, struct arena *arena, int64_t id,
				  struct job_details *details, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_CALL(job_keys, .id = P_INT(id)), &rows, error);

	if (status != STATUS_OK)
		return status;
	details->more_keys = arena_array(arena, rows.count + 1, sizeof(*details->more_keys));
	details->more_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->more_keys[i] = db_text(&rows, i, JOB_KEYS_CONCURRENCY_KEY);
	return STATUS_OK;
}

static enum status read_attempts(struct db *db, struct arena *arena, const struct job *job,
				 struct job_details *details, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = STATUS_OK;

	if (job->active_job_id)
		status = db_query(db, arena,
				  DB_CALL(job_attempts, .active_job_id = P_TEXT(job->active_job_id),
					  .id = P_INT(job->id), .limit = P_INT(MOST_ATTEMPTS)),
				  &rows, error);
	if (status != STATUS_OK)
		return status;
	details->attempts = arena_array(arena, rows.count + 1, sizeof(*details->attempts));
	details->attempt_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->attempts[i] =
			(struct job_details_attempt){ db_int(&rows, i, JOB_ATTEMPTS_ID),
						      db_time(&rows, i, JOB_ATTEMPTS_CREATED_AT),
						      db_time(&rows, i, JOB_ATTEMPTS_FINISHED_AT) };
	return STATUS_OK;
}

static enum status read_runs(struct db *db, struct arena *arena, int64_t id,
			     struct job_details *details, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(job_runs, .id = P_INT(id), .limit = P_INT(MOST_RUNS)),
			 &rows, error);

	details->runs = arena_array(arena, rows.count + 1, sizeof(*details->runs));
	details->run_count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		details->runs[i] = (struct job_details_run){
			.attempt = db_int(&rows, i, JOB_RUNS_ATTEMPT),
			.began_at = db_time(&rows, i, JOB_RUNS_BEGAN_AT),
			.ended_at = db_time(&rows, i, JOB_RUNS_ENDED_AT),
			.process = db_text(&rows, i, JOB_RUNS_PROCESS_NAME),
			.hostname = db_text(&rows, i, JOB_RUNS_HOSTNAME),
			.outcome = db_text(&rows, i, JOB_RUNS_OUTCOME),
			.error = db_text(&rows, i, JOB_RUNS_ERROR),
			.cpu_time = db_int(&rows, i, JOB_RUNS_CPU_US),
			.peak_memory = db_int(&rows, i, JOB_RUNS_PEAK_MEMORY),
			.group = db_text(&rows, i, JOB_RUNS_ERROR_GROUP),
		};
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_has_run(struct db *db, int64_t id, bool *has, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(job_runs, .id = P_INT(id), .limit = P_INT(1)), &rows, error);

	*has = status == STATUS_OK && rows.count > 0 && db_int(&rows, 0, JOB_RUNS_ATTEMPT) > 0;
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_details_read(struct db *db, struct arena *arena, const struct job *job,
			     struct job_details *details, struct error *error)
{
	struct db_rows rows = { 0 };
	struct db_rows slots = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(job_details, .id = P_INT(job->id)), &rows, error);

	if (status == STATUS_OK)
		status = db_query(db, arena, DB_CALL(job_slots, .id = P_INT(job->id)), &slots,
				  error);
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

DB_ALIKE(key_holders, key_runners);

static void add_holders(const struct db_rows *rows, struct holders *holders)
{
	for (size_t i = 0; i < rows->count; i++)
		holders->list[holders->count++] = (struct holder){
			.job_id = db_int(rows, i, KEY_HOLDERS_JOB_ID),
			.class_name = db_text(rows, i, KEY_HOLDERS_CLASS_NAME),
			.since = db_time(rows, i, KEY_HOLDERS_SINCE),
			.claimed_at = db_time(rows, i, KEY_HOLDERS_CLAIMED_AT),
			.process = db_text(rows, i, KEY_HOLDERS_NAME),
			.pid = (int)db_int(rows, i, KEY_HOLDERS_PID),
			.hostname = db_text(rows, i, KEY_HOLDERS_HOSTNAME),
		};
}

enum status holders_read(struct db *db, struct arena *arena, const char *key,
			 struct holders *holders, struct error *error)
{
	struct db_rows ours = { 0 };
	struct db_rows others = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(key_holders, .key = P_TEXT(key), .limit = P_INT(MOST_HOLDERS)),
		&ours, error);

	if (status == STATUS_OK)
		status = db_query(
			db, arena,
			DB_CALL(key_runners, .key = P_TEXT(key), .limit = P_INT(MOST_HOLDERS)),
			&others, error);
	if (status != STATUS_OK)
		return status;
	*holders = (struct holders){ .list = arena_array(arena, ours.count + others.count + 1,
							 sizeof(*holders->list)) };
	add_holders(&ours, holders);
	add_holders(&others, holders);
	return STATUS_OK;
}

DB_ALIKE(ahead, ahead_blocked);

enum status jobs_ahead(struct db *db, const struct job *job, const char *waits_for, int64_t most,
		       int64_t *ahead, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = STATUS_OK;

	*ahead = 0;
	if (job->state == JOB_BLOCKED && waits_for)
		status = db_query(db, arena,
				  DB_CALL(ahead_blocked, .key = P_TEXT(waits_for),
					  .priority = P_INT(job->priority), .id = P_INT(job->id),
					  .most = P_INT(most)),
				  &rows, error);
	else if (job->state == JOB_READY)
		status = db_query(db, arena,
				  DB_CALL(ahead, .queue = P_TEXT(job->queue),
					  .priority = P_INT(job->priority), .id = P_INT(job->id),
					  .most = P_INT(most)),
				  &rows, error);
	if (status == STATUS_OK && rows.count > 0)
		*ahead = db_int(&rows, 0, AHEAD_JOBS);
	arena_free(arena);
	return status;
}
