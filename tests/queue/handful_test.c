/*
 * 500 limited jobs that are due go on in a handful of statements, over few keys and over many, as
 * MySQL's server counts them for our session: its scripts have the most.
 */
#include <inttypes.h>

#include "queue/dispatch.h"
#include "tests/support/limited.h"

#define JOBS    500
#define HANDFUL 22

/* Each other session of this database is asked for, and there is one. */
static int64_t executed(struct test_db *test)
{
	return test_query_int(
		test->url,
		"SELECT SUM(s.COUNT_STAR)"
		" FROM performance_schema.events_statements_summary_by_thread_by_event_name s"
		" JOIN performance_schema.threads t USING (THREAD_ID)"
		" WHERE t.PROCESSLIST_DB = DATABASE() AND t.PROCESSLIST_ID <> CONNECTION_ID()"
		" AND s.EVENT_NAME = 'statement/com/Execute'");
}

static void put_due(struct test_db *test, int keys)
{
	struct new_job jobs[JOBS];
	struct enqueued results[JOBS];
	struct error error = { 0 };

	for (int i = 0; i < JOBS; i++)
		jobs[i] = (struct new_job){
			.class_name = "Limited",
			.arguments = "[]",
			.delay = CLOCK_HOUR,
			.concurrency_key = arena_printf(test->arena, "%d/%d", keys, i % keys),
		};
	assert_ok(enqueue(test->db, jobs, JOBS, results, &error), &error);
	test_execute(test->db, "UPDATE solid_queue_scheduled_executions"
			       " SET scheduled_at = '2026-01-01 00:00:00'");
}

static void five_hundred_in_a_handful_of_statements(void **state)
{
	static const int keys[] = { 1, 7, JOBS };
	struct test_db *test = *state;
	struct error error = { 0 };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		int64_t moved = 0;
		put_due(test, keys[i]);
		int64_t before = executed(test);
		assert_ok(dispatch(test->db, JOBS, &moved, &error), &error);
		assert_int_equal(moved, JOBS);
		assert_in_range(executed(test) - before, 1, HANDFUL);
	}
	assert_rows(test, 2 + 7 * 2 + JOBS, 0, 2 * JOBS - 2 - 7 * 2);
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST_ONLY(five_hundred_in_a_handful_of_statements, "mysql"),
	};

	return test_run_backends("handful", cases, sizeof(cases) / sizeof(cases[0]));
}
