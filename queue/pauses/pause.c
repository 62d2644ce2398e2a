#include "queue/pauses/pause.h"

#include <string.h>

#include "db/operations.h"
#include "queue/manage/manage.h"
#include "queue/pauses/pattern.h"
#include "queue/pauses/pause_calls.h"
#include "queue/refused/refused.h"

static const char *target(struct arena *arena, const char *queue)
{
	return arena_printf(arena, "queue %s", queue);
}

/* Each pause begins at an instant of its own, which distinguishes it from every other pause. */
static struct db_call pause_call(struct db *db, struct arena *arena, const char *name,
				 const struct pause_note *note)
{
	return db_call_keep(arena, DB_CALL(pause, .queue = P_TEXT(name),
					   .target = P_TEXT(target(arena, name)),
					   .reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
					   .host = P_TEXT(note->host),
					   .ends_at = pause_optional_time(note->ends_at),
					   .now = P_TIME(db_now(db))));
}

enum status pause_queues(struct db *db, const char *const names[], size_t count,
			 const struct pause_note *note, bool changed[], struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call *calls = arena_array(arena, count + 1, sizeof(*calls));
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		calls[i] = pause_call(db, arena, names[i], note);
	if (count > 0)
		status = db_run(db, arena, calls, count, error);
	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		changed[i] = db_int(&calls[i].rows, 0, PAUSE_CHANGED) != 0;
	arena_free(arena);
	return status;
}

static struct db_call resume_call(struct db *db, struct arena *arena, const char *name, bool under,
				  const struct pause_note *note)
{
	return db_call_keep(arena, DB_CALL(resume, .queue = P_TEXT(name), .under = P_INT(under),
					   .target = P_TEXT(target(arena, name)),
					   .reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
					   .host = P_TEXT(note->host), .now = P_TIME(db_now(db))));
}

/*
 * A queue that only a pattern pauses is first paused by name, so that there is something to resume.
 */
enum status resume_queues(struct db *db, const char *const names[], size_t count,
			  const struct pause_note *note, bool changed[], struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call *calls = arena_array(arena, 2 * count + 1, sizeof(*calls));
	size_t *at = arena_array(arena, count + 1, sizeof(*at));
	struct pause_row *rows = NULL;
	size_t all = 0;
	size_t used = 0;
	enum status status = pause_list(db, arena, &rows, &all, error);

	for (size_t i = 0; i < count; i++) {
		const struct pause_row *pattern = pattern_pausing(rows, all, names[i]);
		const bool under = pattern_matches_any(rows, all, names[i]);
		if (pattern)
			calls[used++] = pattern_spread_call(db, arena, pattern, names[i]);
		at[i] = used;
		calls[used++] = resume_call(db, arena, names[i], under, note);
	}
	if (status == STATUS_OK && used > 0)
		status = db_run(db, arena, calls, used, error);
	for (size_t i = 0; i < count; i++)
		changed[i] = status == STATUS_OK && !calls[at[i]].none;
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

void pause_note_init(struct pause_note *note, char who[USERNAME_SIZE], char host[HOSTNAME_SIZE])
{
	process_user(who);
	process_hostname(host);
	*note = (struct pause_note){ .who = who, .host = host };
}

enum status queue_pause(struct db *db, const char *name, bool *changed, struct error *error)
{
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];

	pause_note_init(&note, who, host);
	return pause_queues(db, &name, 1, &note, changed, error);
}

enum status queue_resume(struct db *db, const char *name, bool *changed, struct error *error)
{
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];

	pause_note_init(&note, who, host);
	return resume_queues(db, &name, 1, &note, changed, error);
}

static enum status end(struct db *db, struct arena *arena, const struct pause_row *row, int64_t now,
		       struct error *error)
{
	return db_query(db, arena,
			DB_CALL(pause_end, .kind = P_TEXT(row->kind), .name = P_TEXT(row->name),
				.since = P_TIME(row->since), .now = P_TIME(now)),
			NULL, error);
}

/* A job that the database refuses: it is set aside, or the memory that it was. */
static bool is_job(const struct pause_row *row)
{
	return strncmp(row->kind, "refused", strlen("refused")) == 0;
}

static bool is_over(const struct pause_row *row, int64_t now)
{
	return now >= row->note.ends_at + (strcmp(row->kind, "refused") == 0 ? 0 : REFUSED_MEMORY);
}

/* Ending a stale row resumes nothing. */
static enum status sweep_row(struct db *db, struct arena *arena, const struct pause_row *row,
			     int64_t now, bool *ended, struct error *error)
{
	enum status status = STATUS_OK;

	*ended = false;
	if (row->stale) {
		struct db_call call = pause_forget_call(arena, row);
		status = db_run(db, arena, &call, 1, error);
	} else if (row->note.ends_at > 0 && row->note.ends_at <= now) {
		status = end(db, arena, row, now, error);
		*ended = status == STATUS_OK;
	}
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status pause_sweep(struct db *db, struct arena *arena, struct pause_row **ended, size_t *count,
			int64_t *next, struct error *error)
{
	struct pause_row *rows = NULL;
	size_t all = 0;
	int64_t now = db_now(db);
	int64_t earliest = INT64_MAX;
	bool jobs = false;
	enum status status = pause_list(db, arena, &rows, &all, error);

	*ended = arena_array(arena, all + 1, sizeof(**ended));
	*count = 0;
	for (size_t i = 0; i < all && status == STATUS_OK; i++) {
		int64_t left = rows[i].note.ends_at - now;
		bool gone = false;
		if (is_job(&rows[i]))
			jobs = jobs || is_over(&rows[i], now);
		else if (!rows[i].stale || !pattern_matches_any(rows, all, rows[i].name))
			status = sweep_row(db, arena, &rows[i], now, &gone, error);
		if (gone)
			(*ended)[(*count)++] = rows[i];
		else if (!rows[i].stale && left > 0 && left < earliest)
			earliest = left;
	}
	if (status == STATUS_OK && jobs)
		status = refused_sweep(db, error);
	if (status == STATUS_OK)
		status = pattern_spread(db, arena, rows, all, error);
	*next = earliest;
	return status;
}
