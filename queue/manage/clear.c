#include "queue/manage/manage.h"

#include "db/operations.h"

static enum status clear_batch(struct job_clear *clear, struct arena *arena, int64_t *deleted,
			       struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(clear->db, arena,
			 DB_CALL(clear_finished, .before = P_TIME(clear->before),
				 .class_name = P_TEXT(clear->class_name),
				 .queue = P_TEXT(clear->queue), .limit = P_INT(clear->batch),
				 .audit = clear->audit ? P_INT(clear->audit) : P_NULL),
			 &rows, error);

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
	return db_query(clear->db, arena,
			DB_CALL(finished_before, .before = P_TIME(clear->before),
				.class_name = P_TEXT(clear->class_name),
				.queue = P_TEXT(clear->queue), .since = P_TIME(clear->counted_to),
				.after = P_INT(clear->counted_id), .limit = P_INT(clear->batch)),
			rows, error);
}

/* Those that have no place in the order of times. */
static enum status count_odd(struct job_clear *clear, struct arena *arena, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(clear->db, arena,
				      DB_CALL(finished_odd, .class_name = P_TEXT(clear->class_name),
					      .queue = P_TEXT(clear->queue)),
				      &rows, error);

	if (status == STATUS_OK)
		clear->deleted += db_int(&rows, 0, FINISHED_ODD_JOBS);
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
		clear->counted_id = db_int(&rows, rows.count - 1, FINISHED_BEFORE_JOB_ID);
		clear->counted_to = db_time(&rows, rows.count - 1, FINISHED_BEFORE_FINISHED_AT);
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
