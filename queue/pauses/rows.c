/* The rows of pauses, read as they are, and the verbs that change a single one. */
#include "queue/pauses/pause_calls.h"

#include "db/operations.h"

struct db_value pause_optional_time(int64_t instant)
{
	return instant > 0 ? P_TIME(instant) : P_NULL;
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
	const struct db_value ends_at = pause_optional_time(note->ends_at);
	const struct db_value now = P_TIME(db_now(db));

	if (kind == PAUSE_PROCESS)
		return db_call_keep(
			arena, DB_CALL(pause_process, .name = P_TEXT(name), .target = P_TEXT(what),
				       .reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
				       .host = P_TEXT(note->host), .ends_at = ends_at, .now = now));
	return db_call_keep(arena,
			    DB_CALL(pause_name, .kind = P_TEXT(pause_kind_name(kind)),
				    .name = P_TEXT(name), .target = P_TEXT(what),
				    .reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
				    .host = P_TEXT(note->host), .ends_at = ends_at, .now = now));
}

DB_ALIKE(pause_process, pause_name);

enum status pause_other(struct db *db, enum pause_kind kind, const char *name,
			const struct pause_note *note, bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call call = pause_other_call(db, arena, kind, name, note);
	enum status status = db_run(db, arena, &call, 1, error);

	if (status == STATUS_OK && call.rows.count == 0)
		status = error_set(error, STATUS_NONE, "no worker is named \"%s\"", name);
	if (status == STATUS_OK)
		*changed = db_int(&call.rows, 0, PAUSE_NAME_CHANGED) != 0;
	arena_free(arena);
	return status;
}

enum status resume_other(struct db *db, enum pause_kind kind, const char *name,
			 const struct pause_note *note, bool *changed, struct error *error)
{
	struct arena *arena = arena_new();
	const char *what = arena_printf(arena, "%s %s", pause_kind_name(kind), name);
	enum status status =
		db_query(db, arena,
			 DB_CALL(resume_other, .kind = P_TEXT(pause_kind_name(kind)),
				 .name = P_TEXT(name), .target = P_TEXT(what),
				 .reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
				 .host = P_TEXT(note->host), .now = P_TIME(db_now(db))),
			 NULL, error);

	*changed = status == STATUS_OK;
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row)
{
	return db_call_keep(arena, DB_CALL(pause_forget, .name = P_TEXT(row->name),
					   .since = P_TIME(row->since)));
}

static enum status read_rows(struct db *db, struct arena *arena, struct db_call call,
			     struct pause_row **out, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, call, &rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct pause_row){
			.kind = db_text(&rows, i, PAUSE_ROW_KIND),
			.name = db_text(&rows, i, PAUSE_ROW_NAME),
			.note = { .reason = db_text(&rows, i, PAUSE_ROW_REASON),
				  .who = db_text(&rows, i, PAUSE_ROW_WHO),
				  .host = db_text(&rows, i, PAUSE_ROW_HOST),
				  .ends_at = db_time(&rows, i, PAUSE_ROW_ENDS_AT) },
			.since = db_time(&rows, i, PAUSE_ROW_CREATED_AT),
			.stale = rows.columns > PAUSES_STALE && db_int(&rows, i, PAUSES_STALE) != 0,
		};
	return STATUS_OK;
}

enum status pause_list(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
		       struct error *error)
{
	return read_rows(db, arena, DB_PLAIN(pauses), out, count, error);
}

enum status pause_shown(struct db *db, struct arena *arena, struct pause_row **out, size_t *count,
			struct error *error)
{
	return read_rows(db, arena, DB_PLAIN(paused), out, count, error);
}
