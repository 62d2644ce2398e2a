#include "queue/enqueue/dispatch.h"

#include "queue/limits/slots.h"

/* Usually nothing is due, and then no transaction needs to hold others up. */
static enum status look(struct db *db, struct arena *arena, bool *any, struct error *error)
{
	const struct db_value values[] = { DB_P_TIME("now", db_now(db)) };
	struct db_rows rows;
	enum status status = db_query(db, arena, "due", values, 1, &rows, error);

	*any = status == STATUS_OK && db_int(&rows, 0, 0) != 0;
	return status;
}

/*
 * Limited jobs: their keys are known only now, and semaphores are locked before everything else, so
 * this is a transaction of its own. If it fails they are still scheduled, and due.
 */
static enum status move_limited(struct db *db, struct arena *arena, const int64_t jobs[],
				size_t count, struct error *error)
{
	struct slots slots = { .db = db, .arena = arena };
	struct db_call list[SLOTS_CALLS + 2];
	struct slots_calls calls = { list, 0 };
	int64_t now = db_now(db);
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, count), DB_P_TIME("now", now) };
	enum status status = slots_find(&slots, jobs, count, error);

	if (status != STATUS_OK || slots.key_count == 0)
		return status;
	slots_before(&slots, &calls);
	list[calls.count++] =
		(struct db_call){ .operation = "dispatch_limited", .values = values, .count = 2 };
	slots_after(&slots, &calls);
	slots_conflict(&slots, now, &calls);
	status = db_run(db, arena, list, calls.count, error);
	if (status == STATUS_OK)
		slots_follow(&slots, &calls);
	return status;
}

static enum status move(struct db *db, struct arena *arena, int batch_size, int64_t *moved,
			struct error *error)
{
	const struct db_value values[] = { DB_P_INT("limit", batch_size),
					   DB_P_TIME("now", db_now(db)) };
	struct db_rows rows;
	enum status status = db_query(db, arena, "dispatch", values, 2, &rows, error);

	if (status != STATUS_OK)
		return status;
	int64_t *limited = arena_array(arena, rows.count, sizeof(*limited));
	size_t count = 0;
	for (size_t i = 0; i < rows.count; i++)
		if (!db_is_null(&rows, i, 1))
			limited[count++] = db_int(&rows, i, 1);
	*moved = db_int(&rows, 0, 0) + (int64_t)count;
	return count > 0 ? move_limited(db, arena, limited, count, error) : STATUS_OK;
}

enum status dispatch(struct db *db, int batch_size, int64_t *moved, struct error *error)
{
	struct arena *arena = arena_new();
	bool any;
	enum status status = look(db, arena, &any, error);

	if (status == STATUS_OK)
		*moved = 0;
	if (any)
		status = move(db, arena, batch_size, moved, error);
	arena_free(arena);
	return status;
}
