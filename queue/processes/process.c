#include "queue/processes/process.h"

#include <inttypes.h>

#include "common/text/text.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"

static struct db_value supervisor_of(const struct process_row *row)
{
	return row->supervisor_id > 0 ? P_INT(row->supervisor_id) : P_NULL;
}

enum status process_register(struct db *db, struct process_row *row, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows;
	enum status status = db_query(
		db, arena,
		DB_CALL(process_register, .kind = P_TEXT(row->kind), .name = P_TEXT(row->name),
			.pid = P_INT(row->pid), .hostname = P_TEXT(row->hostname),
			.supervisor_id = supervisor_of(row), .metadata = P_TEXT(row->metadata),
			.now = P_TIME(db_now(db))),
		&rows, error);

	if (status == STATUS_OK)
		row->id = db_int(&rows, 0, PROCESS_REGISTER_PROCESS_ID);
	arena_free(arena);
	return status;
}

enum status process_heartbeat(struct db *db, struct process_row *row, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_call call =
		DB_CALL(process_heartbeat, .process_id = P_INT(row->id), .name = P_TEXT(row->name),
			.supervisor_id = supervisor_of(row), .metadata = P_TEXT(row->metadata),
			.now = P_TIME(db_now(db)));
	enum status status = db_query(db, arena, call, NULL, error);

	if (status == STATUS_NONE) { /* the row is gone, or there are cancellations */
		call.operation = DB_LIKE(process_heartbeat_told, process_heartbeat);
		status = db_query(db, arena, call, NULL, error);
		row->told = row->told || status == STATUS_OK;
	}
	arena_free(arena);
	return status;
}

enum status process_forget(struct db *db, int64_t id, int64_t heartbeat_before, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status =
		db_query(db, arena,
			 DB_CALL(process_forget, .process_id = P_INT(id),
				 .heartbeat_before =
					 heartbeat_before > 0 ? P_TIME(heartbeat_before) : P_NULL),
			 NULL, error);

	arena_free(arena);
	return status;
}

static enum status find_held(struct db *db, struct arena *arena, int64_t id,
			     struct claim_name **claims, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(held, .process_id = P_INT(id)), &rows, error);

	*claims = arena_array(arena, rows.count + 1, sizeof(**claims));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*claims)[i] = claim_name_read(&rows, i, 0);
	return status;
}

enum status process_deregister(struct db *db, int64_t id, int64_t *released, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_calls calls = { .arena = arena };
	struct claim_name *claims;
	size_t count;
	struct missing missing = { 0 };
	enum status status = find_held(db, arena, id, &claims, &count, error);

	if (status == STATUS_OK)
		status = missing_find(db, arena, claims, count, &missing, error);
	const struct db_value now = P_TIME(db_now(db));
	db_calls_add(&calls, DB_CALL(process_goodbye, .process_id = P_INT(id), .now = now));
	const size_t at = db_calls_add(
		&calls, DB_CALL(process_deregister, .process_id = P_INT(id), .now = now));
	if (status == STATUS_OK)
		status = cancel_told_first(db, arena, claims, count, &calls, error);
	const struct db_call *call = &calls.list[at];
	*released = status == STATUS_OK && !call->none
			    ? db_int(&call->rows, 0, PROCESS_DEREGISTER_RELEASED) -
				      (int64_t)missing.count
			    : 0;
	if (status == STATUS_OK && !call->none)
		missing_log(&missing, "release");
	if (status == STATUS_OK && call->none)
		status = STATUS_NONE;
	if (refused_status(status)) { /* what is refused alone is left to who looks for orphans */
		status = claims_give_back(db, claims, count, released, error);
		if (status == STATUS_OK)
			status = process_forget(db, id, 0, error);
	}
	arena_free(arena);
	return status;
}

enum status process_find(struct db *db, const char *name, int64_t *id, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(process_find, .name = P_TEXT(name)), &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = STATUS_NONE;
	else if (status == STATUS_OK)
		*id = db_int(&rows, 0, PROCESS_FIND_PROCESS_ID);
	arena_free(arena);
	return status;
}

enum status process_list(struct db *db, struct arena *arena, struct process_row **out,
			 size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(process_list), &rows, error);

	if (status != STATUS_OK)
		return status;
	struct process_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++) {
		list[i] = (struct process_row){
			.id = db_int(&rows, i, PROCESS_LIST_ID),
			.kind = db_text(&rows, i, PROCESS_LIST_KIND),
			.name = db_text(&rows, i, PROCESS_LIST_NAME),
			.pid = (int)db_int(&rows, i, PROCESS_LIST_PID),
			.hostname = db_text(&rows, i, PROCESS_LIST_HOSTNAME),
			.supervisor_id = db_int(&rows, i, PROCESS_LIST_SUPERVISOR_ID),
			.metadata = db_text(&rows, i, PROCESS_LIST_METADATA),
			.last_heartbeat_at = db_time(&rows, i, PROCESS_LIST_LAST_HEARTBEAT_AT),
			.created_at = db_time(&rows, i, PROCESS_LIST_CREATED_AT),
			.claims = db_int(&rows, i, PROCESS_LIST_CLAIMS),
			.paused_at = db_time(&rows, i, PROCESS_LIST_PAUSED_AT),
			.paused_until = db_time(&rows, i, PROCESS_LIST_PAUSED_UNTIL),
			.paused_by = db_text(&rows, i, PROCESS_LIST_WHO),
			.pause_reason = db_text(&rows, i, PROCESS_LIST_REASON),
		};
	}
	*out = list;
	*count = rows.count;
	return STATUS_OK;
}

/* Which jobs processes have claimed, for people who wait for them to leave. */

#define HELD_NAMED 5 /* the rest is counted */

enum status holds_read(struct db *db, struct arena *arena, const char *name, struct held **list,
		       size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(process_jobs, .name = P_TEXT(name)), &rows, error);

	if (status != STATUS_OK)
		return status;
	*count = rows.count;
	*list = arena_array(arena, rows.count + 1, sizeof(**list));
	for (size_t i = 0; i < rows.count; i++)
		(*list)[i] = (struct held){ db_int(&rows, i, PROCESS_JOBS_JOB_ID),
					    db_text(&rows, i, PROCESS_JOBS_CLASS_NAME) };
	return STATUS_OK;
}

static void add_held(struct text *out, const struct held *held, size_t before)
{
	if (before < HELD_NAMED)
		text_printf(out, "%sjob %" PRId64 " (%s)", before > 0 ? ", " : "", held->job,
			    held->class_name ? held->class_name : "?");
}

enum status holds_describe(struct db *db, struct arena *arena, const char *const names[],
			   size_t count, const char **text, struct error *error)
{
	struct text out = { 0 };
	enum status status = STATUS_OK;
	size_t total = 0;

	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		struct held *list;
		size_t held = 0;
		status = holds_read(db, arena, names[i], &list, &held, error);
		for (size_t j = 0; status == STATUS_OK && j < held; j++)
			add_held(&out, &list[j], total++);
	}
	if (total > HELD_NAMED)
		text_printf(&out, " and %zu more", total - HELD_NAMED);
	*text = total > 0 ? text_take(&out, arena) : NULL;
	text_free(&out);
	return status;
}
