#include "queue/pauses/pattern.h"

#include <string.h>

#include "db/operations.h"
#include "queue/pauses/pause_calls.h"

static bool is_pattern(const struct pause_row *row)
{
	return strcmp(row->kind, pause_kind_name(PAUSE_PATTERN)) == 0;
}

static bool is_queue(const struct pause_row *row)
{
	return strcmp(row->kind, pause_kind_name(PAUSE_QUEUE)) == 0;
}

/* A pattern matches every name that begins like it, so also a narrower pattern. */
static bool matches(const char *pattern, const char *name)
{
	return strncmp(pattern, name, strlen(pattern) - 1) == 0;
}

const struct pause_row *pattern_pausing(const struct pause_row rows[], size_t count,
					const char *queue)
{
	const struct pause_row *found = NULL;

	for (size_t i = 0; i < count; i++) {
		if (is_queue(&rows[i]) && strcmp(rows[i].name, queue) == 0)
			return NULL;
		if (is_pattern(&rows[i]) && matches(rows[i].name, queue) &&
		    (!found || strlen(rows[i].name) > strlen(found->name)))
			found = &rows[i];
	}
	return found;
}

static bool any(const struct pause_row rows[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (is_pattern(&rows[i]))
			return true;
	return false;
}

bool pattern_matches_any(const struct pause_row rows[], size_t count, const char *queue)
{
	for (size_t i = 0; i < count; i++)
		if (is_pattern(&rows[i]) && matches(rows[i].name, queue))
			return true;
	return false;
}

enum status pattern_pause(struct db *db, const char *pattern, const struct pause_note *note,
			  bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct pause_row *rows = NULL;
	size_t count = 0;
	size_t used = 0;
	enum status status = pause_list(db, arena, &rows, &count, error);
	struct db_call *calls = arena_array(arena, count + 1, sizeof(*calls));

	for (size_t i = 0; i < count; i++)
		if (rows[i].stale && matches(pattern, rows[i].name))
			calls[used++] = pause_forget_call(arena, &rows[i]);
	calls[used] = pause_other_call(db, arena, PAUSE_PATTERN, pattern, note);
	if (status == STATUS_OK)
		status = db_run(db, arena, calls, used + 1, error);
	if (status == STATUS_OK)
		*changed = db_int(&calls[used].rows, 0, PAUSE_NAME_CHANGED) != 0;
	arena_free(arena);
	return status;
}

enum status pattern_resume(struct db *db, const char *pattern, const struct pause_note *note,
			   bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct pause_row *rows = NULL;
	size_t count = 0;
	enum status status = pause_list(db, arena, &rows, &count, error);

	*changed = false;
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		bool ended = false;
		if (is_pattern(&rows[i]) && matches(pattern, rows[i].name))
			status = resume_other(db, PAUSE_PATTERN, rows[i].name, note, &ended, error);
		*changed = *changed || ended;
	}
	arena_free(arena);
	return status;
}

struct db_call pattern_spread_call(struct db *db, struct arena *arena,
				   const struct pause_row *pattern, const char *queue)
{
	return db_call_keep(arena,
			    DB_CALL(pause_under, .queue = P_TEXT(queue),
				    .pattern = P_TEXT(pattern->name),
				    .since = P_TIME(pattern->since), .now = P_TIME(db_now(db))));
}

enum status pattern_spread(struct db *db, struct arena *arena, const struct pause_row rows[],
			   size_t count, struct error *error)
{
	struct db_rows queues = { 0 };
	enum status status = STATUS_OK;

	if (any(rows, count))
		status = db_query(db, arena, DB_PLAIN(queues_unpaused), &queues, error);
	for (size_t i = 0; i < queues.count && status == STATUS_OK; i++) {
		const char *queue = db_text(&queues, i, QUEUES_UNPAUSED_NAME);
		const struct pause_row *pattern = pattern_pausing(rows, count, queue);
		if (!pattern)
			continue;
		struct db_call call = pattern_spread_call(db, arena, pattern, queue);
		status = db_run(db, arena, &call, 1, error);
		if (status == STATUS_NONE)
			status = STATUS_OK;
	}
	return status;
}
