/*
 * The recurring tasks of a cell: each of their occurrences has one job, from the first one to the
 * last, but for those that are told to be missed (the clock was set forward).
 */
#include <inttypes.h>

#include "tests/chaos/field.h"

enum column { TASK, RUN_AT, JOB, COUNT };

/* Rows are in the order of tasks and occurrences. */
static bool follows(const struct db_rows *rows, size_t row)
{
	if (row == 0 || strcmp(db_text(rows, row, TASK), db_text(rows, row - 1, TASK)) != 0)
		return true;
	return db_time(rows, row, RUN_AT) - db_time(rows, row - 1, RUN_AT) == CLOCK_SECOND;
}

static bool is_astray(const struct db_rows *rows, size_t row)
{
	if (!db_is_null(rows, row, COUNT))
		return !db_is_null(rows, row, JOB);
	return db_is_null(rows, row, JOB) || !follows(rows, row);
}

size_t occurrences_astray(struct field *field)
{
	struct db_rows rows = test_query(field->arena, field->url,
					 "SELECT task_key, run_at, job_id, moments FROM "
					 "dray_recurring_runs ORDER BY task_key, run_at");
	int64_t jobs = test_query_int(field->url, "SELECT COUNT(*) FROM solid_queue_jobs WHERE "
						  "arguments LIKE '%\"arguments\":[1]%'");
	int64_t astray = -jobs;

	assert_true(rows.count > 0);
	for (size_t row = 0; row < rows.count; row++) {
		astray += !db_is_null(&rows, row, JOB);
		if (!is_astray(&rows, row))
			continue;
		print_message("task %s: occurrence %" PRId64 " is astray\n",
			      db_text(&rows, row, TASK), db_time(&rows, row, RUN_AT));
		return 1;
	}
	return (size_t)(astray < 0 ? -astray : astray);
}
