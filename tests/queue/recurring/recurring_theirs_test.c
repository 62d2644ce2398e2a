/* Tasks that only Rails has: they are in the list, with the last run that Rails' table knows. */
#include "queue/recurring/task.h"
#include "tests/support/sites/rails.h"

static void add_run(struct test_db *test, int day, const char *finished_at)
{
	const char *run_at = arena_printf(test->arena, "'2026-01-%02d 00:00:00.000000'", day);

	sql_execute(test->db,
		    "INSERT INTO solid_queue_jobs (id, queue_name, class_name,"
		    " arguments, priority, finished_at, created_at, updated_at)"
		    " VALUES (%d, 'default', 'Report', '{}', 0, %s, %s, %s);"
		    "INSERT INTO solid_queue_recurring_executions (job_id, task_key,"
		    " run_at, created_at) VALUES (%d, 'theirs', %s, %s)",
		    day, finished_at, run_at, run_at, day, run_at, run_at);
}

/* What the list says of the only task. */
static struct recurring_row listed(struct test_db *test)
{
	struct recurring_row *list = NULL;
	size_t count = 0;

	must(recurring_rows, test->db, test->arena, &list, &count);
	assert_int_equal(count, 1);
	assert_string_equal(list->task.key, "theirs");
	assert_true(list->is_static && !list->ours);
	return *list;
}

DB_CASE(a_task_of_rails_is_listed_with_its_last_run)
{
	test_rails_task(test, "@daily", "Report", true);
	assert_int_equal(listed(test).last.run_at, 0);
	add_run(test, 2, "'2026-01-02 00:00:01.000000'");
	assert_string_equal(listed(test).last.state, "finished");
	add_run(test, 3, "NULL");
	assert_string_equal(listed(test).last.state, "waiting");
	assert_int_equal(listed(test).last.job_id, 3);
	assert_int_equal(listed(test).last.run_at, INT64_C(1767398400) * CLOCK_SECOND);
}
