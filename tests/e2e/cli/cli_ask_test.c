/*
 * What a bulk action does on a terminal: it asks, shows how far it is, and ends between two
 * transactions when it is interrupted.
 */
#include <inttypes.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "tests/support/query.h"
#include "tests/support/sites/cli.h"
#include "tests/support/wait.h"

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
	return 0;
}

static int close_world(void **state)
{
	struct world *world = *state;

	test_database_drop(world->arena, "sqlite", world->url);
	arena_free(world->arena);
	return 0;
}

/* The program on a terminal of its own. */
struct session {
	pid_t pid;
	int terminal;
	struct text output;
};

static void begin(struct session *session, struct world *world, const char *const *arguments)
{
	const char *all[12] = { "dray", "--database", world->url };
	const struct winsize size = { .ws_row = 25, .ws_col = 100 };
	const char *program = getenv("DRAY_BINARY");

	assert_non_null(program);
	*session = (struct session){ 0 };
	for (size_t i = 0; arguments[i]; i++)
		all[i + 3] = arguments[i];
	session->pid = forkpty(&session->terminal, NULL, NULL, &size);
	assert_true(session->pid >= 0);
	if (session->pid == 0 && program) {
		execv(program, (char *const *)all);
		_exit(127);
	}
}

#define on_terminal(session, world, ...)                                                           \
	begin((session), (world), (const char *const[]){ __VA_ARGS__, NULL })

/* Reads until this is there; what does not come in a minute does not come. */
static void await_text(struct session *session, const char *text)
{
	struct pollfd terminal = { .fd = session->terminal, .events = POLLIN };
	char data[4096];

	while (!strstr(text_string(&session->output), text)) {
		ssize_t got = -1;
		if (poll(&terminal, 1, 60000) == 1)
			got = read(session->terminal, data, sizeof(data));
		if (got <= 0)
			fail_msg("no \"%s\" in: %s", text, text_string(&session->output));
		text_append(&session->output, data, (size_t)got);
	}
}

static void answer(const struct session *session, const char *text)
{
	assert_int_equal(write(session->terminal, text, strlen(text)), strlen(text));
}

/* Everything it wrote, in the arena; its exit status must be `code`. */
static const char *finish(struct session *session, struct world *world, int code)
{
	char data[4096];
	ssize_t got;

	while ((got = read(session->terminal, data, sizeof(data))) > 0) /* EIO at the end */
		text_append(&session->output, data, (size_t)got);
	assert_int_equal(test_wait_exit(session->pid, CLOCK_MINUTE), code);
	(void)close(session->terminal);
	const char *copy = arena_strdup(world->arena, text_string(&session->output));
	text_free(&session->output);
	return copy;
}

static int64_t ready(struct world *world)
{
	return test_query_int(world->url, "SELECT count(*) FROM solid_queue_ready_executions");
}

static void test_no_is_an_answer(void **state)
{
	struct world *world = *state;
	struct session session;

	on_terminal(&session, world, "run-now", "--all");
	await_text(&session, "run-now 2300 jobs (scheduled jobs)? [y/N] ");
	answer(&session, "\n");
	assert_contains(finish(&session, world, 1), "nothing was done");
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
static void test_interrupt_between_two_transactions(void **state)
{
	struct world *world = *state;
	struct session session;
	struct db *db = test_db_open(world->url);

	test_execute(db, "BEGIN IMMEDIATE");
	on_terminal(&session, world, "run-now", "--all", "--yes");
	int64_t deadline = clock_monotonic() + CLOCK_MINUTE;
	while (!holds_interrupts(session.pid) && clock_monotonic() < deadline)
		clock_sleep(10 * CLOCK_MILLISECOND);
	assert_true(holds_interrupts(session.pid));
	answer(&session, "\003");
	test_execute(db, "COMMIT");
	db_close(db);
	const char *output = finish(&session, world, 130);
	assert_contains(output, "interrupted: 500 jobs were released, the others were not changed");
	assert_contains(output, "released 500 jobs\r\n");
	assert_int_equal(ready(world), 500);
	assert_string_equal(
		test_query_text(world->arena, world->url, "SELECT count, state FROM dray_audit"),
		"500 interrupted\n");
}

static void test_yes_and_how_far_it_is(void **state)
{
	struct world *world = *state;
	struct session session;

	on_terminal(&session, world, "run-now", "--class", "A");
	await_text(&session, "run-now 1800 jobs (scheduled jobs of class A)? [y/N] ");
	answer(&session, "y\n");
	const char *output = finish(&session, world, 0);
	assert_contains(output, "\r\033[K[########                      ] 27% 500 jobs released, ");
	assert_contains(output, "\r\033[Kreleased 1800 jobs\r\n");
	assert_int_equal(ready(world), MANY);
	on_terminal(&session, world, "discard", "--state", "ready", "--yes", "--quiet");
	assert_string_equal(finish(&session, world, 0), "");
	assert_int_equal(ready(world), 0);
}

TEST_MAIN()
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_no_is_an_answer),
		cmocka_unit_test(test_interrupt_between_two_transactions),
		cmocka_unit_test(test_yes_and_how_far_it_is),
	};

	if (setenv("TERM", "xterm", 1) != 0)
		return 1;
	return test_group(tests, open_world, close_world);
}
