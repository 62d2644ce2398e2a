/*
 * A whole deployment with real commands, on every backend whose server is given: the acceptance
 * cases of forked processes (FL1-FL8, FL10, FL11) and of recovery (PY1, FS11, BS3). Where Solid
 * Queue fails the job of a process that died, dray gives it back to ready.
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

/* No process row can be deleted, until drop is executed. */
static const struct {
	const char *create, *drop;
} stubborn[DB_DIALECTS] = {
	[DB_SQLITE] = { "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
			" BEGIN SELECT RAISE(ABORT, 'not now'); END",
			"DROP TRIGGER stubborn" },
	[DB_POSTGRESQL] = { "CREATE FUNCTION stubborn() RETURNS trigger LANGUAGE plpgsql"
			    " AS 'BEGIN RAISE EXCEPTION ''not now''; END';"
			    "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
			    " FOR EACH ROW EXECUTE FUNCTION stubborn()",
			    "DROP TRIGGER stubborn ON solid_queue_processes" },
	[DB_MYSQL] = { "CREATE TRIGGER stubborn BEFORE DELETE ON solid_queue_processes"
		       " FOR EACH ROW SIGNAL SQLSTATE '45000'",
		       "DROP TRIGGER stubborn" },
};

/* The dead one's jobs cannot be given back: it is replaced all the same, and buried later. */
static void test_bs3_a_burial_that_fails_delays_no_replacement(void **state)
{
	(void)state;
	start_workers();
	enum db_dialect dialect = db_dialect_of(deployment.db);
	deployment_execute(&deployment, stubborn[dialect].create);
	kill(worker_on("background").pid, SIGKILL);
	deployment_await_processes(&deployment, "Worker", 3);
	int64_t job = deployment_enqueue(&deployment, "Sleep", "background", "0");
	deployment_await_state(&deployment, job, JOB_FINISHED);
	assert_int_equal(deployment_logged(&deployment, "process.buried"), 0);
	deployment_execute(&deployment, stubborn[dialect].drop);
	deployment_await_log(&deployment, "process.buried");
	deployment_await_processes(&deployment, "Worker", 2);
	assert_ends_well(SIGTERM);
}

/* IN10: who cannot take its row away says so, with the reason, and ends all the same. */
static void test_in10_a_row_that_stays_is_told(void **state)
{
	(void)state;
	start_workers();
	enum db_dialect dialect = db_dialect_of(deployment.db);
	deployment_execute(&deployment, stubborn[dialect].create);
	kill(deployment.supervisor, SIGTERM);
	(void)deployment_wait(&deployment);
	deployment_execute(&deployment, stubborn[dialect].drop);
	assert_int_equal(deployment_logged(&deployment, "process.not_deregistered"), 2);
	assert_int_equal(deployment_logged(&deployment, "supervisor.not_deregistered"), 1);
	assert_int_equal(deployment_processes(&deployment, NULL), 3);
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

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
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
		CASE(test_bs3_a_burial_that_fails_delays_no_replacement),
		CASE(test_in10_a_row_that_stays_is_told),
		CASE(test_py1_fs11_recovery_without_the_supervisors_row),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
