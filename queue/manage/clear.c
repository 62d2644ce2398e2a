#include "queue/manage/manage.h"

#include "db/operations.h"
#include "queue/refused/refused.h"

#define EPOCH "1970-01-01 00:00:00" /* what is before that is odd */

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

/* What is left, one by one if the database refuses one of them. */
struct clearing {
	struct job_clear *clear;
	struct arena *arena;
	int64_t *jobs;
};

static enum status leave_uncleared(void *data, size_t at, const struct error *why,
				   struct error *error)
{
	const struct clearing *clearing = data;
	struct refused refused = {
		.job = clearing->jobs[at], .doing = "clear", .why = why, .finished = true
	};
	enum status status = refused_job(clearing->clear->db, &refused, error);

	clearing->clear->refused += status == STATUS_OK && !refused.gone;
	return status;
}

static bool is_among(const struct db_rows *rows, int64_t job)
{
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, CLEAR_JOBS_JOB_ID) == job)
			return true;
	return false;
}

/* A trigger may keep a row and say nothing; or another process was first. */
static enum status leave_kept(struct clearing *clearing, size_t first, size_t count,
			      const struct db_rows *deleted, struct error *error)
{
	const struct error why = {
		.status = STATUS_CONFLICT,
		.text = "the database does not delete it, and does not say why"
	};
	enum status status = STATUS_OK;

	for (size_t i = first; i < first + count && status == STATUS_OK; i++)
		if (!is_among(deleted, clearing->jobs[i]))
			status = leave_uncleared(clearing, i, &why, error);
	return status;
}

static enum status clear_some(void *data, size_t first, size_t count, struct error *error)
{
	struct clearing *clearing = data;
	const int64_t audit = clearing->clear->audit;
	struct db_rows rows = { 0 };
	enum status status =
		db_query(clearing->clear->db, clearing->arena,
			 DB_CALL(clear_jobs, .jobs = P_IDS(clearing->jobs + first, count),
				 .audit = audit ? P_INT(audit) : P_NULL),
			 &rows, error);

	if (status != STATUS_OK)
		return status;
	clearing->clear->deleted += (int64_t)rows.count;
	return rows.count < count ? leave_kept(clearing, first, count, &rows, error) : STATUS_OK;
}

static enum status clear_by_halves(struct job_clear *clear, struct arena *arena, bool *more,
				   struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(clear->db, arena,
			 DB_CALL(clear_next, .before = P_TIME(clear->before),
				 .class_name = P_TEXT(clear->class_name),
				 .queue = P_TEXT(clear->queue), .limit = P_INT(clear->batch)),
			 &rows, error);
	int64_t *jobs = arena_array(arena, rows.count + 1, sizeof(*jobs));
	struct clearing clearing = { .clear = clear, .arena = arena, .jobs = jobs };
	struct refused_work work = {
		.data = &clearing, .db = clear->db, .run = clear_some, .alone = leave_uncleared
	};

	for (size_t i = 0; status == STATUS_OK && i < rows.count; i++)
		jobs[i] = db_int(&rows, i, CLEAR_NEXT_JOB_ID);
	if (status == STATUS_OK)
		status = refused_by_halves(&work, rows.count, error);
	*more = status == STATUS_OK && rows.count >= (size_t)clear->batch;
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_clear_next(struct job_clear *clear, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	int64_t deleted;
	enum status status = clear_batch(clear, arena, &deleted, error);

	*more = deleted >= clear->batch;
	clear->deleted += deleted;
	if (refused_row(status, error) || (status == STATUS_OK && !*more))
		status = clear_by_halves(clear, arena, more, error);
	arena_free(arena);
	return status;
}

static enum status count_page(struct job_clear *clear, struct arena *arena, struct db_rows *rows,
			      struct error *error)
{
	return db_query(clear->db, arena,
			DB_CALL(finished_before, .before = P_TIME(clear->before),
				.class_name = P_TEXT(clear->class_name),
				.queue = P_TEXT(clear->queue),
				.since = P_TEXT(clear->counted_to ? clear->counted_to : EPOCH),
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
		clear->counted_to = arena_strdup(
			clear->arena, db_text(&rows, rows.count - 1, FINISHED_BEFORE_FINISHED_AT));
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
