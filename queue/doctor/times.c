#include "queue/doctor/times.h"

#include "db/operations.h"

#include <stdio.h>

#define WINDOW 1000 /* jobs per look, so that statements stay short */

static enum status look(struct db *db, struct arena *arena, int64_t after, int64_t limit,
			struct db_rows *rows, struct error *error)
{
	return db_query(db, arena,
			DB_CALL(scheduled_odd, .after = P_INT(after), .limit = P_INT(limit)), rows,
			error);
}

static bool is_odd(const struct db_rows *rows, size_t row)
{
	return db_int(rows, row, SCHEDULED_ODD_ODD) != 0;
}

static bool is_never(const struct db_rows *rows, size_t row)
{
	return db_int(rows, row, SCHEDULED_ODD_NEVER) != 0;
}

static void note(struct times *times, const struct db_rows *rows, size_t row)
{
	const char *text = db_text(rows, row, SCHEDULED_ODD_TIME);

	if (times->job > 0)
		return;
	times->job = db_int(rows, row, SCHEDULED_ODD_JOB_ID);
	(void)snprintf(times->text, sizeof(times->text), "%s", text ? text : "");
}

static enum status mend(struct db *db, struct arena *arena, const struct db_rows *rows,
			struct times *times, struct error *error)
{
	int64_t *jobs = arena_array(arena, rows->count + 1, sizeof(*jobs));
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		if (!is_odd(rows, i))
			continue;
		note(times, rows, i);
		if (is_never(rows, i))
			times->never++;
		else
			jobs[count++] = db_int(rows, i, SCHEDULED_ODD_JOB_ID);
	}
	if (count == 0)
		return STATUS_OK;
	enum status status =
		db_query(db, arena,
			 DB_CALL(mend_times, .jobs = P_IDS(jobs, count), .now = P_TIME(db_now(db))),
			 NULL, error);
	if (status == STATUS_OK)
		times->mended = (int64_t)count;
	return status == STATUS_NONE ? STATUS_OK : status; /* NONE: the jobs are gone by now */
}

enum status times_mend(struct db *db, struct times *times, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = look(db, arena, times->after, WINDOW, &rows, error);

	times->mended = times->never = times->job = 0;
	if (status == STATUS_OK)
		status = mend(db, arena, &rows, times, error);
	if (status == STATUS_OK)
		times->after =
			rows.count > 0 ? db_int(&rows, rows.count - 1, SCHEDULED_ODD_JOB_ID) : 0;
	arena_free(arena);
	return status;
}

enum status times_odd(struct db *db, struct arena *arena, int64_t job, const char **text,
		      bool *never, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = look(db, arena, job - 1, 1, &rows, error);

	*text = NULL;
	*never = false;
	if (status != STATUS_OK || rows.count == 0 ||
	    db_int(&rows, 0, SCHEDULED_ODD_JOB_ID) != job || !is_odd(&rows, 0))
		return status;
	*text = db_text(&rows, 0, SCHEDULED_ODD_TIME);
	*never = is_never(&rows, 0);
	return STATUS_OK;
}
