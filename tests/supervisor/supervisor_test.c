/*
 * The supervisor's own rows, files and refusals, on every backend whose server is given: FS1, FS2,
 * FS3, FS5, FS6, FS8, FS10. Where Solid Queue fails orphaned jobs, dray gives them back to ready.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "tests/support/sites/deployment.h"
#include "tests/support/wait.h"

static struct deployment deployment;

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static void assert_clean(void)
{
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
	assert_int_equal(deployment_jobs(&deployment, JOB_CLAIMED), 0);
}

static void assert_ends_well(int signal)
{
	kill(deployment.supervisor, signal);
	int status = deployment_wait(&deployment);
	if (status != 0)
		deployment_print_log(&deployment);
	assert_int_equal(status, 0);
	assert_clean();
}

/* IN5 to IN7, LS6: each says once that it has begun, and once that it is gone. */
static void assert_both_ends_are_told(size_t processes)
{
	assert_int_equal(deployment_logged(&deployment, "process.started"), processes);
	assert_int_equal(deployment_logged(&deployment, "process.stopped"), processes);
	assert_int_equal(deployment_logged(&deployment, "released=0"), processes);
	assert_int_equal(deployment_logged(&deployment, "not_deregistered"), 0);
}

static void test_fs1_rows_of_everybody(void **state)
{
	(void)state;
	deployment_command(&deployment, "True", (const char *[]){ "true", NULL });
	deployment_worker(&deployment, "background", 3);
	deployment_worker(&deployment, "default", 5);
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, NULL, 4);
	struct process_row supervisor = deployment_process(&deployment, "Supervisor(fork)");
	struct process_row dispatcher = deployment_process(&deployment, "Dispatcher");
	assert_int_equal(supervisor.pid, deployment.supervisor);
	assert_int_equal(supervisor.supervisor_id, 0);
	assert_int_equal(dispatcher.supervisor_id, supervisor.id);
	assert_int_equal(deployment_process(&deployment, "Worker").supervisor_id, supervisor.id);
	assert_memory_equal(supervisor.name, "supervisor(fork)-", 17);
	assert_int_equal(strlen(dispatcher.name), strlen("dispatcher-") + 20);
	assert_ends_well(SIGTERM);
	assert_both_ends_are_told(3);
}

static bool has_new_parent(void *data)
{
	const int64_t *old = data;
	struct process_row supervisor;

	if (deployment_processes(&deployment, "Supervisor(fork)") == 0)
		return false;
	supervisor = deployment_process(&deployment, "Supervisor(fork)");
	return supervisor.id != *old &&
	       deployment_process(&deployment, "Dispatcher").supervisor_id == supervisor.id;
}

/* Presumed dead, as after being frozen: it registers again, and its children follow. */
static void test_children_of_a_supervisor_that_was_presumed_dead(void **state)
{
	(void)state;
	deployment.config.process.process_heartbeat_interval = 100 * CLOCK_MILLISECOND;
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, NULL, 2);
	struct process_row supervisor = deployment_process(&deployment, "Supervisor(fork)");
	deployment_execute(&deployment,
			   "DELETE FROM solid_queue_processes WHERE kind = 'Supervisor(fork)'");
	deployment_await_log(&deployment, "supervisor.lost");
	assert_true(test_wait_until(has_new_parent, &supervisor.id, CLOCK_MINUTE));
	assert_int_equal(deployment_processes(&deployment, NULL), 2);
	assert_ends_well(SIGTERM);
}

/* DI1: what its row says. */
static void test_fs2_only_a_dispatcher(void **state)
{
	(void)state;
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_log(&deployment, "process.started");
	assert_int_equal(deployment_processes(&deployment, NULL), 2);
	assert_string_equal(deployment_process(&deployment, "Dispatcher").metadata,
			    "{\"polling_interval\":0.05,\"batch_size\":10,"
			    "\"concurrency_maintenance_interval\":600,"
			    "\"software\":\"dray " DRAY_VERSION "\",\"heartbeat_interval\":1}");
	assert_ends_well(SIGTERM);
}

static void test_fs5_pidfile(void **state)
{
	(void)state;
	const char *path = arena_printf(deployment.arena, "%s/pid", deployment.directory);

	deployment.config.process.supervisor_pidfile = path;
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, "Dispatcher", 1);
	assert_int_equal(access(path, R_OK), 0);
	pid_t first = deployment.supervisor;
	deployment_start(&deployment, NULL); /* FS6 */
	int status = deployment_wait(&deployment);
	deployment.supervisor = first;
	assert_int_equal(WEXITSTATUS(status), 1);
	assert_int_equal(deployment_logged(&deployment, "A dray supervisor is already running"), 1);
	assert_ends_well(SIGTERM);
	assert_int_equal(access(path, F_OK), -1);
}

static void add_process(const char *name, const char *heartbeat)
{
	deployment_execute(&deployment,
			   arena_printf(deployment.arena,
					"INSERT INTO solid_queue_processes (kind, name, pid, "
					"last_heartbeat_at, created_at) VALUES "
					"('Worker', '%s', 1, '%s', '2026-01-01 00:00:00')",
					name, heartbeat));
}

static void test_fs8_fs10_boot_heals(void **state)
{
	(void)state;
	for (int i = 0; i < 3; i++)
		deployment_enqueue(&deployment, "Sleep", "elsewhere", "0");
	deployment_execute(&deployment, "DELETE FROM solid_queue_ready_executions");
	deployment_execute(&deployment,
			   "INSERT INTO solid_queue_claimed_executions (job_id, process_id, "
			   "created_at) SELECT id, 4711, created_at FROM solid_queue_jobs");
	add_process("worker-expired", "2026-01-01 00:00:00");
	add_process("worker-fresh", "2999-01-01 00:00:00");
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, "Dispatcher", 1);
	assert_int_equal(deployment_jobs(&deployment, JOB_CLAIMED), 0);
	assert_int_equal(deployment_jobs(&deployment, JOB_READY), 3);
	assert_string_equal(deployment_process(&deployment, "Worker").name, "worker-fresh");
	deployment_execute(&deployment,
			   "DELETE FROM solid_queue_processes WHERE name = 'worker-fresh'");
	assert_ends_well(SIGTERM);
}

static void test_a_database_behind_is_refused(void **state)
{
	(void)state;
	deployment_execute(&deployment, "DELETE FROM dray_migrations");
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	int status = deployment_wait(&deployment);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_int_equal(deployment_logged(&deployment, "dray db migrate"), 1);
}

static void test_fs3_nothing_to_do(void **state)
{
	(void)state;
	deployment_start(&deployment, NULL);
	int status = deployment_wait(&deployment);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 2);
	assert_int_equal(deployment_logged(&deployment, "no processes are configured"), 1);
	assert_clean();
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_fs1_rows_of_everybody),
		CASE(test_fs2_only_a_dispatcher),
		CASE(test_fs3_nothing_to_do),
		CASE(test_fs5_pidfile),
		CASE(test_fs8_fs10_boot_heals),
		CASE(test_a_database_behind_is_refused),
		CASE(test_children_of_a_supervisor_that_was_presumed_dead),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
