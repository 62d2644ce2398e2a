#include "queue/pause.h"

#include "queue/manage.h"

#define PAUSE_VALUES  7
#define RESUME_VALUES 6

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

/* Each has its own instant, which tells it from every other pause. */
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

static struct db_call resume_call(struct db *db, struct arena *arena, const char *name,
				  const struct pause_note *note)
{
	const struct db_value all[RESUME_VALUES] = {
		DB_P_TEXT("queue", name),          DB_P_TEXT("target", target(arena, name)),
		DB_P_TEXT("reason", note->reason), DB_P_TEXT("who", note->who),
		DB_P_TEXT("host", note->host),     DB_P_TIME("now", db_now(db)),
	};
	struct db_value *values = arena_array(arena, RESUME_VALUES, sizeof(*values));

	for (size_t i = 0; i < RESUME_VALUES; i++)
		values[i] = all[i];
	return (struct db_call){ .operation = "resume", .values = values, .count = RESUME_VALUES };
}

enum status resume_queues(struct db *db, const char *const names[], size_t count,
			  const struct pause_note *note, bool changed[], struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call *calls = arena_array(arena, count + 1, sizeof(*calls));
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		calls[i] = resume_call(db, arena, names[i], note);
	if (count > 0)
		status = db_run(db, arena, calls, count, error);
	for (size_t i = 0; i < count; i++)
		changed[i] = status == STATUS_OK && !calls[i].none;
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

const char *pause_kind_name(enum pause_kind kind)
{
	static const char *const names[] = {
		[PAUSE_QUEUE] = "queue", [PAUSE_PROCESS] = "process", [PAUSE_CLASS] = "class"
	};

	return names[kind];
}

enum status pause_other(struct db *db, enum pause_kind kind, const char *name,
			const struct pause_note *note, bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	const char *what = arena_printf(arena, "%s %s", pause_kind_name(kind), name);
	const struct db_value values[] = {
		DB_P_TEXT("name", name),       DB_P_TEXT("target", what),
		DB_P_TEXT("who", note->who),   DB_P_TEXT("reason", note->reason),
		DB_P_TEXT("host", note->host), optional_time("ends_at", note->ends_at),
		DB_P_TIME("now", db_now(db)),
	};
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, kind == PAUSE_CLASS ? "pause_class" : "pause_process", values,
			 PAUSE_VALUES, &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = error_set(error, STATUS_NONE, "no worker is named \"%s\"", name);
	if (status == STATUS_OK)
		*changed = db_int(&rows, 0, 0) != 0;
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
		db_query(db, arena, "resume_other", values, RESUME_VALUES + 1, NULL, error);

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

static enum status forget(struct db *db, struct arena *arena, const struct pause_row *row,
			  struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("name", row->name),
					   DB_P_TIME("since", row->since) };

	return db_query(db, arena, "pause_forget", values, 2, NULL, error);
}

/* Stale rows go first, also when their time has come: they end nothing. */
static enum status sweep_row(struct db *db, struct arena *arena, const struct pause_row *row,
			     int64_t now, bool *ended, struct error *error)
{
	enum status status = STATUS_OK;

	*ended = false;
	if (row->stale)
		status = forget(db, arena, row, error);
	else if (row->note.ends_at > 0 && row->note.ends_at <= now) {
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

	*count = 0;
	for (size_t i = 0; i < all && status == STATUS_OK; i++) {
		int64_t left = rows[i].note.ends_at - now;
		bool gone;
		status = sweep_row(db, arena, &rows[i], now, &gone, error);
		if (gone)
			rows[(*count)++] = rows[i];
		else if (!rows[i].stale && left > 0 && left < earliest)
			earliest = left;
	}
	*ended = rows;
	*next = earliest;
	return status;
}
