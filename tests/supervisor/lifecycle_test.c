/*
 * A whole deployment with real commands, on every backend whose server is given: the acceptance
 * cases of forked processes (FL1-FL8, FL10, FL11), of the supervisor (FS1, FS2, FS5, FS8, FS10,
 * FS11) and of recovery (PY1). Where Solid Queue fails the job of a process that died, dray gives
 * it back to ready.
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
#include "tests/support/deployment.h"

static const char *backend;
static struct deployment deployment;

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, backend);
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static void start_workers(void)
{
	deployment_command(&deployment, "Exit", (const char *[]){ "sh", "-c", "exit {0}", NULL });
	deployment_command(&deployment, "Sleep", (const char *[]){ "sleep", "{0}", NULL });
	deployment_worker(&deployment, "background", 3);
	deployment_worker(&deployment, "default", 5);
	deployment_start(&deployment, NULL);
	deployment_await_processes(&deployment, "Worker", 2);
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

/* Metadata comes with the first heartbeat, right after the row. */
static bool find_worker(const char *queue, int64_t after, struct process_row *row)
{
	struct process_row *rows;
	struct error error;
	size_t count;

	assert_int_equal(process_list(deployment.db, deployment.arena, &rows, &count, &error),
			 STATUS_OK);
	for (size_t i = 0; i < count; i++) {
		*row = rows[i];
		if (row->id > after && row->metadata && strstr(row->metadata, queue))
			return true;
	}
	return false;
}

/* Waits until a worker with a row later than `after` serves the queue. */
static struct process_row await_worker(const char *queue, int64_t after)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;
	struct process_row row;

	while (!find_worker(queue, after, &row)) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, "a worker");
		clock_sleep(5 * CLOCK_MILLISECOND);
	}
	return row;
}

static struct process_row worker_on(const char *queue)
{
	return await_worker(queue, 0);
}

static void test_fl1_all_jobs_complete_and_term_is_clean(void **state)
{
	(void)state;
	for (int i = 0; i < 6; i++) {
		deployment_enqueue(&deployment, "Sleep", "background", "0");
		deployment_enqueue(&deployment, "Sleep", "default", "0");
	}
	start_workers();
	deployment_await_jobs(&deployment, JOB_FINISHED, 12);
	assert_ends_well(SIGTERM);
}

static void test_fl2_workers_finish_without_their_supervisor(void **state)
{
	(void)state;
	start_workers();
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "1");
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	kill(deployment.supervisor, SIGKILL);
	assert_true(WIFSIGNALED(deployment_wait(&deployment)));
	deployment_await_processes(&deployment, "Worker", 0);
	assert_int_equal(deployment_processes(&deployment, "Supervisor(fork)"), 1);
	assert_int_equal(deployment_job_state(&deployment, job), JOB_FINISHED);
	assert_int_equal(deployment_jobs(&deployment, JOB_CLAIMED), 0);
}

static void test_fl3_many_terms_are_one_end(void **state)
{
	(void)state;
	start_workers();
	for (int i = 0; i < 4; i++) {
		kill(deployment.supervisor, SIGTERM);
		clock_sleep(100 * CLOCK_MILLISECOND);
	}
	assert_ends_well(SIGTERM);
}

static void test_fl4_quit_is_at_once(void **state)
{
	(void)state;
	start_workers();
	int64_t quick = deployment_enqueue(&deployment, "Sleep", "background", "0");
	int64_t slow = deployment_enqueue(&deployment, "Sleep", "default", "60");
	deployment_await_state(&deployment, quick, JOB_FINISHED);
	deployment_await_state(&deployment, slow, JOB_CLAIMED);
	assert_ends_well(SIGQUIT);
	assert_int_equal(deployment_job_state(&deployment, quick), JOB_FINISHED);
	assert_int_equal(deployment_job_state(&deployment, slow), JOB_READY);
}

static void finish_running_job(int signal)
{
	start_workers();
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "1");
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	assert_ends_well(signal);
	assert_int_equal(deployment_job_state(&deployment, job), JOB_FINISHED);
}

static void test_fl5_term_lets_a_job_complete(void **state)
{
	(void)state;
	finish_running_job(SIGTERM);
}

static void test_fl6_int_lets_a_job_complete(void **state)
{
	(void)state;
	finish_running_job(SIGINT);
}

/* As a service manager or a terminal does it: everybody hears the signal, some of them twice. */
static void test_a_signal_to_everybody_is_graceful(void **state)
{
	(void)state;
	start_workers();
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "1");
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	kill(worker_on("background").pid, SIGTERM);
	kill(worker_on("default").pid, SIGTERM);
	assert_ends_well(SIGTERM);
	assert_int_equal(deployment_job_state(&deployment, job), JOB_FINISHED);
}

static void test_fl7_a_job_beyond_the_timeout_is_released(void **state)
{
	(void)state;
	deployment.config.process.shutdown_timeout = CLOCK_SECOND;
	start_workers();
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "60");
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	assert_ends_well(SIGTERM);
	assert_int_equal(deployment_job_state(&deployment, job), JOB_READY);
	assert_int_equal(deployment_logged(&deployment, "KILL"), 0);
}

static void test_fl8_failing_jobs_among_good_ones(void **state)
{
	(void)state;
	start_workers();
	for (int i = 0; i < 3; i++) {
		deployment_enqueue(&deployment, "Exit", i % 2 ? "background" : "default", "1");
		deployment_enqueue(&deployment, "Exit", "background", "0");
		deployment_enqueue(&deployment, "Sleep", "default", "0.1");
	}
	deployment_await_jobs(&deployment, JOB_FAILED, 3);
	deployment_await_jobs(&deployment, JOB_FINISHED, 6);
	assert_ends_well(SIGTERM);
}

static void test_fl10_a_worker_told_to_stop_is_replaced(void **state)
{
	(void)state;
	start_workers();
	struct process_row worker = worker_on("background");
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "0.5");
	deployment_await_state(&deployment, job, JOB_CLAIMED);
	kill(worker.pid, SIGTERM);
	(void)await_worker("background", worker.id);
	assert_int_equal(deployment_job_state(&deployment, job), JOB_FINISHED);
	deployment_await_processes(&deployment, "Worker", 2);
	int64_t next = deployment_enqueue(&deployment, "Sleep", "background", "0");
	deployment_await_state(&deployment, next, JOB_FINISHED);
	assert_ends_well(SIGTERM);
}

static void kill_worker_under_load(void)
{
	struct process_row worker = worker_on("background");
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "1");

	deployment_await_state(&deployment, job, JOB_CLAIMED);
	kill(worker.pid, SIGKILL);
	(void)await_worker("background", worker.id);
	deployment_await_state(&deployment, job, JOB_FINISHED);
	deployment_await_log(&deployment, "process.buried");
	deployment_await_log(&deployment, "released=1");
}

static void test_fl11_a_killed_workers_job_runs_again(void **state)
{
	(void)state;
	start_workers();
	struct process_row other = worker_on("default");
	kill_worker_under_load();
	assert_int_equal(worker_on("default").pid, other.pid);
	int64_t a = deployment_enqueue(&deployment, "Sleep", "background", "0");
	int64_t b = deployment_enqueue(&deployment, "Sleep", "default", "0");
	deployment_await_state(&deployment, a, JOB_FINISHED);
	deployment_await_state(&deployment, b, JOB_FINISHED);
	assert_ends_well(SIGTERM);
}

static void test_py1_fs11_recovery_without_the_supervisors_row(void **state)
{
	(void)state;
	start_workers();
	deployment_execute(&deployment,
			   "DELETE FROM solid_queue_processes WHERE kind = 'Supervisor(fork)'");
	kill_worker_under_load();
	deployment_await_processes(&deployment, "Supervisor(fork)", 1);
	assert_ends_well(SIGTERM);
}

static void test_fs1_rows_of_everybody(void **state)
{
	(void)state;
	deployment_dispatcher(&deployment);
	start_workers();
	deployment_await_processes(&deployment, NULL, 4);
	struct process_row supervisor = deployment_process(&deployment, "Supervisor(fork)");
	struct process_row dispatcher = deployment_process(&deployment, "Dispatcher");
	assert_int_equal(supervisor.pid, deployment.supervisor);
	assert_int_equal(supervisor.supervisor_id, 0);
	assert_int_equal(dispatcher.supervisor_id, supervisor.id);
	assert_int_equal(worker_on("background").supervisor_id, supervisor.id);
	assert_int_equal(worker_on("default").supervisor_id, supervisor.id);
	assert_memory_equal(supervisor.name, "supervisor(fork)-", 17);
	assert_int_equal(strlen(dispatcher.name), strlen("dispatcher-") + 20);
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

static const struct CMUnitTest tests[] = {
	CASE(test_fl1_all_jobs_complete_and_term_is_clean),
	CASE(test_fl2_workers_finish_without_their_supervisor),
	CASE(test_fl3_many_terms_are_one_end),
	CASE(test_fl4_quit_is_at_once),
	CASE(test_fl5_term_lets_a_job_complete),
	CASE(test_fl6_int_lets_a_job_complete),
	CASE(test_a_signal_to_everybody_is_graceful),
	CASE(test_fl7_a_job_beyond_the_timeout_is_released),
	CASE(test_fl8_failing_jobs_among_good_ones),
	CASE(test_fl10_a_worker_told_to_stop_is_replaced),
	CASE(test_fl11_a_killed_workers_job_runs_again),
	CASE(test_py1_fs11_recovery_without_the_supervisors_row),
	CASE(test_fs1_rows_of_everybody),
	CASE(test_fs2_only_a_dispatcher),
	CASE(test_fs3_nothing_to_do),
	CASE(test_fs5_pidfile),
	CASE(test_fs8_fs10_boot_heals),
	CASE(test_a_database_behind_is_refused),
};

int main(void)
{
	static const char *const backends[] = { "sqlite", "postgresql", "mysql", "mariadb" };
	int failed = 0;

	for (size_t i = 0; i < sizeof(backends) / sizeof(backends[0]); i++) {
		backend = backends[i];
		if (!deployment_available(backend)) {
			print_message("skipped: no server for %s\n", backend);
			continue;
		}
		failed += cmocka_run_group_tests_name(backend, tests, NULL, NULL);
	}
	return failed;
}
