#include "queue/dispatch.h"

/* Mostly nothing is due, and then nobody need be held up by a transaction. */
static enum status look(struct db *db, struct arena *arena, bool *any, struct error *error)
{
	const struct db_value values[] = { DB_P_TIME("now", db_now(db)) };
	struct db_rows rows;
	enum status status = db_query(db, arena, "due", values, 1, &rows, error);

	*any = status == STATUS_OK && db_int(&rows, 0, 0) != 0;
	return status;
}

static enum status move(struct db *db, struct arena *arena, int batch_size, int64_t *moved,
			struct error *error)
{
	const struct db_value values[] = { DB_P_INT("limit", batch_size),
					   DB_P_TIME("now", db_now(db)) };
	struct db_rows rows;
	enum status status = db_query(db, arena, "dispatch", values, 2, &rows, error);

	if (status == STATUS_OK)
		*moved = db_int(&rows, 0, 0);
	return status;
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
