/*
 * What `dray start` refuses, through the program itself: wrong files (all kinds of mistakes are in
 * tests/unit/config_cases), modules that do not load, and databases whose tables are not there.
 * Nothing is started then, and no row is left. Once it has worked, a refusal is an outage.
 */
#include <signal.h>
#include <string.h>

#include "common/process.h"
#include "tests/support/sites/site.h"

static void assert_nothing_runs(struct site *site)
{
	assert_int_equal(site_row_count(site, NULL), 0);
	assert_int_equal(site_processes(site), 0);
}

SITE_CASE(test_fs3_wrong_files_start_nothing)
{
	static const struct {
		const char *queue, *jobs;
	} files[] = {
		{ "workers:\n  - {thread: 3}\n", NULL },
		{ "workers:\n  - {threads: many}\n", NULL },
		{ "workers: []\ndispatchers: []\n", NULL },
		{ "workers: [\n", NULL },
		{ "shutdown_timeout: -1\n", NULL },
		{ "log: {level: loud}\n", NULL },
		{ NULL, "  A: {command: gzip}\n" },
		{ NULL, "  A: {command: [gzip, \"{\"]}\n" },
		{ NULL, "  A: {module: missing.so}\n" },
		{ NULL, "  A: {queue: a}\n" },
		{ NULL, "  Nothing: {module: " BINARY_DIR "/tests/modules/hard.so}\n" },
	};
	struct text said = { 0 };

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		site_queue_yml(site, files[i].queue);
		site_jobs_yml(site, files[i].jobs);
		assert_refused(&said, site_try(site, "start"));
	}
	test_said("start.wrong_files", &said);
	assert_nothing_runs(site);
}

/* tables */

SITE_CASE_ON_EMPTY(test_an_empty_database_is_refused_with_the_remedy)
{
	struct text said = { 0 };

	assert_refused(&said, site_try(site, "start"));
	test_said("tables.none", &said);
	assert_int_equal(site_processes(site), 0);
	/* A program that is not there stops nobody. */
	site_jobs_yml(site, "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n"
			    "  Absent: {command: [/nowhere/program]}\n");
	site->start = site_launch(site, "start", "--migrate");
	site_await_log(site, "\"supervisor.started\"", 1);
	assert_contains(site_log(site), "dray: warning: config/jobs.yml:4:22: class Absent: ");
	site_await_rows(site, NULL, 3);
	site_enqueue_many(site, "Log", "default", 3);
	site_await_done(site, 3);
	(void)site_dray(site, "db", "verify");
}

/* The tables of one that Rails made: they are there, and nobody has said that they will do. */
SITE_CASE(test_a_database_that_is_behind_is_refused)
{
	struct text said = { 0 };

	test_execute(site->db, "DELETE FROM dray_migrations WHERE version = 1");
	assert_refused(&said, site_try(site, "start"));
	test_said("tables.behind", &said);
	assert_nothing_runs(site);
	(void)site_dray(site, "db", "migrate");
	site_start(site, 3);
}

SITE_CASE(test_a_database_that_is_ahead_is_refused)
{
	struct text said = { 0 };

	test_execute(site->db, "UPDATE dray_migrations SET version = 9999 WHERE version = 1");
	assert_refused(&said, site_try(site, "start"));
	test_said("tables.ahead", &said);
	assert_nothing_runs(site);
}

/* As on the first day of two hosts. */
SITE_CASE_ON_EMPTY(test_two_starts_migrate_at_once)
{
	static const char *const arguments[] = { "start", "--migrate", NULL };

	site->start = site_spawn(site, NULL, arguments);
	struct test_running other = site_spawn(site, NULL, arguments);
	site_await_log(site, "\"supervisor.started\"", 1);
	site_await_rows(site, NULL, 6);
	site_enqueue_many(site, "Log", "default", 30);
	site_await_done(site, 30);
	assert_int_equal(site_lines(site, "done"), 30); /* each once */
	site_stop_other(site, &other);
	site_await_rows(site, NULL, 3);
	(void)site_stop(site, SIGTERM);
	(void)site_dray(site, "db", "verify");
}

/* What the database refuses for a while to one that starts just then is no reason to give it up. */
SITE_CASE(test_a_child_that_is_refused_later_waits)
{
	site_start(site, 3);
	int64_t pid = site_int(site, "SELECT pid FROM solid_queue_processes WHERE kind = 'Worker'");
	test_execute(site->db, "ALTER TABLE dray_migrations RENAME TO dray_away");
	assert_int_equal(kill((pid_t)pid, SIGKILL), 0);
	site_await_log(site, "\"during\":\"start\"", 1);
	test_execute(site->db, "ALTER TABLE dray_away RENAME TO dray_migrations");
	site_await(site, site_enqueue(site, "Log"), JOB_FINISHED);
	site_await_log(site, "\"process.recovered\"", 1);
	assert_int_equal(site_logged(site, "\"child.given_up\""), 0);
	assert_int_equal(site_logged(site, "\"process.refused\""), 0);
}
