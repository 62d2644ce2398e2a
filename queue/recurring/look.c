/* Reads recurring tasks and their past occurrences. */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "queue/recurring/task.h"

/* The columns of recurring_list and recurring_find, in their order. */
enum column {
	KEY,
	STATIC,
	SCHEDULE,
	COMMAND,
	CLASS_NAME,
	ARGUMENTS,
	QUEUE_NAME,
	PRIORITY,
	DESCRIPTION,
	UPDATED_AT,
	SETTINGS,
	SINCE,
	PAUSED_AT,
	PAUSED_BY,
	PAUSED_HOST,
	PAUSE_REASON,
	RUN_AT,
	OUTCOME,
	JOB_ID,
	JOB,
	FINISHED_AT,
	FAILED,
	CLAIMED,
	ENDED,
	RAILS,
};

/* Has its last run ended so? */
static bool ended(const struct db_rows *rows, size_t row, size_t column, const char *outcome)
{
	return !db_is_null(rows, row, column) && strcmp(db_text(rows, row, column), outcome) == 0;
}

/* The state by five columns: job, finished_at, failed, claimed, ended. NULL: the job is gone. */
static const char *job_state(const struct db_rows *rows, size_t row, size_t column)
{
	if (db_is_null(rows, row, column))
		return NULL;
	if (!db_is_null(rows, row, column + 1))
		return ended(rows, row, column + 4, "discarded")   ? "discarded"
		       : ended(rows, row, column + 4, "cancelled") ? "cancelled"
								   : "finished";
	if (!db_is_null(rows, row, column + 2))
		return "failed";
	if (!db_is_null(rows, row, column + 3))
		return "running";
	return ended(rows, row, column + 4, "retried") ? "retrying" : "waiting";
}

static struct recurring_task read_task(const struct db_rows *rows, size_t row)
{
	return (struct recurring_task){
		.key = db_text(rows, row, KEY),
		.schedule = db_text(rows, row, SCHEDULE),
		.command = db_text(rows, row, COMMAND),
		.class_name = db_text(rows, row, CLASS_NAME),
		.arguments = db_text(rows, row, ARGUMENTS),
		.queue = db_text(rows, row, QUEUE_NAME),
		.description = db_text(rows, row, DESCRIPTION),
		.has_priority = !db_is_null(rows, row, PRIORITY),
		.priority = (int)db_int(rows, row, PRIORITY),
		.settings = db_text(rows, row, SETTINGS),
		.rails = db_text(rows, row, RAILS),
		.own = db_is_null(rows, row, RAILS),
	};
}

static enum status read_row(struct arena *arena, const struct db_rows *rows, size_t at,
			    struct recurring_row *row, struct error *error)
{
	*row = (struct recurring_row){
		.task = read_task(rows, at),
		.is_static = db_int(rows, at, STATIC) != 0,
		.ours = !db_is_null(rows, at, SETTINGS),
		.since = db_time(rows, at, SINCE),
		.updated_at = db_time(rows, at, UPDATED_AT),
		.paused_at = db_time(rows, at, PAUSED_AT),
		.note = { .who = db_text(rows, at, PAUSED_BY),
			  .host = db_text(rows, at, PAUSED_HOST),
			  .reason = db_text(rows, at, PAUSE_REASON) },
		.last = { .run_at = db_time(rows, at, RUN_AT),
			  .job_id = db_int(rows, at, JOB_ID),
			  .outcome = db_text(rows, at, OUTCOME),
			  .state = job_state(rows, at, JOB) },
	};
	if (!row->ours)
		return STATUS_OK;
	enum status status =
		recurring_options_read(arena, row->task.settings, &row->options, error);
	return status == STATUS_OK ? status : error_prefix(error, "%s", row->task.key);
}

enum status recurring_rows(struct db *db, struct arena *arena, struct recurring_row **list,
			   size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "recurring_list", NULL, 0, &rows, error);

	if (status != STATUS_OK)
		return status;
	*list = arena_array(arena, rows.count + 1, sizeof(**list));
	*count = rows.count;
	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++)
		status = read_row(arena, &rows, i, &(*list)[i], error);
	return status;
}

/* An error that names the most similar key there is. */
static enum status unknown(struct db *db, struct arena *arena, const char *key, struct error *error)
{
	struct recurring_row *list = NULL;
	size_t count = 0;
	enum status status = recurring_rows(db, arena, &list, &count, error);

	if (status != STATUS_OK)
		return status;
	const char **keys = arena_array(arena, count + 1, sizeof(*keys));
	for (size_t i = 0; i < count; i++)
		keys[i] = list[i].task.key;
	const char *nearest = nearest_word(key, keys, count);
	return error_set(error, STATUS_NONE, "no task is called %.255s%s%s%s", key,
			 nearest ? ": did you mean " : "", nearest ? nearest : "",
			 nearest ? "?" : "");
}

enum status recurring_find(struct db *db, struct arena *arena, const char *key,
			   struct recurring_row *row, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("key", key) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "recurring_find", values, 1, &rows, error);

	if (status != STATUS_OK)
		return status;
	if (rows.count == 0)
		return unknown(db, arena, key, error);
	return read_row(arena, &rows, 0, row, error);
}

enum status recurring_history(struct db *db, struct arena *arena, const struct recurring_page *page,
			      struct recurring_run **list, size_t *count, struct error *error)
{
	const struct db_value values[] = {
		DB_P_TEXT("key", page->key),
		DB_P_TIME("until", page->until > 0 ? page->until : CLOCK_LAST),
		DB_P_INT("limit", page->limit),
	};
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "recurring_history", values, 3, &rows, error);

	if (status != STATUS_OK)
		return status;
	*list = arena_array(arena, rows.count + 1, sizeof(**list));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*list)[i] = (struct recurring_run){
			.run_at = db_time(&rows, i, 0),
			.outcome = db_text(&rows, i, 1),
			.job_id = db_int(&rows, i, 2),
			.decided_at = db_time(&rows, i, 3),
			.first_at = db_is_null(&rows, i, 4) ? db_time(&rows, i, 0)
							    : db_time(&rows, i, 4),
			.occurrences = db_is_null(&rows, i, 5) ? 1 : db_int(&rows, i, 5),
			.state = job_state(&rows, i, 6),
		};
	return STATUS_OK;
}

static void take_dynamic(const struct db_rows *rows, struct recurring_dynamic list[])
{
	for (size_t i = 0; i < rows->count; i++)
		list[i] = (struct recurring_dynamic){
			.task = { .key = db_text(rows, i, 0),
				  .schedule = db_text(rows, i, 1),
				  .class_name = db_text(rows, i, 2),
				  .arguments = db_text(rows, i, 3),
				  .queue = db_text(rows, i, 4),
				  .has_priority = !db_is_null(rows, i, 5),
				  .priority = (int)db_int(rows, i, 5),
				  .settings = db_text(rows, i, 6),
				  .rails = db_text(rows, i, 8),
				  .own = db_is_null(rows, i, 8) },
			.since = db_time(rows, i, 7),
		};
}

enum status recurring_changes(struct db *db, struct arena *arena, bool dynamic,
			      struct recurring_changes *changes, struct error *error)
{
	struct db_call calls[] = { { .operation = "recurring_paused" },
				   { .operation = "recurring_dynamic" } };
	enum status status = db_run(db, arena, calls, dynamic ? 2 : 1, error);

	if (status != STATUS_OK)
		return status;
	const struct db_rows *paused = &calls[0].rows;
	changes->dynamic_count = dynamic ? calls[1].rows.count : 0;
	changes->dynamic =
		arena_array(arena, changes->dynamic_count + 1, sizeof(*changes->dynamic));
	if (dynamic)
		take_dynamic(&calls[1].rows, changes->dynamic);
	changes->paused_count = paused->count;
	changes->paused = arena_array(arena, paused->count + 1, sizeof(*changes->paused));
	for (size_t i = 0; i < paused->count; i++)
		changes->paused[i] = (struct recurring_paused){
			.key = db_text(paused, i, 0),
			.paused_at = db_time(paused, i, 1),
			.resumed_at = db_time(paused, i, 2),
		};
	return STATUS_OK;
}
