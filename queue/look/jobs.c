#include "queue/look/look.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/text.h"
#include "db/operations.h"
#include "queue/look/job.h"

static const char *const names[] = {
	[JOB_READY] = "ready",     [JOB_SCHEDULED] = "scheduled", [JOB_CLAIMED] = "claimed",
	[JOB_BLOCKED] = "blocked", [JOB_FAILED] = "failed",       [JOB_FINISHED] = "finished",
};

const char *job_state_name(enum job_state state)
{
	return state < JOB_STATES ? names[state] : "unknown";
}

enum status job_state_parse(const char *name, enum job_state *state)
{
	for (unsigned i = 0; i < JOB_STATES; i++) {
		if (strcmp(names[i], name) == 0) {
			*state = (enum job_state)i;
			return STATUS_OK;
		}
	}
	return STATUS_INVALID;
}

#define DEFAULT_LIMIT 50

#define LIST(op)                                                                                   \
	{                                                                                          \
		DB_LIKE(op, jobs), DB_LIKE(op##_oldest, jobs)                                      \
	}

/* By the state (JOB_STATES: any) and whether the oldest come first; failed jobs are asked by a call
 * of their own. */
static const char *const list_operations[JOB_STATES + 1][2] = {
	[JOB_READY] = LIST(jobs_ready),
	[JOB_SCHEDULED] = LIST(jobs_scheduled),
	[JOB_CLAIMED] = LIST(jobs_claimed),
	[JOB_BLOCKED] = LIST(jobs_blocked),
	[JOB_FAILED] = { "jobs_failed", DB_LIKE(jobs_failed_oldest, jobs_failed) },
	[JOB_FINISHED] = LIST(jobs_finished),
	[JOB_STATES] = LIST(jobs),
};

_Static_assert((int)JOBS_OUTCOME == (int)JOB_OUTCOME &&
		       (int)JOBS_NAMED_OUTCOME == (int)JOB_OUTCOME &&
		       (int)JOBS_NAMED_LOSSES == (int)JOB_LOSSES,
	       "read_job reads them all");

static void read_job(struct job *job, const struct db_rows *rows, size_t row)
{
	const char *state = db_text(rows, row, JOB_ROW_STATE);

	*job = (struct job){
		.id = db_int(rows, row, JOB_ROW_ID),
		.queue = db_text(rows, row, JOB_ROW_QUEUE),
		.class_name = db_text(rows, row, JOB_ROW_CLASS_NAME),
		.payload = db_text(rows, row, JOB_ROW_PAYLOAD),
		.priority = (int)db_int(rows, row, JOB_ROW_PRIORITY),
		.active_job_id = db_text(rows, row, JOB_ROW_ACTIVE_JOB_ID),
		.concurrency_key = db_text(rows, row, JOB_ROW_CONCURRENCY_KEY),
		.scheduled_at = db_time(rows, row, JOB_ROW_SCHEDULED_AT),
		.created_at = db_time(rows, row, JOB_ROW_CREATED_AT),
		.finished_at = db_time(rows, row, JOB_ROW_FINISHED_AT),
		.state = JOB_STATES,
		.error = db_text(rows, row, JOB_ROW_ERROR),
		.since = db_time(rows, row, JOB_ROW_SINCE),
		.process_id = db_int(rows, row, JOB_ROW_PROCESS_ID),
		.outcome = rows->columns > JOB_OUTCOME ? db_text(rows, row, JOB_OUTCOME) : NULL,
		.losses = rows->columns > JOB_LOSSES ? db_int(rows, row, JOB_LOSSES) : 0,
		.max_losses = rows->columns > JOB_MAX_LOSSES ? job_bound(rows, row, JOB_MAX_LOSSES)
							     : JOB_NO_BOUND,
	};
	if (state && job_state_parse(state, &job->state) != STATUS_OK)
		job->state = JOB_STATES;
}

static size_t read_jobs(struct arena *arena, const struct db_rows *rows, struct job **jobs)
{
	*jobs = arena_array(arena, rows->count + 1, sizeof(**jobs));
	for (size_t i = 0; i < rows->count; i++)
		read_job(&(*jobs)[i], rows, i);
	return rows->count;
}

/* The text as a pattern for LIKE with the escape character "!"; "" if there is no text. */
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
	return text_take(&like, arena);
}

/* No bound is not the same as the first or last time: the value in a row may be no time at all. */
static struct db_value bound(int64_t instant)
{
	return instant > 0 ? P_TIME(instant) : P_NULL;
}

/* A call of a list, or of the end of one. */
static enum status ask(struct db *db, struct arena *arena, const char *operation,
		       const struct job_filter *filter, struct db_rows *rows, struct error *error)
{
	const struct db_value text = P_TEXT(pattern(arena, filter->text));
	const int64_t before = filter->before > 0 ? filter->before : INT64_MAX;
	const int64_t limit = filter->limit > 0 ? filter->limit : DEFAULT_LIMIT;
	struct db_call call = DB_CALL(
		jobs, .queue = P_TEXT(filter->queue), .class_name = P_TEXT(filter->class_name),
		.key = P_TEXT(filter->key), .text = text, .since = bound(filter->since),
		.until = bound(filter->until), .after = P_INT(filter->after),
		.before = P_INT(before), .limit = P_INT(limit));

	if (filter->has_state && filter->state == JOB_FAILED) /* only these have groups */
		call = db_call_keep(
			arena, DB_CALL(jobs_failed, .queue = P_TEXT(filter->queue),
				       .class_name = P_TEXT(filter->class_name),
				       .key = P_TEXT(filter->key), .text = text,
				       .error_group = P_TEXT(
					       filter->error_group ? filter->error_group : ""),
				       .since = bound(filter->since), .until = bound(filter->until),
				       .after = P_INT(filter->after), .before = P_INT(before),
				       .limit = P_INT(limit)));
	call.operation = operation;
	return db_query(db, arena, call, rows, error);
}

enum status job_list(struct db *db, struct arena *arena, const struct job_filter *filter,
		     struct job **jobs, size_t *count, struct error *error)
{
	enum job_state state = filter->has_state ? filter->state : JOB_STATES;
	const char *operation = filter->unfinished ? DB_LIKE(jobs_unfinished, jobs)
						   : list_operations[state][filter->oldest];
	struct db_rows rows = { 0 };
	enum status status = ask(db, arena, operation, filter, &rows, error);

	if (status == STATUS_OK)
		*count = read_jobs(arena, &rows, jobs);
	return status;
}

DB_ALIKE(jobs_ready_end, jobs_scheduled_end);
DB_ALIKE(jobs_ready_end, jobs_claimed_end);
DB_ALIKE(jobs_ready_end, jobs_blocked_end);

enum status job_list_end(struct db *db, const struct job_filter *filter, int64_t *end,
			 struct error *error)
{
	static const char *const operations[JOB_STATES] = {
		[JOB_READY] = DB_LIKE(jobs_ready_end, jobs),
		[JOB_SCHEDULED] = DB_LIKE(jobs_scheduled_end, jobs),
		[JOB_CLAIMED] = DB_LIKE(jobs_claimed_end, jobs),
		[JOB_BLOCKED] = DB_LIKE(jobs_blocked_end, jobs),
	};
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = ask(db, arena, operations[filter->state], filter, &rows, error);

	if (status == STATUS_OK)
		*end = db_int(&rows, 0, JOBS_READY_END_JOBS) < filter->limit
			       ? 0
			       : db_int(&rows, 0, JOBS_READY_END_ID);
	arena_free(arena);
	return status;
}

enum status job_list_named(struct db *db, struct arena *arena, const struct job_ids *ids,
			   struct job **jobs, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(jobs_named, .jobs = P_IDS(ids->list, ids->count)), &rows, error);

	if (status == STATUS_OK)
		*count = read_jobs(arena, &rows, jobs);
	return status;
}

enum status job_find(struct db *db, struct arena *arena, int64_t id, struct job *job,
		     struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_CALL(job, .id = P_INT(id)), &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		return error_set(error, STATUS_NONE, "job %" PRId64 ": no such job", id);
	if (status == STATUS_OK)
		read_job(job, &rows, 0);
	return status;
}

enum status job_find_active(struct db *db, const char *active_job_id, int64_t *id,
			    struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(job_by_active_job_id, .active_job_id = P_TEXT(active_job_id)),
		&rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = error_set(error, STATUS_NONE, "job %s: no such job", active_job_id);
	else if (status == STATUS_OK)
		*id = db_int(&rows, 0, JOB_BY_ACTIVE_JOB_ID_JOB_ID);
	arena_free(arena);
	return status;
}
