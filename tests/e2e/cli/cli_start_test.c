/* dray start on every database, and an enqueue whose commit nobody answers. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process.h"
#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/cli.h"
#include "tests/support/wait.h"

#define PATIENCE (30 * CLOCK_SECOND)

/* A directory with a configuration; removed by close_site. */
struct site {
	char directory[64];
	const char *pidfile;
};

static void write_file(struct test_db *test, struct site *site, const char *name, const char *text)
{
	FILE *file = fopen(arena_printf(test->arena, "%s/%s", site->directory, name), "we");

	if (!file || fputs(text, file) < 0 || fclose(file) != 0)
		fail_msg("%s cannot be written", name);
}

static struct site open_site(struct test_db *test)
{
	struct site site = { .directory = "/tmp/dray-site-XXXXXX" };

	assert_non_null(mkdtemp(site.directory));
	site.pidfile = arena_printf(test->arena, "%s/pid", site.directory);
	write_file(test, &site, "queue.yml",
		   "workers: [{queues: \"*\", threads: 2, polling_interval: 0.02}]\n"
		   "dispatchers: [{polling_interval: 0.02}]\n"
		   "database: {retry_for: 0.2}\n");
	write_file(test, &site, "jobs.yml",
		   "jobs: {True: {command: [\"true\"]}, Absent: {command: [/nowhere/program]}}\n");
	return site;
}

static void close_site(struct test_db *test, struct site *site)
{
	(void)unlink(site->pidfile);
	(void)unlink(arena_printf(test->arena, "%s/queue.yml", site->directory));
	(void)unlink(arena_printf(test->arena, "%s/jobs.yml", site->directory));
	assert_int_equal(rmdir(site->directory), 0);
}

static struct test_running start(struct test_db *test, struct site *site)
{
	const char *const arguments[] = { "start",      "--migrate", "--pidfile", site->pidfile,
					  "--config",   "queue.yml", "--jobs",    "jobs.yml",
					  "--database", test->url,   NULL };

	return test_command_start(
		&(struct test_command){ .arguments = arguments, .directory = site->directory });
}

struct awaited {
	struct test_db *test;
	const struct test_running *running;
	const char *text;
	const char *job;
};

static bool has_written(void *data)
{
	const struct awaited *awaited = data;

	return strstr(test_command_errors(awaited->test->arena, awaited->running), awaited->text);
}

static bool has_finished(void *data)
{
	const struct awaited *awaited = data;

	return strstr(test_cli(awaited->test, "job", awaited->job).output, "finished  ") != NULL;
}

static void test_start_runs_jobs_until_told_to_stop(void **state)
{
	struct test_db *test = *state;
	struct site site = open_site(test);
	struct test_running running = start(test, &site);
	struct awaited awaited = { test, &running, "supervisor.started", "1" };

	assert_true(test_wait_until(has_written, &awaited, PATIENCE));
	assert_contains(test_command_errors(test->arena, &running),
			"dray: warning: jobs.yml:1:54: class Absent: program \"/nowhere/program\"");
	assert_code(test_cli(test, "enqueue", "True"), 0);
	assert_true(test_wait_until(has_finished, &awaited, PATIENCE));
	assert_contains(test_cli(test, "processes").output, "Worker");
	struct test_running second = start(test, &site);
	struct test_result refused = test_command_finish(test->arena, &second, PATIENCE);
	assert_code(refused, EXIT_ERROR);
	assert_contains(refused.errors, "supervisor.refused");
	assert_int_equal(kill(running.pid, SIGTERM), 0);
	struct test_result ended = test_command_finish(test->arena, &running, PATIENCE);
	assert_code(ended, 0);
	assert_string_equal(ended.output, "");
	assert_contains(ended.errors, "supervisor.stopped");
	assert_int_not_equal(access(site.pidfile, F_OK), 0);
	close_site(test, &site);
	test_invariant(test->db);
}

/* The server takes the commit, and is then away for longer than we ask. */
static void test_an_uncertain_enqueue_is_called_so(void **state)
{
	struct test_db *test = *state;
	struct site site = open_site(test);
	struct forwarder forwarder;
	const char *url = forwarder_url(&forwarder, test->arena, test->url);
	const char *const arguments[] = { "enqueue",    "True",   "--config",
					  "queue.yml",  "--jobs", "jobs.yml",
					  "--database", url,      NULL };

	forwarder_cut(&forwarder, FORWARDER_CUT_ANSWER, "COMMIT", FORWARDER_REFUSE);
	struct test_result result = test_command_run(
		test->arena,
		&(struct test_command){ .arguments = arguments, .directory = site.directory });
	assert_code(result, EXIT_DATABASE);
	assert_string_equal(result.output, "");
	assert_contains(result.errors, "dray: the job may or may not have been enqueued");
	const char *found = strstr(result.errors, "`dray job ");
	assert_non_null(found);
	const char *id = arena_strndup(test->arena, found + strlen("`dray job "), 36);
	struct test_result job = test_cli(test, "job", id);
	assert_code(job, 0);
	assert_contains(job.output, "state                ready\n");
	forwarder_stop(&forwarder);
	close_site(test, &site);
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST_ON_EMPTY(test_start_runs_jobs_until_told_to_stop),
		/* PostgreSQL's script is one request: no commit to be seen in it. */
		TEST_ONLY(test_an_uncertain_enqueue_is_called_so, "mysql mariadb"),
	};

	return test_run_backends("dray start", cases, sizeof(cases) / sizeof(cases[0]));
}
