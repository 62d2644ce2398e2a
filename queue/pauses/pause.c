#include "queue/pauses/pause.h"

#include "queue/manage/manage.h"
#include "queue/pauses/pattern.h"
#include "queue/pauses/pause_calls.h"

#define PAUSE_VALUES  7
#define OTHER_VALUES  8
#define RESUME_VALUES 7

static struct db_value optional_time(const char *name, int64_t instant)
{
	return (struct db_value){ .name = name,
				  .type = instant > 0 ? DB_TIME : DB_NULL,
				  .number = instant };
}

static const char *target(struct arena *arena, const char *queue)
{
	return arena_printf(arena, "queue %s", queue);
}

/* Each pause begins at an instant of its own, which distinguishes it from every other pause. */
static struct db_call pause_call(struct db *db, struct arena *arena, const char *name,
				 const struct pause_note *note)
{
	const struct db_value all[PAUSE_VALUES] = {
		DB_P_TEXT("queue", name),          DB_P_TEXT("target", target(arena, name)),
		DB_P_TEXT("reason", note->reason), DB_P_TEXT("who", note->who),
		DB_P_TEXT("host", note->host),     optional_time("ends_at", note->ends_at),
		DB_P_TIME("now", db_now(db)),
	};
	struct db_value *values = arena_array(arena, PAUSE_VALUES, sizeof(*values));

	for (size_t i = 0; i < PAUSE_VALUES; i++)
		values[i] = all[i];
	return (struct db_call){ .operation = "pause", .values = values, .count = PAUSE_VALUES };
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
		changed[i] = db_int(&calls[i].rows, 0, 0) != 0;
	arena_free(arena);
	return status;
}

static struct db_call resume_call(struct db *db, struct arena *arena, const char *name, bool under,
				  const struct pause_note *note)
{
	const struct db_value all[RESUME_VALUES] = {
		DB_P_TEXT("queue", name),
		DB_P_INT("under", under),
		DB_P_TEXT("target", target(arena, name)),
		DB_P_TEXT("reason", note->reason),
		DB_P_TEXT("who", note->who),
		DB_P_TEXT("host", note->host),
		DB_P_TIME("now", db_now(db)),
	};
	struct db_value *values = arena_array(arena, RESUME_VALUES, sizeof(*values));

	for (size_t i = 0; i < RESUME_VALUES; i++)
		values[i] = all[i];
	return (struct db_call){ .operation = "resume", .values = values, .count = RESUME_VALUES };
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

const char *pause_kind_name(enum pause_kind kind)
{
	static const char *const names[] = {
		[PAUSE_QUEUE] = "queue",
		[PAUSE_PROCESS] = "process",
		[PAUSE_CLASS] = "class",
		[PAUSE_PATTERN] = "pattern",
	};

	return names[kind];
}

struct db_call pause_other_call(struct db *db, struct arena *arena, enum pause_kind kind,
				const char *name, const struct pause_note *note)
{
	const char *what = arena_printf(arena, "%s %s", pause_kind_name(kind), name);
	const struct db_value all[OTHER_VALUES] = {
		DB_P_TEXT("name", name),       DB_P_TEXT("target", what),
		DB_P_TEXT("who", note->who),   DB_P_TEXT("reason", note->reason),
		DB_P_TEXT("host", note->host), optional_time("ends_at", note->ends_at),
		DB_P_TIME("now", db_now(db)),  DB_P_TEXT("kind", pause_kind_name(kind)),
	};
	struct db_value *values = arena_array(arena, OTHER_VALUES, sizeof(*values));

	for (size_t i = 0; i < OTHER_VALUES; i++)
		values[i] = all[i];
	return (struct db_call){ .operation =
					 kind == PAUSE_PROCESS ? "pause_process" : "pause_name",
				 .values = values,
				 .count = kind == PAUSE_PROCESS ? PAUSE_VALUES : OTHER_VALUES };
}

enum status pause_other(struct db *db, enum pause_kind kind, const char *name,
			const struct pause_note *note, bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call call = pause_other_call(db, arena, kind, name, note);
	enum status status = db_run(db, arena, &call, 1, error);

	if (status == STATUS_OK && call.rows.count == 0)
		status = error_set(error, STATUS_NONE, "no worker is named \"%s\"", name);
	if (status == STATUS_OK)
		*changed = db_int(&call.rows, 0, 0) != 0;
	arena_free(arena);
	return status;
}

enum status resume_other(struct db *db, enum pause_kind kind, const char *name,
			 const struct pause_note *note, bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	const char *what = arena_printf(arena, "%s %s", pause_kind_name(kind), name);
	const struct db_value values[] = {
		DB_P_TEXT("kind", pause_kind_name(kind)),
		DB_P_TEXT("name", name),
		DB_P_TEXT("target", what),
		DB_P_TEXT("reason", note->reason),
		DB_P_TEXT("who", note->who),
		DB_P_TEXT("host", note->host),
		DB_P_TIME("now", db_now(db)),
	};
	enum status status =
		db_query(db, arena, "resume_other", values, RESUME_VALUES, NULL, error);

	*changed = status == STATUS_OK;
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

static enum status read_rows(struct db *db, struct arena *arena, const char *operation,
			     struct pause_row **out, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, operation, NULL, 0, &rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct pause_row){
			.kind = db_text(&rows, i, 0),
			.name = db_text(&rows, i, 1),
			.note = { .reason = db_text(&rows, i, 2),
				  .who = db_text(&rows, i, 3),
				  .host = db_text(&rows, i, 4),
				  .ends_at = db_time(&rows, i, 6) },
			.since = db_time(&rows, i, 5),
			.stale = rows.columns > 7 && db_int(&rows, i, 7) != 0,
		};
	return STATUS_OK;
}

enum status pause_list(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
		       struct error *error)
{
	return read_rows(db, arena, "pauses", out, count, error);
}

enum status pause_shown(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
			struct error *error)
{
	return read_rows(db, arena, "paused", out, count, error);
}

static enum status end(struct db *db, struct arena *arena, const struct pause_row *row, int64_t now,
		       struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("kind", row->kind),
					   DB_P_TEXT("name", row->name),
					   DB_P_TIME("since", row->since), DB_P_TIME("now", now) };

	return db_query(db, arena, "pause_end", values, 4, NULL, error);
}

struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row)
{
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("name", row->name);
	values[1] = (struct db_value)DB_P_TIME("since", row->since);
	return (struct db_call){ .operation = "pause_forget", .values = values, .count = 2 };
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
	enum status status = pause_list(db, arena, &rows, &all, error);

	*ended = arena_array(arena, all + 1, sizeof(**ended));
	*count = 0;
	for (size_t i = 0; i < all && status == STATUS_OK; i++) {
		int64_t left = rows[i].note.ends_at - now;
		bool gone = false;
		if (!rows[i].stale || !pattern_matches_any(rows, all, rows[i].name))
			status = sweep_row(db, arena, &rows[i], now, &gone, error);
		if (gone)
			(*ended)[(*count)++] = rows[i];
		else if (!rows[i].stale && left > 0 && left < earliest)
			earliest = left;
	}
	if (status == STATUS_OK)
		status = pattern_spread(db, arena, rows, all, error);
	*next = earliest;
	return status;
}
