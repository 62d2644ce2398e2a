/*
 * What a bulk action does on a terminal: it asks, shows how far it is, and ends between two
 * transactions when it is interrupted.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "tests/support/query.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/terminal.h"

#define MANY 2300

/* A database with many scheduled jobs. */
struct world {
	struct arena *arena;
	const char *url;
};

static int open_world(void **state)
{
	static struct world world;

	world = (struct world){ .arena = arena_new() };
	world.url = test_database_new(world.arena, "sqlite");
	assert_code(test_dray(world.arena, "db", "migrate", "--database", world.url), 0);
	struct db *db = test_db_open(world.url);
	test_execute(db, arena_printf(world.arena,
				      "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 "
				      "FROM n WHERE n < %d) INSERT INTO solid_queue_jobs "
				      "(queue_name, class_name, arguments, priority, scheduled_at, "
				      "created_at, updated_at) SELECT 'a', 'A', '{}', 0, "
				      "'2999-01-01 00:00:00', '2026-01-01 00:00:00', "
				      "'2026-01-01 00:00:00' FROM n",
				      MANY));
	test_execute(db, "INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, "
			 "priority, scheduled_at, created_at) SELECT id, queue_name, priority, "
			 "scheduled_at, created_at FROM solid_queue_jobs");
	db_close(db);
	*state = &world;
	return setenv("TERM", "xterm", 1); /* NOLINT(concurrency-mt-unsafe): no thread yet */
}

static int close_world(void **state)
{
	struct world *world = *state;

	test_database_drop(world->arena, "sqlite", world->url);
	arena_free(world->arena);
	return 0;
}

static void begin(struct terminal *terminal, const struct world *world,
		  const char *const *arguments)
{
	const char *all[12] = { "--database", world->url };

	for (size_t i = 0; arguments[i]; i++)
		all[i + 2] = arguments[i];
	terminal_open(terminal, &(struct test_command){ .arguments = all }, 100);
}

#define on_terminal(terminal, world, ...)                                                          \
	begin((terminal), (world), (const char *const[]){ __VA_ARGS__, NULL })

static int64_t ready(struct world *world)
{
	return test_query_int(world->url, "SELECT count(*) FROM solid_queue_ready_executions");
}

CASE(test_no_is_an_terminal_type)
{
	struct world *world = *state;
	struct terminal terminal;

	on_terminal(&terminal, world, "run-now", "--all");
	terminal_await(&terminal, "run-now 2300 jobs (scheduled jobs)? [y/N] ");
	terminal_type(&terminal, "\n");
	assert_contains(terminal_close(world->arena, &terminal, 1), "nothing was done");
	assert_int_equal(ready(world), 0);
	assert_int_equal(test_query_int(world->url, "SELECT count(*) FROM dray_audit"), 0);
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
CASE(test_interrupt_between_two_transactions)
{
	struct world *world = *state;
	struct terminal terminal;
	struct db *db = test_db_open(world->url);

	test_execute(db, "BEGIN IMMEDIATE");
	on_terminal(&terminal, world, "run-now", "--all", "--yes");
	int64_t deadline = clock_monotonic() + CLOCK_MINUTE;
	while (!holds_interrupts(terminal.pid) && clock_monotonic() < deadline)
		clock_sleep(10 * CLOCK_MILLISECOND);
	assert_true(holds_interrupts(terminal.pid));
	terminal_type(&terminal, "\003");
	test_execute(db, "COMMIT");
	db_close(db);
	const char *output = terminal_close(world->arena, &terminal, 130);
	assert_contains(output, "interrupted: 500 jobs were released, the others were not changed");
	assert_contains(output, "released 500 jobs\r\n");
	assert_int_equal(ready(world), 500);
	assert_string_equal(
		test_query_text(world->arena, world->url, "SELECT count, state FROM dray_audit"),
		"500 interrupted\n");
}

CASE(test_yes_and_how_far_it_is)
{
	struct world *world = *state;
	struct terminal terminal;

	on_terminal(&terminal, world, "run-now", "--class", "A");
	terminal_await(&terminal, "run-now 1800 jobs (scheduled jobs of class A)? [y/N] ");
	terminal_type(&terminal, "y\n");
	const char *output = terminal_close(world->arena, &terminal, 0);
	assert_contains(output, "\r\033[K[########                      ] 27% 500 jobs released, ");
	assert_contains(output, "\r\033[Kreleased 1800 jobs\r\n");
	assert_int_equal(ready(world), MANY);
	on_terminal(&terminal, world, "discard", "--state", "ready", "--yes", "--quiet");
	assert_string_equal(terminal_close(world->arena, &terminal, 0), "");
	assert_int_equal(ready(world), 0);
}

GROUP(open_world, close_world);
