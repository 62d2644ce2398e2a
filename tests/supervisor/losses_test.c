/*
 * Jobs that take their worker with them, on every backend whose server is given: they do so a
 * bounded number of times (FL9, FL11), and everybody else's work goes on.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "queue/manage/manage.h"
#include "tests/support/query.h"
#include "tests/support/sites/deployment.h"

#define OTHERS 20

static const char crash[] = BINARY_DIR "/tests/modules/crash.so";

static struct deployment deployment;

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	deployment.config.log.level = LOG_DEBUG; /* for job.started */
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static struct job find(int64_t id)
{
	struct error error = { 0 };
	struct job job;

	deployment_must(job_find(deployment.db, deployment.arena, id, &job, &error), &error,
			"job_find", __LINE__);
	return job;
}

static void assert_failed(int64_t id, int64_t losses, const char *ending)
{
	deployment_await_state(&deployment, id, JOB_FAILED);
	struct job job = find(id);
	assert_int_equal(job.losses, losses);
	assert_non_null(strstr(job.error, "\"SolidQueue::Processes::ProcessExitError\""));
	assert_non_null(strstr(job.error, ending));
	assert_non_null(strstr(job.error, "\"backtrace\":null"));
}

static void assert_supervisor_lives_and_ends_well(void)
{
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

/* Before, beside and after it: they all finish, whatever the worker goes through. */
static void test_fl11_a_poison_job_fails_and_nobody_else(void **state)
{
	(void)state;
	deployment_module(&deployment, "Crash", crash);
	deployment_module(&deployment, "Nothing", crash);
	deployment_worker(&deployment, "*", 3);
	for (int i = 0; i < OTHERS / 2; i++)
		deployment_enqueue(&deployment, "Nothing", "default", "");
	int64_t poison = deployment_enqueue(&deployment, "Crash", "default", "");
	for (int i = 0; i < OTHERS / 2; i++)
		deployment_enqueue(&deployment, "Nothing", "default", "");
	deployment_start(&deployment, NULL);
	assert_failed(poison, 4, "Received unhandled signal 6.");
	deployment_await_jobs(&deployment, JOB_FINISHED, OTHERS);
	assert_int_equal(deployment_jobs(&deployment, JOB_FAILED), 1);
	assert_int_equal(deployment_logged(&deployment, "process.buried"), 4);
	assert_int_equal(deployment_logged(&deployment,
					   arena_printf(deployment.arena, "job.started job=%lld ",
							(long long)poison)),
			 4);
	assert_supervisor_lives_and_ends_well();
}

/* `on_lost: fail` of one class, while the others run again. */
static void test_fl9_a_class_that_fails_at_its_first_loss(void **state)
{
	(void)state;
	deployment_module(&deployment, "Leave", crash)->on_lost = ON_LOST_FAIL;
	deployment_module(&deployment, "Nothing", crash);
	deployment_worker(&deployment, "background", 1);
	deployment_worker(&deployment, "default", 1);
	int64_t leaves = deployment_enqueue(&deployment, "Leave", "background", "");
	for (int i = 0; i < OTHERS; i++)
		deployment_enqueue(&deployment, "Nothing", i % 2 ? "background" : "default", "");
	deployment_start(&deployment, NULL);
	assert_failed(leaves, 1, "Exited with status 1.");
	deployment_await_jobs(&deployment, JOB_FINISHED, OTHERS);
	assert_int_equal(deployment_jobs(&deployment, JOB_FAILED), 1);
	assert_supervisor_lives_and_ends_well();
}

static void await_query(const char *sql, int64_t expected)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;

	while (test_query_int(deployment.config.database.url, sql) != expected) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, sql);
		usleep(10000);
	}
}

/* Of what it buries the supervisor says who and where; what is long gone it forgets. */
static void test_the_gone_are_remembered_for_an_hour(void **state)
{
	(void)state;
	deployment_execute(&deployment,
			   "INSERT INTO dray_gone (process_id, kind, name, pid, "
			   "last_heartbeat_at, how, released, failed, gone_at) VALUES (1, "
			   "'Worker', 'old', 1, '2026-01-01 00:00:00', 'Exited.', 0, 0, "
			   "'2026-01-01 00:00:00')");
	deployment_module(&deployment, "Nothing", crash);
	deployment_worker(&deployment, "*", 1);
	deployment_start(&deployment, NULL);
	await_query("SELECT count(*) FROM dray_gone WHERE name = 'old'", 0);
	deployment_await_processes(&deployment, "Worker", 1);
	struct process_row worker = deployment_process(&deployment, "Worker");
	kill(worker.pid, SIGKILL);
	deployment_await_log(&deployment, "process.buried");
	deployment_await_log(&deployment,
			     arena_printf(deployment.arena, "host=%s", worker.hostname));
	await_query(arena_printf(deployment.arena,
				 "SELECT count(*) FROM dray_gone WHERE name = '%s' AND hostname = "
				 "'%s' AND pid = %d AND how = 'Received unhandled signal 9.'",
				 worker.name, worker.hostname, worker.pid),
		    1);
	assert_supervisor_lives_and_ends_well();
}

/* As Solid Queue does it, for everything. */
static void test_on_lost_fail_for_all(void **state)
{
	(void)state;
	deployment.config.process.on_lost = ON_LOST_FAIL;
	deployment_module(&deployment, "Leave", crash);
	deployment_worker(&deployment, "*", 1);
	int64_t leaves = deployment_enqueue(&deployment, "Leave", "background", "");
	deployment_start(&deployment, NULL);
	assert_failed(leaves, 1, "Exited with status 1.");
	assert_supervisor_lives_and_ends_well();
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_fl11_a_poison_job_fails_and_nobody_else),
		CASE(test_fl9_a_class_that_fails_at_its_first_loss),
		CASE(test_on_lost_fail_for_all),
		CASE(test_the_gone_are_remembered_for_an_hour),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
