#include "queue/dispatch.h"

enum status dispatch(struct db *db, int batch_size, int64_t *moved, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_INT("limit", batch_size),
					   DB_P_TIME("now", db_now(db)) };
	struct db_rows rows;
	enum status status = db_query(db, arena, "dispatch", values, 2, &rows, error);

	if (status == STATUS_OK)
		*moved = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}
