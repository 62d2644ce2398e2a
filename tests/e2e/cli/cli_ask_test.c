/* A bulk action on a terminal asks, shows progress, and ends between two transactions. */
#include <inttypes.h>

#include "tests/support/sites/cli.h"
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

static void begin(struct terminal *terminal, const struct test_db *test,
		  const char *const *arguments)
{
	const char *all[12] = { "--database", test->url };

	for (size_t i = 0; arguments[i]; i++)
		all[i + 2] = arguments[i];
	terminal_open(terminal, &(struct test_command){ .arguments = all }, 100);
}

#define on_terminal(terminal, test, ...)                                                           \
	begin((terminal), (test), (const char *const[]){ __VA_ARGS__, NULL })

static int64_t ready(struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM solid_queue_ready_executions");
}

DB_CASE(test_no_is_an_terminal_type)
{
	struct terminal terminal;

	put_many(test);
	on_terminal(&terminal, test, "run-now", "--all");
	terminal_await(&terminal, "run-now 2300 jobs (scheduled jobs)? [y/N] ");
	terminal_type(&terminal, "\n");
	assert_contains(terminal_close(test->arena, &terminal, 1), "nothing was done");
	assert_int_equal(ready(test), 0);
	assert_count(test, 0, "dray_audit");
}

#define HELD ((1ULL << (SIGINT - 1)) | (1ULL << (SIGTERM - 1)))

/* Does the process keep INT and TERM back already? A sanitizer, for moments, all signals. */
static bool holds_interrupts(pid_t pid)
{
	char path[64];
	char line[256];
	unsigned long long blocked = 0;

	(void)snprintf(path, sizeof(path), "/proc/%d/status", (int)pid);
	FILE *file = fopen(path, "re");
	if (!file)
		return false;
	while (fgets(line, sizeof(line), file))
		if (strncmp(line, "SigBlk:", 7) == 0)
			blocked = strtoull(line + 7, NULL, 16);
	(void)fclose(file);
	return blocked == HELD;
}

/* It comes while the database keeps it from its first transaction: that one is done, no other. */
DB_CASE(test_interrupt_between_two_transactions)
{
	struct terminal terminal;

	put_many(test);
	test_execute(test->db, "BEGIN IMMEDIATE");
	on_terminal(&terminal, test, "run-now", "--all", "--yes");
	test_until(holds_interrupts(terminal.pid), "signals that are held");
	terminal_type(&terminal, "\003");
	test_execute(test->db, "COMMIT");
	const char *output = terminal_close(test->arena, &terminal, 130);
	assert_contains(output, "interrupted: 500 jobs were released, the others were not changed");
	assert_contains(output, "released 500 jobs\r\n");
	assert_int_equal(ready(test), 500);
	assert_query(test, "500 interrupted\n", "SELECT count, state FROM dray_audit");
}

DB_CASE(test_yes_and_how_far_it_is)
{
	struct terminal terminal;

	put_many(test);
	on_terminal(&terminal, test, "run-now", "--class", "A");
	terminal_await(&terminal, "run-now 2300 jobs (scheduled jobs of class A)? [y/N] ");
	terminal_type(&terminal, "y\n");
	const char *output = terminal_close(test->arena, &terminal, 0);
	assert_contains(output, "\r\033[K[######                        ] 21% 500 jobs released, ");
	assert_contains(output, "\r\033[Kreleased 2300 jobs\r\n");
	assert_int_equal(ready(test), MANY);
	on_terminal(&terminal, test, "discard", "--state", "ready", "--yes", "--quiet");
	assert_string_equal(terminal_close(test->arena, &terminal, 0), "");
	assert_int_equal(ready(test), 0);
}

/* Progress is shown to a terminal that can go back in its line. */
static int set_terminal(void **state)
{
	(void)state;
	return setenv("TERM", "xterm", 1); /* NOLINT(concurrency-mt-unsafe): no thread yet */
}

GROUP(set_terminal, NULL);
