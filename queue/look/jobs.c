#include <inttypes.h>
#include <string.h>

#include "common/text/text.h"
#include "queue/look/look.h"

#define DEFAULT_LIMIT 50

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
		.outcome = rows->columns > 14 ? db_text(rows, row, 14) : NULL,
		.losses = rows->columns > 15 ? db_int(rows, row, 15) : 0,
		.max_losses = rows->columns > 16 ? job_bound(rows, row, 16) : JOB_NO_BOUND,
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
static struct db_value time_bound(const char *name, int64_t instant)
{
	if (instant > 0)
		return (struct db_value)DB_P_TIME(name, instant);
	return (struct db_value)DB_P_NULL(name);
}

static enum status ask(struct db *db, struct arena *arena, const char *operation,
		       const struct job_filter *filter, struct db_rows *rows, struct error *error)
{
	const struct db_value values[] = {
		DB_P_TEXT("queue", filter->queue),
		DB_P_TEXT("class_name", filter->class_name),
		DB_P_TEXT("key", filter->key),
		DB_P_TEXT("text", pattern(arena, filter->text)),
		time_bound("since", filter->since),
		time_bound("until", filter->until),
		DB_P_INT("after", filter->after),
		DB_P_INT("before", filter->before > 0 ? filter->before : INT64_MAX),
		DB_P_INT("limit", filter->limit > 0 ? filter->limit : DEFAULT_LIMIT),
		DB_P_TEXT("error_group", filter->error_group
						 ? filter->error_group
						 : ""), /* the last: only failed jobs have one */
	};
	size_t count = sizeof(values) / sizeof(values[0]);

	if (!filter->has_state || filter->state != JOB_FAILED)
		count--;
	return db_query(db, arena, operation, values, count, rows, error);
}

enum status job_list(struct db *db, struct arena *arena, const struct job_filter *filter,
		     struct job **jobs, size_t *count, struct error *error)
{
	enum job_state state = filter->has_state ? filter->state : JOB_STATES;
	const char *operation =
		filter->unfinished ? "jobs_unfinished" : list_operations[state][filter->oldest];
	struct db_rows rows = { 0 };
	enum status status = ask(db, arena, operation, filter, &rows, error);

	if (status == STATUS_OK)
		*count = read_jobs(arena, &rows, jobs);
	return status;
}

enum status job_list_end(struct db *db, const struct job_filter *filter, int64_t *end,
			 struct error *error)
{
	static const char *const operations[JOB_STATES] = {
		[JOB_READY] = "jobs_ready_end",
		[JOB_SCHEDULED] = "jobs_scheduled_end",
		[JOB_CLAIMED] = "jobs_claimed_end",
		[JOB_BLOCKED] = "jobs_blocked_end",
	};
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = ask(db, arena, operations[filter->state], filter, &rows, error);

	if (status == STATUS_OK)
		*end = db_int(&rows, 0, 1) < filter->limit ? 0 : db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status job_list_named(struct db *db, struct arena *arena, const struct job_ids *ids,
			   struct job **jobs, size_t *count, struct error *error)
{
	const struct db_value values[] = { DB_P_IDS("jobs", ids->list, ids->count) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "jobs_named", values, 1, &rows, error);

	if (status == STATUS_OK)
		*count = read_jobs(arena, &rows, jobs);
	return status;
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
