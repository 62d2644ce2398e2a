/*
 * Pauses: their rows, those of all queues whose names begin alike, those of single queues, and
 * those that end by themselves.
 *
 * A pause is done or undone with its line of the audit trail in one transaction. The database
 * decides what is paused: claims look there, and so does Rails. Of several processes that sweep at
 * once only one ends a pause, and a pause that was prolonged or made anew meanwhile stays.
 */
#include "queue/pauses/pause.h"

#include <string.h>

#include "db/operations.h"
#include "queue/manage/manage.h"
#include "queue/refused/refused.h"

/* The rows, and the verbs that change one. */

/* NULL for 0. */
static struct db_value pause_optional_time(int64_t instant)
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

/* Pauses anything but a queue; the result says whether it was not paused before. */
static struct db_call pause_other_call(struct db *db, struct arena *arena, enum pause_kind kind,
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

/* Deletes a stale row. */
static struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row)
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

/* All queues whose names begin alike, also later ones. */

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

/*
 * For the caller's transaction: gives the queue its own row, which then holds instead of the
 * pattern.
 */
static struct db_call pattern_spread_call(struct db *db, struct arena *arena,
					  const struct pause_row *pattern, const char *queue)
{
	return db_call_keep(arena,
			    DB_CALL(pause_under, .queue = P_TEXT(queue),
				    .pattern = P_TEXT(pattern->name),
				    .since = P_TIME(pattern->since), .now = P_TIME(db_now(db))));
}

/*
 * Pauses by name the queues that a pattern among pause_list's rows pauses. Without a pattern it
 * makes no call.
 */
static enum status pattern_spread(struct db *db, struct arena *arena, const struct pause_row rows[],
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

/* Queues by name, and pauses that end. */

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
