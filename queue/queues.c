#include "queue/manage.h"

enum status queue_list(struct db *db, struct arena *arena, struct queue_row **out, size_t *count,
		       struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "queues", NULL, 0, &rows, error);

	if (status != STATUS_OK)
		return status;
	struct queue_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	int64_t now = db_now(db);
	for (size_t i = 0; i < rows.count; i++) {
		struct queue_row *row = &list[i];
		row->name = db_text(&rows, i, 0);
		row->paused = db_int(&rows, i, 1) != 0;
		row->size = db_int(&rows, i, 2);
		row->counts[JOB_READY] = row->size;
		row->counts[JOB_SCHEDULED] = db_int(&rows, i, 3);
		row->counts[JOB_CLAIMED] = db_int(&rows, i, 4);
		row->counts[JOB_BLOCKED] = db_int(&rows, i, 5);
		row->counts[JOB_FAILED] = db_int(&rows, i, 6);
		row->counts[JOB_FINISHED] = -1;
		int64_t oldest = db_time(&rows, i, 7);
		row->latency = oldest > 0 && now > oldest ? now - oldest : 0;
	}
	*out = list;
	*count = rows.count;
	return STATUS_OK;
}

/* Runs a guarded operation on one queue; NONE or a refused key means that nothing changed. */
static enum status change(struct db *db, const char *operation, const struct db_value values[],
			  size_t count, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = db_query(db, arena, operation, values, count, NULL, error);

	arena_free(arena);
	return status == STATUS_CONFLICT ? STATUS_NONE : status;
}

enum status queue_pause(struct db *db, const char *name, bool *changed, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("queue", name), DB_P_TIME("now", db_now(db)) };
	enum status status = change(db, "pause", values, 2, error);

	*changed = status == STATUS_OK;
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status queue_resume(struct db *db, const char *name, bool *changed, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("queue", name) };
	enum status status = change(db, "resume", values, 1, error);

	*changed = status == STATUS_OK;
	return status == STATUS_NONE ? STATUS_OK : status;
}
