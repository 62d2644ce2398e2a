#include "queue/manage/manage.h"

static enum status clear_batch(struct job_clear *clear, struct arena *arena, int64_t *deleted,
			       struct error *error)
{
	const struct db_value values[] = {
		DB_P_TIME("before", clear->before),
		DB_P_TEXT("class_name", clear->class_name),
		DB_P_TEXT("queue", clear->queue),
		DB_P_INT("limit", clear->batch),
		{ .name = "audit",
		  .type = clear->audit ? DB_INT : DB_NULL,
		  .number = clear->audit },
	};
	struct db_rows rows = { 0 };
	enum status status = db_query(clear->db, arena, "clear_finished", values, 5, &rows, error);

	*deleted = status == STATUS_OK ? (int64_t)rows.count : 0;
	return status;
}

enum status job_clear_next(struct job_clear *clear, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	int64_t deleted;
	enum status status = clear_batch(clear, arena, &deleted, error);

	*more = deleted >= clear->batch;
	clear->deleted += deleted;
	arena_free(arena);
	return status;
}

static enum status count_page(struct job_clear *clear, struct arena *arena, struct db_rows *rows,
			      struct error *error)
{
	const struct db_value values[] = {
		DB_P_TIME("before", clear->before),   DB_P_TEXT("class_name", clear->class_name),
		DB_P_TEXT("queue", clear->queue),     DB_P_TIME("since", clear->counted_to),
		DB_P_INT("after", clear->counted_id), DB_P_INT("limit", clear->batch),
	};

	return db_query(clear->db, arena, "finished_before", values,
			sizeof(values) / sizeof(values[0]), rows, error);
}

/* Those that have no place in the order of times. */
static enum status count_odd(struct job_clear *clear, struct arena *arena, struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("class_name", clear->class_name),
					   DB_P_TEXT("queue", clear->queue) };
	struct db_rows rows = { 0 };
	enum status status = db_query(clear->db, arena, "finished_odd", values, 2, &rows, error);

	if (status == STATUS_OK)
		clear->deleted += db_int(&rows, 0, 0);
	return status;
}

enum status job_clear_count(struct job_clear *clear, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = count_page(clear, arena, &rows, error);

	*more = status == STATUS_OK && rows.count == (size_t)clear->batch;
	if (status == STATUS_OK && rows.count > 0) {
		clear->deleted += (int64_t)rows.count;
		clear->counted_id = db_int(&rows, rows.count - 1, 0);
		clear->counted_to = db_time(&rows, rows.count - 1, 1);
	}
	if (status == STATUS_OK && !*more)
		status = count_odd(clear, arena, error);
	arena_free(arena);
	return status;
}

enum status job_clear_finished(struct db *db, int64_t finished_before, const char *class_name,
			       int batch, int64_t *count, struct error *error)
{
	struct job_clear clear = {
		.db = db, .before = finished_before, .class_name = class_name, .batch = batch
	};
	enum status status;
	bool more = false;

	do
		status = job_clear_next(&clear, &more, error);
	while (status == STATUS_OK && more);
	*count = clear.deleted;
	return status;
}
