/*
 * What `dray start` refuses, through the program itself: wrong files (all kinds of mistakes are in
 * tests/unit/config_cases), modules that do not load, and databases whose tables are not there.
 * Nothing is started then, and no row is left. Once it has worked, a refusal is an outage.
 */
#include "tests/support/sites/site.h"
#include "tests/support/torn.h"

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

SITE_CASE(test_a_database_that_is_behind_is_refused)
{
	struct text said = { 0 };

	test_rows_before(site->db, 18, false);
	assert_refused(&said, site_try(site, "start"));
	test_said("tables.behind", &said);
	assert_nothing_runs(site);
	(void)site_dray(site, "db", "migrate");
	site_start(site, 3);
}

SITE_CASE(test_a_database_that_is_ahead_is_refused)
{
	struct text said = { 0 };

	test_execute(site->db,
		     "INSERT INTO dray_migrations (version, name) VALUES (9999, 'tables')");
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

static void take_table(struct site *site, const char *table)
{
	sql_execute(site->db, "ALTER TABLE %s RENAME TO away", table);
}

static void give_table(struct site *site, const char *table)
{
	sql_execute(site->db, "ALTER TABLE away RENAME TO %s", table);
}

/* Refused for a while, before it is registered and when its role starts: no reason to give up. */
SITE_CASE(test_a_child_that_is_refused_later_waits)
{
	static const char *const tables[] = { "dray_migrations", "dray_others" };

	site_start(site, 3);
	for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++) {
		struct process_row worker = site_await_row(site, "Worker", "queues", 0);
		take_table(site, tables[i]);
		assert_int_equal(kill(worker.pid, SIGKILL), 0);
		site_await_log(site, "\"during\":\"start\"", 2 * i + 1);
		site_await_title(site, site->start.pid,
				 "dray: supervisor 1/2 ready, waiting for the database");
		give_table(site, tables[i]);
		site_run(site, "Log");
		site_await_log(site, "\"process.recovered\"", i + 1);
	}
	assert_int_equal(site_logged(site, "\"child.given_up\""), 0);
	assert_int_equal(site_logged(site, "\"process.refused\""), 0);
}

/* Its job was deleted by hand; nobody was running it: one line, and no loss. */
SITE_CASE(test_a_claim_without_a_job_leaves_a_line)
{
	const int64_t job = site_enqueue(site, "Log");

	torn_unguard(site->test);
	test_execute(site->test->db, "DELETE FROM solid_queue_ready_executions");
	test_execute(site->test->db, "DELETE FROM solid_queue_jobs");
	torn_add(site->test, "claimed", job, 99);
	site_start(site, 3);
	site_await_log(site, "\"job.missing\"", 1);
	site_await(site, site_enqueue(site, "Log"), JOB_FINISHED);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"job.missing\""), 1);
	assert_contains(site_log(site), site_number(site, job));
	assert_int_equal(site_logged(site, "\"claims.orphaned\""), 0);
	assert_int_equal(site_logged(site, "\"process.trouble\""), 0);
}

/* The program that begins anew has worked before. */
SITE_CASE(test_a_role_alone_that_reloads_while_it_is_refused_waits)
{
	site->start = site_launch(site, "worker");
	struct process_row row = site_await_row(site, "Worker", "queues", 0);
	site_queue_yml(site, "workers:\n  - {threads: 4, polling_interval: 0.02}\n");
	take_table(site, "dray_migrations");
	assert_int_equal(kill(row.pid, SIGHUP), 0);
	site_await_log(site, "\"during\":\"start\"", 1);
	give_table(site, "dray_migrations");
	(void)site_await_row(site, "Worker", "\"thread_pool_size\":4", row.id);
}

/* A first start: it ends with 2 and one line, or waits for what may be mended. */
static void assert_refused_at_first(struct site *site, bool mended)
{
	static const char *const commands[] = { "start", "worker", "dispatcher", "scheduler" };

	site_write(site, "config/recurring.yml", "task: {schedule: every day, class: Log}\n");
	for (size_t i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		struct test_result result = site_try(site, commands[i]);
		assert_code(result, EXIT_USAGE);
		assert_int_equal(test_count_text(result.errors, "\n"), 1);
		site->start = site_launch(site, commands[i], "--wait");
		if (mended) {
			site_await_log(site, "\"process.trouble\"", 1);
			assert_int_equal(kill(site->start.pid, SIGTERM), 0);
		}
		assert_code(site_finish(site), mended ? EXIT_STOPPED : EXIT_USAGE);
		assert_int_equal(site_logged(site, "\"level\":\"error\""), 1);
	}
}

/* Whatever --wait says: such a file does not become a database. */
SITE_CASE_ONLY(test_a_file_that_is_no_database_at_a_first_start, "sqlite")
{
	static const char *const commands[] = { "start", "worker", "dispatcher" };
	static const char *const texts[] = {
		"short",
		"SQLite format 3",
		"# Notes that are longer than the words with which a database begins\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		site_write(site, "notes", texts[i]);
		for (size_t j = 0; j < 2 * sizeof(commands) / sizeof(commands[0]); j++) {
			struct test_result result =
				site_try(site, "--database", "sqlite3:notes", commands[j / 2],
					 j % 2 ? "--wait" : NULL);
			assert_code(result, EXIT_USAGE);
			assert_int_equal(test_count_text(result.errors, "\n"), 1);
		}
	}
}

SITE_CASE_ON_EMPTY(test_missing_tables_at_a_first_start)
{
	assert_refused_at_first(site, true);
	site->start = site_launch(site, "start", "--wait");
	site_await_log(site, "\"process.trouble\"", 1);
	(void)site_dray(site, "db", "migrate");
	site_await_rows(site, NULL, 4);
	site_await_log(site, "\"process.recovered\"", 1);
}

SITE_CASE_ONLY(test_a_refused_database_at_a_first_start, "postgresql mysql mariadb")
{
	const char *path = strchr(strstr(site->url, "//") + 2, '/');

	site_write(site, "config/queue.yml",
		   arena_printf(site->arena,
				"database: {url: \"%.*s/nowhere\"}\nworkers: [{}]\n"
				"dispatchers: [{}]\n",
				(int)(path - site->url), site->url));
	assert_refused_at_first(site, true);
	site_queue_yml(site, NULL);
}

SITE_CASE_ONLY(test_a_file_that_cannot_be_used_at_a_first_start, "sqlite")
{
	static const char *const paths[] = { "nowhere/q", "missing", "config", "done/q", "done" };

	site_write(site, "done", "No database, but long enough to be looked at as if it were one.");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		site_write(site, "config/queue.yml",
			   arena_printf(site->arena,
					"database: {url: \"sqlite3:%s\"}\nworkers: [{}]\n"
					"dispatchers: [{}]\n",
					paths[i]));
		assert_refused_at_first(site, false);
	}
	site_write(site, "config/queue.yml",
		   "database: {url: \"sqlite3:nowhere/q\"}\nworkers: [{}]\n");
	assert_code(site_try(site, "start", "--migrate", "--wait"), EXIT_USAGE);
	site_queue_yml(site, NULL);
}

/* Its heartbeat works and its ticks do not: its row says so, and no more when they work again. */
SITE_CASE(test_who_cannot_work_says_so_in_its_row)
{
	static const struct {
		const char *kind, *table;
	} roles[] = {
		{ "Worker", "solid_queue_ready_executions" },
		{ "Dispatcher", "solid_queue_scheduled_executions" },
	};

	site_queue_yml(site, "process_heartbeat_interval: 20\n"
			     "workers:\n  - {threads: 1, polling_interval: 0.02}\n"
			     "dispatchers:\n  - {polling_interval: 0.05}\n");
	site_start(site, 3);
	for (size_t i = 0; i < sizeof(roles) / sizeof(roles[0]); i++) {
		take_table(site, roles[i].table);
		struct process_row row =
			site_await_row(site, roles[i].kind, "\"trouble_since\"", 0);
		assert_contains(row.metadata, "\"trouble\":\"");
		assert_contains(row.metadata, roles[i].table);
		give_table(site, roles[i].table);
		site_await_int(site,
			       "SELECT count(*) FROM solid_queue_processes "
			       "WHERE metadata LIKE '%trouble%'",
			       0);
	}
}
