#include "queue/processes/process.h"

#include "queue/limits/slots.h"
#include "queue/refused/give_back.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"

static struct db_value supervisor_of(const struct process_row *row)
{
	return (struct db_value){ .name = "supervisor_id",
				  .type = row->supervisor_id > 0 ? DB_INT : DB_NULL,
				  .number = row->supervisor_id };
}

enum status process_register(struct db *db, struct process_row *row, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_TEXT("kind", row->kind), DB_P_TEXT("name", row->name),
		DB_P_INT("pid", row->pid),    DB_P_TEXT("hostname", row->hostname),
		supervisor_of(row),           DB_P_TEXT("metadata", row->metadata),
		DB_P_TIME("now", db_now(db)),
	};
	struct db_rows rows;
	enum status status = db_query(db, arena, "process_register", values, 7, &rows, error);

	if (status == STATUS_OK)
		row->id = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status process_heartbeat(struct db *db, struct process_row *row, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_INT("process_id", row->id),
					   DB_P_TEXT("name", row->name), supervisor_of(row),
					   DB_P_TEXT("metadata", row->metadata),
					   DB_P_TIME("now", db_now(db)) };
	enum status status = db_query(db, arena, "process_heartbeat", values, 5, NULL, error);

	if (status == STATUS_NONE) { /* the row is gone, or there are cancellations */
		status = db_query(db, arena, "process_heartbeat_told", values, 5, NULL, error);
		row->told = row->told || status == STATUS_OK;
	}
	arena_free(arena);
	return status;
}

enum status process_forget(struct db *db, int64_t id, int64_t heartbeat_before, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_INT("process_id", id),
		{ .name = "heartbeat_before",
		  .type = heartbeat_before > 0 ? DB_TIME : DB_NULL,
		  .number = heartbeat_before },
	};
	enum status status = db_query(db, arena, "process_forget", values, 2, NULL, error);

	arena_free(arena);
	return status;
}

static enum status find_held(struct db *db, struct arena *arena, int64_t id,
			     struct claim_name **claims, size_t *count, struct error *error)
{
	const struct db_value values[] = { DB_P_INT("process_id", id) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "held", values, 1, &rows, error);

	*claims = arena_array(arena, rows.count + 1, sizeof(**claims));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*claims)[i] = claim_name_read(&rows, i, 0);
	return status;
}

enum status process_deregister(struct db *db, int64_t id, int64_t *released, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_INT("process_id", id),
					   DB_P_TIME("now", db_now(db)) };
	struct db_call call = { .operation = "process_deregister", .values = values, .count = 2 };
	struct claim_name *claims;
	size_t count;
	enum status status = find_held(db, arena, id, &claims, &count, error);

	if (status == STATUS_OK)
		status = cancel_told_first(db, arena, claims, count,
					   &(struct slots_calls){ &call, 1 }, error);
	*released = status == STATUS_OK && !call.none ? db_int(&call.rows, 0, 0) : 0;
	if (status == STATUS_OK && call.none)
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
	const struct db_value values[] = { DB_P_TEXT("name", name) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_find", values, 1, &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = STATUS_NONE;
	else if (status == STATUS_OK)
		*id = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status process_list(struct db *db, struct arena *arena, struct process_row **out,
			 size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_list", NULL, 0, &rows, error);

	if (status != STATUS_OK)
		return status;
	struct process_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++) {
		list[i] = (struct process_row){
			.id = db_int(&rows, i, 0),
			.kind = db_text(&rows, i, 1),
			.name = db_text(&rows, i, 2),
			.pid = (int)db_int(&rows, i, 3),
			.hostname = db_text(&rows, i, 4),
			.supervisor_id = db_int(&rows, i, 5),
			.metadata = db_text(&rows, i, 6),
			.last_heartbeat_at = db_time(&rows, i, 7),
			.created_at = db_time(&rows, i, 8),
			.claims = db_int(&rows, i, 9),
			.paused_at = db_time(&rows, i, 10),
			.paused_until = db_time(&rows, i, 11),
			.paused_by = db_text(&rows, i, 12),
			.pause_reason = db_text(&rows, i, 13),
		};
	}
	*out = list;
	*count = rows.count;
	return STATUS_OK;
}
