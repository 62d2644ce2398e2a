/* A bulk action on a terminal asks, shows progress, and ends between two transactions. */
#include <inttypes.h>

#include "tests/support/sites/cli.h"
#include "tests/support/sites/process.h"
#include "tests/support/sites/terminal.h"
#include "tests/support/wait.h"

#define MANY 2300

/* Jobs for later. */
static void put_many(struct test_db *test)
{
	sql_execute(test->db,
		    "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 "
		    "FROM n WHERE n < %d) INSERT INTO solid_queue_jobs "
		    "(queue_name, class_name, arguments, priority, scheduled_at, "
		    "created_at, updated_at) SELECT 'a', 'A', '{}', 0, "
		    "'2999-01-01 00:00:00', '2026-01-01 00:00:00', "
		    "'2026-01-01 00:00:00' FROM n",
		    MANY);
	sql_do(test, "INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, "
		     "priority, scheduled_at, created_at) SELECT id, queue_name, priority, "
		     "scheduled_at, created_at FROM solid_queue_jobs");
}

DB_CASE(test_no_is_an_terminal_type)
{
	struct terminal terminal;

	put_many(test);
	terminal_dray(&terminal, test->url, 100, "run-now", "--all");
	terminal_await(&terminal, "run-now 2300 jobs (scheduled jobs)? [y/N] ");
	terminal_type(&terminal, "\n");
	assert_contains(terminal_close(test->arena, &terminal, 1), "nothing was done");
	assert_count(test, 0, "solid_queue_ready_executions");
	assert_count(test, 0, "dray_audit");
}

/* A process that keeps INT and TERM back already; a sanitizer, for moments, all signals. */
#define HELD ((1ULL << (SIGINT - 1)) | (1ULL << (SIGTERM - 1)))

/* It comes while the database keeps it from its first transaction: that one is done, no other. */
DB_CASE(test_interrupt_between_two_transactions)
{
	struct terminal terminal;

	put_many(test);
	test_execute(test->db, "BEGIN IMMEDIATE");
	terminal_dray(&terminal, test->url, 100, "run-now", "--all", "--yes");
	test_until(test_status_of(terminal.pid, "SigBlk:", 16) == HELD, "signals that are held");
	terminal_type(&terminal, "\003");
	test_execute(test->db, "COMMIT");
	const char *output = terminal_close(test->arena, &terminal, 130);
	assert_contains(output, "interrupted: 500 jobs were released, the others were not changed");
	assert_contains(output, "released 500 jobs\r\n");
	assert_count(test, 500, "solid_queue_ready_executions");
	assert_query(test, "500 interrupted\n", "SELECT count, state FROM dray_audit");
}

DB_CASE(test_yes_and_how_far_it_is)
{
	struct terminal terminal;

	put_many(test);
	terminal_dray(&terminal, test->url, 100, "run-now", "--class", "A");
	terminal_await(&terminal, "run-now 2300 jobs (scheduled jobs of class A)? [y/N] ");
	terminal_type(&terminal, "y\n");
	const char *output = terminal_close(test->arena, &terminal, 0);
	assert_contains(output, "\r\033[K[######                        ] 21% 500 jobs released, ");
	assert_contains(output, "\r\033[Kreleased 2300 jobs\r\n");
	assert_count(test, MANY, "solid_queue_ready_executions");
	terminal_dray(&terminal, test->url, 100, "discard", "--state", "ready", "--yes", "--quiet");
	assert_string_equal(terminal_close(test->arena, &terminal, 0), "");
	assert_count(test, 0, "solid_queue_ready_executions");
}

/* Progress is shown to a terminal that can go back in its line. */
static int set_terminal(void **state)
{
	(void)state;
	return setenv("TERM", "xterm", 1); /* NOLINT(concurrency-mt-unsafe): no thread yet */
}

GROUP(set_terminal, NULL);
