#include "queue/settle/batches.h"

enum status batches_look(struct db *db, bool *there, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "batches", NULL, 0, &rows, error);

	*there = status == STATUS_OK && db_int(&rows, 0, 0) != 0;
	arena_free(arena);
	return status;
}

struct db_call batches_leave(struct arena *arena, const int64_t jobs[], size_t count)
{
	struct db_value *values = arena_array(arena, 1, sizeof(*values));

	values[0] = (struct db_value)DB_P_IDS("jobs", jobs, count);
	return (struct db_call){ .operation = "batches_leave", .values = values, .count = 1 };
}

struct db_call batches_leave_cancelled(struct arena *arena, int64_t now)
{
	struct db_value *values = arena_array(arena, 1, sizeof(*values));

	values[0] = (struct db_value)DB_P_TIME("now", now);
	return (struct db_call){ .operation = "batches_leave_cancelled",
				 .values = values,
				 .count = 1 };
}
