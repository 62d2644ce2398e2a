/*
 * 500 limited jobs that are due go on in a handful of statements, over few keys and over many, as
 * each database counts them for our session. MySQL's scripts have the most. And a worker that puts
 * back what it does not know pays nothing while it knows everything.
 */
#include "tests/support/jobs/poller.h"
#include "tests/support/limited.h"

#define JOBS    500
#define HANDFUL 22

/* What a session says of itself: how many prepared statements it has executed. */
static const struct {
	const char *backend, *counted;
} sessions[] = {
	{ "sqlite", "SELECT SUM(run) FROM sqlite_stmt" },
	{ "postgresql", "SELECT SUM(generic_plans + custom_plans) FROM pg_prepared_statements" },
	{ "mysql", "SELECT s.COUNT_STAR FROM"
		   " performance_schema.events_statements_summary_by_thread_by_event_name s"
		   " JOIN performance_schema.threads t USING (THREAD_ID)"
		   " WHERE t.PROCESSLIST_ID = CONNECTION_ID()"
		   " AND s.EVENT_NAME = 'statement/com/Execute'" },
	{ "mariadb", "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS"
		     " WHERE VARIABLE_NAME = 'COM_STMT_EXECUTE'" },
};

/* Asked over the connection under test, and kept where another one can read it. */
static int64_t executed(struct test_db *test)
{
	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		if (strcmp(sessions[i].backend, test->backend) != 0)
			continue;
		test_execute(test->db, "DELETE FROM executed");
		sql_execute(test->db, "INSERT INTO executed SELECT (%s)", sessions[i].counted);
		return sql_number(test, "SELECT statements FROM executed");
	}
	fail_msg("no counter for %s", test->backend);
	return 0;
}

static void put_due(struct test_db *test, int keys)
{
	struct new_job jobs[JOBS];
	struct enqueued results[JOBS];

	for (int i = 0; i < JOBS; i++)
		jobs[i] = (struct new_job){
			.class_name = "Limited",
			.arguments = "[]",
			.delay = CLOCK_HOUR,
			.concurrency_key = arena_printf(test->arena, "%d/%d", keys, i % keys),
		};
	must(enqueue, test->db, jobs, JOBS, results);
	make_due(test);
}

DB_CASE(five_hundred_in_a_handful_of_statements)
{
	static const int keys[] = { 1, 7, JOBS };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	test_execute(test->db, "CREATE TABLE executed (statements bigint)");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		put_due(test, keys[i]);
		int64_t before = executed(test);
		assert_int_equal(dispatch_due(test, JOBS), JOBS);
		int64_t statements = executed(test) - before;
		print_message("%d keys: %" PRId64 " statements\n", keys[i], statements);
		assert_in_range(statements, 2, HANDFUL);
	}
	assert_rows(test, 2 + 7 * 2 + JOBS, 0, 2 * JOBS - 2 - 7 * 2);
}

static int64_t cost_of_polls(struct test_db *test, const char *const known[])
{
	static const struct poller_queues chosen = { "default", "def*" };
	struct poller worker;

	open_poller(&worker, test, 0, &chosen);
	worker.claim.unknown.known = known;
	worker.claim.unknown.known_count = 1;
	put(test->db, "default", 0);
	int64_t before = executed(test);
	assert_int_equal(poll_once(&worker), 1);
	for (int idle = 0; idle < 3; idle++)
		assert_int_equal(poll_once(&worker), 0);
	return executed(test) - before;
}

DB_CASE(known_classes_cost_no_statement)
{
	static const char *const known[] = { "Test" };

	test_execute(test->db, "CREATE TABLE executed (statements bigint)");
	(void)cost_of_polls(test, NULL);
	int64_t usual = cost_of_polls(test, NULL);
	assert_true(usual > 0);
	assert_int_equal(cost_of_polls(test, known), usual);
}
