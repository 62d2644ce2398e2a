/* The rows of pauses, read as they are, and the verbs that change a single one. */
#include "queue/pauses/pause_calls.h"

#define PROCESS_VALUES 7
#define NAME_VALUES    8 /* the same, and the kind */

struct db_value pause_optional_time(const char *name, int64_t instant)
{
	return (struct db_value){ .name = name,
				  .type = instant > 0 ? DB_TIME : DB_NULL,
				  .number = instant };
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
	const struct db_value all[NAME_VALUES] = {
		DB_P_TEXT("name", name),       DB_P_TEXT("target", what),
		DB_P_TEXT("who", note->who),   DB_P_TEXT("reason", note->reason),
		DB_P_TEXT("host", note->host), pause_optional_time("ends_at", note->ends_at),
		DB_P_TIME("now", db_now(db)),  DB_P_TEXT("kind", pause_kind_name(kind)),
	};
	struct db_value *values = arena_array(arena, NAME_VALUES, sizeof(*values));

	for (size_t i = 0; i < NAME_VALUES; i++)
		values[i] = all[i];
	return (struct db_call){ .operation =
					 kind == PAUSE_PROCESS ? "pause_process" : "pause_name",
				 .values = values,
				 .count = kind == PAUSE_PROCESS ? PROCESS_VALUES : NAME_VALUES };
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
	enum status status = db_query(db, arena, "resume_other", values,
				      sizeof(values) / sizeof(values[0]), NULL, error);

	*changed = status == STATUS_OK;
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row)
{
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("name", row->name);
	values[1] = (struct db_value)DB_P_TIME("since", row->since);
	return (struct db_call){ .operation = "pause_forget", .values = values, .count = 2 };
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
