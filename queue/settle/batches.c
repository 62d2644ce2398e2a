#include "queue/settle/batches.h"

#include "db/operations.h"

enum status batches_look(struct db *db, bool *there, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(batches), &rows, error);

	*there = status == STATUS_OK && db_int(&rows, 0, BATCHES_THERE) != 0;
	arena_free(arena);
	return status;
}

void batches_leave(struct db_calls *calls, const int64_t jobs[], size_t count)
{
	db_calls_add(calls, DB_CALL(batches_leave, .jobs = P_IDS(jobs, count)));
}

void batches_leave_cancelled(struct db_calls *calls, int64_t now)
{
	db_calls_add(calls, DB_CALL(batches_leave_cancelled, .now = P_TIME(now)));
}
