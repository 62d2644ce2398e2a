/*
 * 500 limited jobs that are due go on in a handful of statements, over few keys and over many, as
 * each database counts them for our session. MySQL's scripts have the most. And a worker that puts
 * back what it does not know pays nothing while it knows everything, and one of a prefix pays for
 * the queues that it takes from, not at each claim for all that match.
 */
#include "tests/support/jobs/poller.h"
#include "tests/support/limited.h"

#define JOBS    500
#define HANDFUL 22

/*
 * What a session says of itself: how many prepared statements it has executed, and how much they
 * looked at (steps of SQLite's, rows of MySQL's and MariaDB's; PostgreSQL knows it only later).
 */
static const struct {
	const char *backend, *counted, *looked;
} sessions[] = {
	{ "sqlite", "SELECT SUM(run) FROM sqlite_stmt", "SELECT SUM(nstep) FROM sqlite_stmt" },
	{ "postgresql", "SELECT SUM(generic_plans + custom_plans) FROM pg_prepared_statements",
	  "SELECT SUM(generic_plans + custom_plans) FROM pg_prepared_statements" },
	{ "mysql",
	  "SELECT s.COUNT_STAR FROM"
	  " performance_schema.events_statements_summary_by_thread_by_event_name s"
	  " JOIN performance_schema.threads t USING (THREAD_ID)"
	  " WHERE t.PROCESSLIST_ID = CONNECTION_ID()"
	  " AND s.EVENT_NAME = 'statement/com/Execute'",
	  "SELECT SUM(VARIABLE_VALUE) FROM performance_schema.session_status"
	  " WHERE VARIABLE_NAME LIKE 'Handler_read%'" },
	{ "mariadb",
	  "SELECT VARIABLE_VALUE FROM information_schema.SESSION_STATUS"
	  " WHERE VARIABLE_NAME = 'COM_STMT_EXECUTE'",
	  "SELECT SUM(VARIABLE_VALUE) FROM information_schema.SESSION_STATUS"
	  " WHERE VARIABLE_NAME LIKE 'HANDLER_READ%'" },
};

/* Asked over the connection under test, and kept where another one can read it. */
static int64_t ask_session(struct test_db *test, bool looked)
{
	for (size_t i = 0; i < sizeof(sessions) / sizeof(sessions[0]); i++) {
		if (strcmp(sessions[i].backend, test->backend) != 0)
			continue;
		test_execute(test->db, "DELETE FROM executed");
		sql_execute(test->db, "INSERT INTO executed SELECT (%s)",
			    looked ? sessions[i].looked : sessions[i].counted);
		return sql_number(test, "SELECT statements FROM executed");
	}
	fail_msg("no counter for %s", test->backend);
	return 0;
}

static int64_t executed(struct test_db *test)
{
	return ask_session(test, false);
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

/* So many jobs in each of so many queues of a prefix: how much a claim of ten looks at. */
static int64_t cost_of_prefix(struct test_db *test, const char *prefix, int queues, int jobs)
{
	const struct poller_queues chosen = { "none", arena_printf(test->arena, "%s*", prefix) };
	const size_t count = (size_t)queues * (size_t)jobs;
	struct new_job *list = arena_array(test->arena, count, sizeof(*list));
	struct enqueued *results = arena_array(test->arena, count, sizeof(*results));
	struct poller worker;

	for (size_t i = 0; i < count; i++)
		list[i] = (struct new_job){ .class_name = "Test",
					    .arguments = "[]",
					    .queue = arena_printf(test->arena, "%s%zu", prefix,
								  i % (size_t)queues) };
	must(enqueue, test->db, list, count, results);
	open_poller(&worker, test, 2, &chosen);
	int64_t before = ask_session(test, true);
	assert_int_equal(poll_once(&worker), 10);
	int64_t looked = ask_session(test, true) - before;
	print_message("%d queues, %d jobs in each: %" PRId64 "\n", queues, jobs, looked);
	return looked;
}

DB_CASE(a_prefix_costs_by_its_queues_and_not_by_their_jobs)
{
	test_execute(test->db, "CREATE TABLE executed (statements bigint)");
	(void)cost_of_prefix(test, "a_", 20, 1); /* which prepares the statements */
	int64_t few = cost_of_prefix(test, "b_", 50, 1);
	assert_in_range(cost_of_prefix(test, "c_", 50, 20), 1, 3 * few);
	assert_in_range(cost_of_prefix(test, "d_", 500, 1), few, 12 * few);
}
