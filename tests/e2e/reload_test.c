/*
 * HUP and `dray reload`: who is replaced and who runs on, what happens to running jobs, and that
 * any mistake leaves everything as it was.
 */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process.h"
#include "tests/support/sites/site.h"

#define SETTINGS "process_heartbeat_interval: 0.2\nshutdown_timeout: 30\n"
#define FIRST    "  - {queues: first, threads: 2, polling_interval: 0.02}\n"
#define SECOND   "  - {queues: second, threads: 2, polling_interval: 0.02}\n"
#define THIRD    "  - {queues: third, threads: 1, polling_interval: 0.02}\n"
#define FEEDER   "dispatchers:\n  - {polling_interval: 0.05}\n"

static const char jobs[] =
	"  Wait: {command: [sh, -c, 'echo >>begun; while [ ! -e go ]; do sleep 0.02; done; "
	"echo >>completed']}\n"
	"  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n";

static struct site *start(struct test_db *test)
{
	struct site *site = site_open(test);

	site_jobs_yml(site, jobs);
	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	site_start(site, 4);
	(void)site_await_row(site, "Worker", "\"first\"", 0);
	(void)site_await_row(site, "Worker", "\"second\"", 0);
	site_await_log(site, "\"process.started\"", 3);
	return site;
}

static pid_t worker(struct site *site, const char *queue)
{
	const char *text = arena_printf(site->arena, "\"queues\":\"%s\"", queue);

	return site_await_row(site, "Worker", text, 0).pid;
}

static size_t count_of(const char *log, const char *text)
{
	size_t count = 0;

	for (; (log = strstr(log, text)) != NULL; log += strlen(text))
		count++;
	return count;
}

static const char *reload(struct site *site)
{
	return site_dray(site, "reload");
}

static void assert_refused(struct site *site, int code, const char *text)
{
	struct test_result result = site_run_dray(site, NULL, (const char *[]){ "reload", NULL });

	assert_code(result, code);
	assert_contains(result.errors, text);
}

/* Everyone works. */
static void assert_works(struct site *site, const char *queue)
{
	int64_t job = site_enqueue(site, "Log", "--queue", queue);

	site_await(site, job, JOB_FINISHED);
}

TEST(test_only_who_changed_is_replaced)
{
	struct site *site = start(*state);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");
	int64_t job = site_enqueue(site, "Wait", "--queue", "first");

	site_await_lines(site, "begun", 1);
	site_queue_yml(
		site, SETTINGS
		"workers:\n"
		"  - {queues: first, threads: 3, polling_interval: 0.02}\n" THIRD SECOND FEEDER);
	assert_contains(reload(site), "1 process to be replaced, 1 added, 0 removed");
	site_await_log(site, "\"setting\":\"workers[2]\",\"after\":\"added\"", 1);
	assert_works(site, "third");
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_write(site, "go", "");
	site_await(site, job, JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 1);
	struct process_row next = site_await_row(site, "Worker", "\"thread_pool_size\":3", 0);
	assert_int_not_equal(next.pid, first);
	assert_int_equal(worker(site, "second"), second);
	site_await_rows(site, "Worker", 3);
	assert_works(site, "first");
	site_close(site);
}

TEST(test_entries_come_and_go)
{
	struct site *site = start(*state);
	pid_t second = worker(site, "second");

	site_queue_yml(site, SETTINGS "workers:\n" SECOND);
	assert_contains(reload(site), "0 processes to be replaced, 0 added, 2 removed");
	site_await_rows(site, NULL, 2);
	assert_int_equal(worker(site, "second"), second);
	site_await_title(site, site->start.pid, "dray: supervisor 1/1 ready");

	site_queue_yml(site, SETTINGS "workers:\n"
				      "  - {queues: second, threads: 2, polling_interval: 0.02, "
				      "processes: 3}\n" FEEDER);
	assert_contains(reload(site), "0 processes to be replaced, 3 added, 0 removed");
	site_await_rows(site, "Worker", 3);
	site_await_rows(site, "Dispatcher", 1);
	assert_int_equal(site_await_row(site, "Worker", "second", 0).pid, second);
	site_await_title(site, site->start.pid, "dray: supervisor 4/4 ready");
	assert_works(site, "second");
	site_close(site);
}

/* jobs.yml concerns the workers, and new jobs run as it says now. */
TEST(test_other_jobs)
{
	struct site *site = start(*state);
	pid_t first = worker(site, "first");
	struct process_row dispatcher = site_await_row(site, "Dispatcher", "", 0);

	site_jobs_yml(site, "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>other']}\n");
	assert_contains(reload(site), "2 processes to be replaced");
	site_await_log(site, "\"process.started\"", 5);
	assert_int_not_equal(worker(site, "first"), first);
	assert_int_equal(site_await_row(site, "Dispatcher", "", 0).pid, dispatcher.pid);
	assert_works(site, "first");
	assert_int_equal(site_lines(site, "other"), 1);
	site_close(site);
}

TEST(test_everybodys_settings)
{
	struct site *site = start(*state);

	site_queue_yml(site, "process_heartbeat_interval: 0.3\nshutdown_timeout: 30\n"
			     "workers:\n" FIRST SECOND FEEDER);
	assert_contains(reload(site), "1 setting changed, 3 processes to be replaced");
	site_await_log(site, "\"process.started\"", 6);
	site_await_rows(site, NULL, 4);
	(void)site_await_row(site, "Supervisor(fork)", "\"heartbeat_interval\":0.3", 0);
	site_close(site);
}

TEST(test_the_log_without_a_restart)
{
	struct site *site = start(*state);
	pid_t first = worker(site, "first");

	site_queue_yml(site, SETTINGS "log: {level: debug}\nworkers:\n" FIRST SECOND FEEDER);
	assert_contains(reload(site), "1 setting changed, 0 processes to be replaced");
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	site_await_log(site,
		       arena_printf(site->arena,
				    "\"event\":\"job.started\",\"role\":\"worker\",\"pid\":%d,"
				    "\"job\":%lld",
				    (int)first, (long long)job),
		       1);
	assert_int_equal(worker(site, "first"), first);
	site_close(site);
}

static void assert_untouched(struct site *site, pid_t first, pid_t second)
{
	assert_works(site, "first");
	assert_works(site, "second");
	assert_int_equal(worker(site, "first"), first);
	assert_int_equal(worker(site, "second"), second);
	site_await_rows(site, NULL, 4);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
}

TEST(test_a_mistake_changes_nothing)
{
	struct site *site = start(*state);
	pid_t first = worker(site, "first");
	pid_t second = worker(site, "second");

	site_queue_yml(site, SETTINGS "workers:\n" THIRD "  - {queus: a, threads: many}\n");
	assert_refused(site, EXIT_USAGE, "the configuration was not reloaded; nothing has changed");
	assert_int_equal(site_logged(site, "\"reload.begun\""), 0);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"reload.refused\"", 1);
	assert_int_equal(site_logged(site, "\"reload.mistake\""), 2);

	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	assert_untouched(site, first, second);
	site_jobs_yml(site, "  Log: {module: /nowhere/module.so}\n");
	assert_refused(site, EXIT_ERROR, "/nowhere/module.so");
	site_jobs_yml(site, jobs);
	site_queue_yml(site, SETTINGS "supervisor_pidfile: pid\nworkers:\n" FIRST SECOND FEEDER);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "supervisor_pidfile cannot change while dray runs", 2);
	assert_untouched(site, first, second);

	site_queue_yml(site, SETTINGS "workers:\n" FIRST SECOND FEEDER);
	assert_contains(reload(site), "0 settings changed");
	assert_untouched(site, first, second);
	site_close(site);
}

/* While one worker still finishes for the first reload, a second one changes it again. */
TEST(test_a_reload_during_a_reload)
{
	struct site *site = start(*state);
	int64_t job = site_enqueue(site, "Wait", "--queue", "first");

	site_await_lines(site, "begun", 1);
	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	assert_contains(reload(site), "1 process to be replaced, 0 added, 0 removed");
	site_queue_yml(site,
		       SETTINGS "workers:\n"
				"  - {queues: fourth, polling_interval: 0.02}\n" SECOND FEEDER);
	for (int i = 0; i < 5; i++)
		assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"after\":\"fourth\"", 1);
	site_write(site, "go", "");
	site_await(site, job, JOB_FINISHED);
	(void)site_await_row(site, "Worker", "fourth", 0);
	site_await_rows(site, NULL, 4);
	assert_works(site, "fourth");
	assert_works(site, "second");
	site_close(site);
}

/* The process that is on its way out for its replacement's sake is not replaced any more. */
TEST(test_the_end_during_a_reload)
{
	struct site *site = start(*state);
	int64_t job = site_enqueue(site, "Wait", "--queue", "first");

	site_await_lines(site, "begun", 1);
	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	(void)reload(site);
	site_await_log(site, "\"process.stopping\"", 1);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_await_log(site, "\"supervisor.stopping\"", 1);
	site_write(site, "go", "");
	struct test_result result = site_finish(site);
	assert_code(result, 0);
	assert_int_equal(count_of(result.errors, "process.started"), 3);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	site_close(site);
}

TEST(test_a_quiet_deployment_stays_quiet)
{
	struct site *site = start(*state);

	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	site_await_log(site, "\"process.quiet\"", 3);
	site_queue_yml(site, SETTINGS "workers:\n" THIRD SECOND FEEDER);
	(void)reload(site);
	struct process_row row = site_await_row(site, "Worker", "\"third\"", 0);
	assert_contains(row.metadata, "\"quiet\":true");
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	assert_works(site, "third");
	site_close(site);
}

TEST(test_by_pidfile)
{
	struct site *site = site_open(*state);

	site_jobs_yml(site, jobs);
	site_queue_yml(site, SETTINGS "workers:\n" FIRST FEEDER);
	assert_refused(site, EXIT_ERROR, "no running `dray start` of this host");
	site_write(site, "pid", "1");
	struct test_result result =
		site_run_dray(site, NULL, (const char *[]){ "reload", "--pidfile", "pid", NULL });
	assert_code(result, EXIT_ERROR);
	assert_contains(result.errors, "not a running `dray start`");
	assert_int_equal(unlink(site_path(site, "pid")), 0);
	site->start = site_spawn(site, NULL, (const char *[]){ "start", "--pidfile", "pid", NULL });
	site_await_rows(site, NULL, 3);
	site_await_log(site, "\"process.started\"", 2);
	assert_contains(site_dray(site, "reload", "--pidfile", "pid", "--reason", "new workers"),
			"0 settings changed");
	const char *audit = site_dray(site, "audit", "--action", "reload");
	assert_contains(audit, "supervisor process");
	assert_contains(audit, "done");
	assert_contains(audit, "new workers");
	struct test_result json = { .output = site_dray(site, "reload", "--pidfile", "pid",
							"--json") };
	json_t *object = test_json(json);
	assert_int_equal(test_json_integer(object, "pid"), site->start.pid);
	assert_true(json_is_true(json_object_get(object, "worked")));
	json_decref(object);
	site_close(site);
}

GROUP(NULL, site_group_end);
