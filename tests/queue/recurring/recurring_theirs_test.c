/* Tasks that only Rails has: they are in the list, with the last run that Rails' table knows. */
#include "tests/support/sites/cli.h"

static void add_theirs(struct test_db *test)
{
	bool mysql = db_dialect_of(test->db) == DB_MYSQL;

	test_execute(test->db,
		     arena_printf(test->arena,
				  "INSERT INTO solid_queue_recurring_tasks (%s, schedule, static,"
				  " class_name, created_at, updated_at) VALUES ('theirs', '@daily',"
				  " %s, 'Report', '2026-01-01', '2026-01-01')",
				  mysql ? "`key`" : "key",
				  db_dialect_of(test->db) == DB_POSTGRESQL ? "true" : "1"));
}

static void add_run(struct test_db *test, int day, const char *finished_at)
{
	const char *run_at = arena_printf(test->arena, "'2026-01-%02d 00:00:00.000000'", day);

	test_execute(test->db,
		     arena_printf(test->arena,
				  "INSERT INTO solid_queue_jobs (id, queue_name, class_name,"
				  " arguments, priority, finished_at, created_at, updated_at)"
				  " VALUES (%d, 'default', 'Report', '{}', 0, %s, %s, %s);"
				  "INSERT INTO solid_queue_recurring_executions (job_id, task_key,"
				  " run_at, created_at) VALUES (%d, 'theirs', %s, %s)",
				  day, finished_at, run_at, run_at, day, run_at, run_at));
}

DB_CASE(a_task_of_rails_is_listed_with_its_last_run)
{
	add_theirs(test);
	assert_json(test_cli(test, "recurring", "list", "--json"), 0,
		    "[{'key': 'theirs', 'from': 'Rails', 'last_run_at': null}]");
	add_run(test, 2, "'2026-01-02 00:00:01.000000'");
	add_run(test, 3, "NULL");
	assert_json(test_cli(test, "recurring", "list", "--json"), 0,
		    "[{'last_run_at': '2026-01-03T00:00:00...', 'last_outcome': 'waiting',"
		    " 'last_job_id': 3}]");
}
