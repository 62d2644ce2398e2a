/*
 * What `dray start` refuses, through the program itself: wrong files (all kinds of mistakes are in
 * tests/unit/config_cases), modules that do not load, and databases whose tables are not there.
 * Nothing is started then, and no row is left.
 */
#include <signal.h>
#include <string.h>

#include "common/process.h"
#include "tests/support/sites/site.h"

/* Ends by itself with this status and message, having registered nobody. */
static void assert_refused(struct site *site, int code, const char *message)
{
	struct test_result result = site_run_dray(site, NULL, (const char *[]){ "start", NULL });
	size_t rows;

	assert_code(result, code);
	assert_contains(result.errors, message);
	(void)site_rows(site, NULL, &rows);
	assert_int_equal(rows, 0);
	assert_int_equal(site_processes(site), 0);
}

TEST(test_fs3_wrong_files_start_nothing)
{
	static const struct {
		const char *queue, *jobs, *message;
	} files[] = {
		{ "workers:\n  - {thread: 3}\n", NULL, "config/queue.yml:4:6: " },
		{ "workers:\n  - {threads: many}\n", NULL, "workers[0].threads is \"many\"" },
		{ "workers: []\ndispatchers: []\n", NULL, "No processes configured" },
		{ "workers: [\n", NULL, "config/queue.yml:" },
		{ "shutdown_timeout: -1\n", NULL, "shutdown_timeout" },
		{ "log: {level: loud}\n", NULL, "debug, info, warn, error" },
		{ NULL, "  A: {command: gzip}\n", "expected a list" },
		{ NULL, "  A: {command: [gzip, \"{\"]}\n", "config/jobs.yml:3:" },
		{ NULL, "  A: {module: missing.so}\n", "missing.so" },
		{ NULL, "  A: {queue: a}\n", "command" },
		{ NULL, "  Nothing: {module: " BINARY_DIR "/tests/modules/hard.so}\n", "Nothing" },
	};
	struct site *site = site_open(*state);

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		site_queue_yml(site, files[i].queue);
		site_jobs_yml(site, files[i].jobs);
		assert_refused(site, EXIT_USAGE, files[i].message);
	}
	site_close(site);
}

/* tables */

TEST_ON_EMPTY(test_an_empty_database_is_refused_with_the_remedy)
{
	struct site *site = site_open(*state);
	struct test_result result = site_run_dray(site, NULL, (const char *[]){ "start", NULL });

	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "dray db migrate");
	assert_int_equal(site_processes(site), 0);
	/* A program that is not there stops nobody. */
	site_jobs_yml(site, "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"
			    "  Absent: {command: [/nowhere/program]}\n");
	site->start = site_spawn(site, NULL, (const char *[]){ "start", "--migrate", NULL });
	site_await_log(site, "\"supervisor.started\"", 1);
	assert_contains(site_log(site), "dray: warning: config/jobs.yml:4:22: class Absent: "
					"program \"/nowhere/program\"");
	site_await_rows(site, NULL, 3);
	site_enqueue_many(site, "Log", "default", 3);
	site_await_done(site, 3);
	(void)site_dray(site, "db", "verify");
	site_close(site);
}

/* The tables of one that Rails made: they are there, and nobody has said that they will do. */
TEST(test_a_database_that_is_behind_is_refused)
{
	struct site *site = site_open(*state);

	test_execute(site->db, "DELETE FROM dray_migrations WHERE version = 1");
	assert_refused(site, EXIT_USAGE, "dray db migrate");
	(void)site_dray(site, "db", "migrate");
	site_start(site, 3);
	site_close(site);
}

TEST(test_a_database_that_is_ahead_is_refused)
{
	struct site *site = site_open(*state);

	test_execute(site->db, "UPDATE dray_migrations SET version = 9999 WHERE version = 1");
	assert_refused(site, EXIT_USAGE, "newer");
	site_close(site);
}

/* As on the first day of two hosts. */
TEST_ON_EMPTY(test_two_starts_migrate_at_once)
{
	static const char *const arguments[] = { "start", "--migrate", NULL };
	struct site *site = site_open(*state);

	site->start = site_spawn(site, NULL, arguments);
	struct test_running other = site_spawn(site, NULL, arguments);
	site_await_log(site, "\"supervisor.started\"", 1);
	site_await_rows(site, NULL, 6);
	site_enqueue_many(site, "Log", "default", 30);
	site_await_done(site, 30);
	assert_int_equal(site_lines(site, "done"), 30); /* each once */
	assert_int_equal(kill(other.pid, SIGTERM), 0);
	struct test_result result = test_command_finish(site->arena, &other, 30000000);
	assert_code(result, 0);
	site_await_rows(site, NULL, 3);
	(void)site_stop(site, SIGTERM);
	(void)site_dray(site, "db", "verify");
	site_close(site);
}

GROUP(NULL, site_group_end);
