/* Reads recurring tasks and their past occurrences. */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "db/operations.h"
#include "queue/recurring/task.h"

/* Has its last run ended so? */
static bool ended(const struct db_rows *rows, size_t row, size_t column, const char *outcome)
{
	return !db_is_null(rows, row, column) && strcmp(db_text(rows, row, column), outcome) == 0;
}

/* The state by the columns run_state. NULL: the job is gone. */
static const char *job_state(const struct db_rows *rows, size_t row, size_t column)
{
	if (db_is_null(rows, row, column + RUN_STATE_JOB))
		return NULL;
	if (!db_is_null(rows, row, column + RUN_STATE_FINISHED_AT))
		return ended(rows, row, column + RUN_STATE_ENDED, "discarded")   ? "discarded"
		       : ended(rows, row, column + RUN_STATE_ENDED, "cancelled") ? "cancelled"
										 : "finished";
	if (!db_is_null(rows, row, column + RUN_STATE_FAILED))
		return "failed";
	if (!db_is_null(rows, row, column + RUN_STATE_CLAIMED))
		return "running";
	return ended(rows, row, column + RUN_STATE_ENDED, "retried") ? "retrying" : "waiting";
}

DB_ALIKE(recurring_list, recurring_find);

static struct recurring_task read_task(const struct db_rows *rows, size_t row)
{
	return (struct recurring_task){
		.key = db_text(rows, row, RECURRING_LIST_KEY),
		.schedule = db_text(rows, row, RECURRING_LIST_SCHEDULE),
		.command = db_text(rows, row, RECURRING_LIST_COMMAND),
		.class_name = db_text(rows, row, RECURRING_LIST_CLASS_NAME),
		.arguments = db_text(rows, row, RECURRING_LIST_ARGUMENTS),
		.queue = db_text(rows, row, RECURRING_LIST_QUEUE_NAME),
		.description = db_text(rows, row, RECURRING_LIST_DESCRIPTION),
		.has_priority = !db_is_null(rows, row, RECURRING_LIST_PRIORITY),
		.priority = (int)db_int(rows, row, RECURRING_LIST_PRIORITY),
		.settings = db_text(rows, row, RECURRING_LIST_SETTINGS),
		.rails = db_text(rows, row, RECURRING_LIST_RAILS),
		.own = db_is_null(rows, row, RECURRING_LIST_RAILS),
	};
}

static enum status read_row(struct arena *arena, const struct db_rows *rows, size_t at,
			    struct recurring_row *row, struct error *error)
{
	*row = (struct recurring_row){
		.task = read_task(rows, at),
		.is_static = db_int(rows, at, RECURRING_LIST_STATIC) != 0,
		.ours = !db_is_null(rows, at, RECURRING_LIST_SETTINGS),
		.since = db_time(rows, at, RECURRING_LIST_SINCE),
		.updated_at = db_time(rows, at, RECURRING_LIST_UPDATED_AT),
		.paused_at = db_time(rows, at, RECURRING_LIST_PAUSED_AT),
		.resumed_at = db_time(rows, at, RECURRING_LIST_RESUMED_AT),
		.note = { .who = db_text(rows, at, RECURRING_LIST_PAUSED_BY),
			  .host = db_text(rows, at, RECURRING_LIST_PAUSED_HOST),
			  .reason = db_text(rows, at, RECURRING_LIST_PAUSE_REASON) },
		.last = { .run_at = db_time(rows, at, RECURRING_LIST_RUN_AT),
			  .job_id = db_int(rows, at, RECURRING_LIST_JOB_ID),
			  .outcome = db_text(rows, at, RECURRING_LIST_OUTCOME),
			  .state = job_state(rows, at, RECURRING_LIST_RUN_STATE) },
	};
	if (!row->ours)
		return STATUS_OK;
	enum status status =
		recurring_options_read(arena, row->task.settings, &row->task.options, error);
	return status == STATUS_OK ? status : error_prefix(error, "%s", row->task.key);
}

enum status recurring_rows(struct db *db, struct arena *arena, struct recurring_row **list,
			   size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(recurring_list), &rows, error);

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
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(recurring_find, .key = P_TEXT(key)), &rows, error);

	if (status != STATUS_OK)
		return status;
	if (rows.count == 0)
		return unknown(db, arena, key, error);
	return read_row(arena, &rows, 0, row, error);
}

enum status recurring_history(struct db *db, struct arena *arena, const struct recurring_page *page,
			      struct recurring_run **list, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena,
			 DB_CALL(recurring_history, .key = P_TEXT(page->key),
				 .until = P_TIME(page->until > 0 ? page->until : CLOCK_LAST),
				 .limit = P_INT(page->limit)),
			 &rows, error);

	if (status != STATUS_OK)
		return status;
	*list = arena_array(arena, rows.count + 1, sizeof(**list));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*list)[i] = (struct recurring_run){
			.run_at = db_time(&rows, i, RECURRING_HISTORY_RUN_AT),
			.outcome = db_text(&rows, i, RECURRING_HISTORY_OUTCOME),
			.job_id = db_int(&rows, i, RECURRING_HISTORY_JOB_ID),
			.decided_at = db_time(&rows, i, RECURRING_HISTORY_DECIDED_AT),
			.first_at = db_is_null(&rows, i, RECURRING_HISTORY_FIRST_AT)
					    ? db_time(&rows, i, RECURRING_HISTORY_RUN_AT)
					    : db_time(&rows, i, RECURRING_HISTORY_FIRST_AT),
			.occurrences = db_is_null(&rows, i, RECURRING_HISTORY_OCCURRENCES)
					       ? 1
					       : db_int(&rows, i, RECURRING_HISTORY_OCCURRENCES),
			.state = job_state(&rows, i, RECURRING_HISTORY_RUN_STATE),
		};
	return STATUS_OK;
}

static void take_dynamic(const struct db_rows *rows, struct recurring_row list[])
{
	for (size_t i = 0; i < rows->count; i++)
		list[i] = (struct recurring_row){
			.task = { .key = db_text(rows, i, RECURRING_DYNAMIC_KEY),
				  .schedule = db_text(rows, i, RECURRING_DYNAMIC_SCHEDULE),
				  .class_name = db_text(rows, i, RECURRING_DYNAMIC_CLASS_NAME),
				  .arguments = db_text(rows, i, RECURRING_DYNAMIC_ARGUMENTS),
				  .queue = db_text(rows, i, RECURRING_DYNAMIC_QUEUE_NAME),
				  .has_priority = !db_is_null(rows, i, RECURRING_DYNAMIC_PRIORITY),
				  .priority = (int)db_int(rows, i, RECURRING_DYNAMIC_PRIORITY),
				  .settings = db_text(rows, i, RECURRING_DYNAMIC_SETTINGS),
				  .rails = db_text(rows, i, RECURRING_DYNAMIC_RAILS),
				  .own = db_is_null(rows, i, RECURRING_DYNAMIC_RAILS) },
			.since = db_time(rows, i, RECURRING_DYNAMIC_SINCE),
		};
}

enum status recurring_changes(struct db *db, struct arena *arena, bool dynamic,
			      struct recurring_changes *changes, struct error *error)
{
	struct db_call calls[] = { DB_PLAIN(recurring_paused), DB_PLAIN(recurring_dynamic) };
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
			.key = db_text(paused, i, RECURRING_PAUSED_KEY),
			.paused_at = db_time(paused, i, RECURRING_PAUSED_PAUSED_AT),
			.resumed_at = db_time(paused, i, RECURRING_PAUSED_RESUMED_AT),
		};
	return STATUS_OK;
}
