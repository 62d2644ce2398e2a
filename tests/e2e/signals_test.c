/* A deployment's beginning and end by signals: FL3 to FL7, FS1 to FS7. QUIT leaves 2 s. */
#include "tests/support/sites/site.h"

#define DEPLOYMENT(timeout)                                                                        \
	"process_heartbeat_interval: 0.5\n"                                                        \
	"shutdown_timeout: " timeout "\nstop_grace: 1h\n"                                          \
	"workers:\n  - {queues: background, threads: 3, polling_interval: 0.02}\n"                 \
	"  - {queues: default, threads: 5, polling_interval: 0.02}\n"                              \
	"dispatchers:\n  - {polling_interval: 0.05}\n"

#define LONG "3600" /* seconds: longer than any test lasts */

static void start(struct site *site, const char *settings)
{
	site_queue_yml(site, settings);
	site_start(site, 4);
}

static int64_t start_job(struct site *site, const char *settings, const char *seconds)
{
	start(site, settings);
	int64_t job = site_begin(site, 1, "Slow", seconds, "--queue", "background");
	return job;
}

/* the end */

static void finish_running_job(struct site *site, int signal)
{
	int64_t job = start_job(site, DEPLOYMENT("1h"), "0.5");

	(void)site_stop(site, signal);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 1);
	assert_int_equal(site_lines(site, "completed"), 1);
}

SITE_CASE(test_fl5_term_lets_a_job_complete)
{
	finish_running_job(site, SIGTERM);
}

SITE_CASE(test_fl6_int_lets_a_job_complete)
{
	finish_running_job(site, SIGINT);
}

/* As a service manager or a terminal does it: everybody hears the signal, some of them twice. */
SITE_CASE(test_a_signal_to_everybody_is_graceful)
{
	int64_t job = start_job(site, DEPLOYMENT("1h"), "0.5");
	size_t count;
	const struct process_row *workers = site_rows(site, "Worker", &count);

	assert_int_equal(count, 2);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(kill(workers[i].pid, SIGTERM), 0);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 1);
}

SITE_CASE(test_fl3_five_terms_are_one_clean_end)
{
	start(site, DEPLOYMENT("1h"));
	for (int i = 0; i < 4; i++) {
		(void)kill(site->start.pid, SIGTERM); /* gone already is as good */
		clock_sleep(100 * CLOCK_MILLISECOND);
	}
	struct test_result result = site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "\"supervisor.stopping\""), 1);
	assert_int_equal(site_logged(site, "\"supervisor.stopped\""), 1);
	assert_string_equal(result.output, "");
}

/* The job is killed with its group, although there were an hour left; others' results stay. */
static void end_at_once(struct site *site, int first, int second)
{
	int64_t slow = start_job(site, DEPLOYMENT("1h"), LONG);
	int64_t quick = site_enqueue(site, "Log");

	site_await(site, quick, JOB_FINISHED);
	if (first) {
		assert_int_equal(kill(site->start.pid, first), 0);
		site_await_log(site, "\"supervisor.stopping\"", 1);
	}
	(void)site_stop(site, second);
	assert_int_equal(site_state(site, quick), JOB_FINISHED);
	assert_int_equal(site_state(site, slow), JOB_READY);
	assert_int_equal(site_lines(site, "completed"), 0);
}

SITE_CASE(test_fl4_quit_is_at_once)
{
	end_at_once(site, 0, SIGQUIT);
}

SITE_CASE(test_a_second_term_is_at_once)
{
	end_at_once(site, SIGTERM, SIGTERM);
}

/* Ctrl-C, and once more. */
SITE_CASE(test_a_second_int_is_at_once)
{
	end_at_once(site, SIGINT, SIGINT);
}

SITE_CASE(test_fl7_a_job_beyond_the_timeout_is_ready_again)
{
	int64_t job = start_job(site, DEPLOYMENT("1.5"), LONG);
	int64_t begin = clock_monotonic();
	struct test_result result = site_stop(site, SIGTERM);
	assert_true(clock_monotonic() - begin >= 1500 * CLOCK_MILLISECOND);
	assert_contains(result.errors, "\"job.stopping\"");
	assert_null(strstr(result.errors, "KILL"));
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_lines(site, "begun"), 1);
	assert_int_equal(site_lines(site, "completed"), 0);
}

static void start_functions(struct site *site, const char *grace)
{
	site_queue_yml(site, arena_printf(site->arena,
					  "shutdown_timeout: 0.3\nstop_grace: %s\n"
					  "workers:\n  - {polling_interval: 0.02}\n",
					  grace));
	site_jobs_yml(site, "  WaitForStop: {module: " BINARY_DIR "/tests/modules/hard.so}\n");
	site_start(site, 2);
}

/* A function cannot be killed: it is left behind with its process. */
SITE_CASE(test_fl7_functions_that_do_not_return)
{
	start_functions(site, "1h");
	int64_t obedient = site_enqueue(site, "WaitForStop");
	int64_t deaf = site_enqueue(site, "WaitForStop", "never");

	site_await(site, obedient, JOB_CLAIMED);
	site_await(site, deaf, JOB_CLAIMED);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_await(site, obedient, JOB_FINISHED);
	(void)site_stop(site, SIGQUIT);
	assert_int_equal(site_state(site, deaf), JOB_READY);
}

SITE_CASE(test_fl7_a_function_that_outstays_its_grace)
{
	start_functions(site, "0.2");
	int64_t deaf = site_enqueue(site, "WaitForStop", "never");

	site_await(site, deaf, JOB_CLAIMED);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_state(site, deaf), JOB_READY);
}

/* one process of it */

SITE_CASE(test_fl10_a_worker_told_to_stop_finishes_and_is_replaced)
{
	int64_t job = start_job(site, DEPLOYMENT("1h"), "0.5");
	struct process_row worker = site_await_row(site, "Worker", "background", 0);

	assert_int_equal(kill(worker.pid, SIGTERM), 0);
	struct process_row next = site_await_row(site, "Worker", "background", worker.id);
	assert_int_not_equal(next.pid, worker.pid);
	site_await(site, job, JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 1);
	site_await_rows(site, NULL, 4);
	site_enqueue_many(site, "Log", "background", 3);
	site_await_jobs(site, JOB_FINISHED, 4);
}

SITE_CASE(test_a_worker_told_to_quit_gives_its_job_back)
{
	int64_t job = start_job(site, DEPLOYMENT("1h"), "0.7");
	struct process_row worker = site_await_row(site, "Worker", "background", 0);

	assert_int_equal(kill(worker.pid, SIGQUIT), 0);
	(void)site_await_row(site, "Worker", "background", worker.id);
	site_await(site, job, JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 2);
	assert_int_equal(site_lines(site, "completed"), 1);
}

/* the beginning */

/* What a worker says of itself, as a child of this supervisor. */
static void assert_worker(struct site *site, const char *queues, int threads, int64_t supervisor)
{
	struct process_row row = site_await_row(
		site, "Worker", arena_printf(site->arena, "\"queues\":\"%s\"", queues), 0);

	assert_contains(row.metadata,
			arena_printf(site->arena, "\"thread_pool_size\":%d", threads));
	assert_contains(row.metadata, "\"polling_interval\":0.02");
	assert_int_equal(row.supervisor_id, supervisor);
	site_await_title(site, row.pid,
			 arena_printf(site->arena, "dray: worker %s 0/%d busy", queues, threads));
}

/* FS1: rows of all, linked to the supervisor's; WO1: what a worker says of itself. */
SITE_CASE(test_fs1_wo1_everybody_is_registered)
{
	start(site, DEPLOYMENT("1h"));
	struct process_row supervisor = site_await_row(site, "Supervisor(fork)", "", 0);
	struct process_row dispatcher = site_await_row(site, "Dispatcher", "", 0);

	assert_worker(site, "background", 3, supervisor.id);
	assert_worker(site, "default", 5, supervisor.id);
	assert_int_equal(dispatcher.supervisor_id, supervisor.id);
	assert_int_equal(strlen(dispatcher.name), strlen("dispatcher-") + 20);
	assert_int_equal(supervisor.pid, site->start.pid);
	assert_int_equal(supervisor.supervisor_id, 0);
	assert_memory_equal(supervisor.name, "supervisor(fork)-", 17);
	assert_int_equal(site_row_count(site, NULL), 4);
	site_await_title(site, site->start.pid, "dray: supervisor 3/3 ready");
	(void)site_stop(site, SIGTERM);
	/* IN5 to IN7, LS6: each says once that it has begun, and once that it is gone. */
	assert_int_equal(site_logged(site, "\"process.started\""), 3);
	assert_int_equal(site_logged(site, "\"process.stopped\""), 3);
	assert_int_equal(site_logged(site, "\"released\":0"), 3);
	assert_int_equal(site_logged(site, "not_deregistered"), 0);
}

/* DI1: what its row says, once the dispatcher has started. */
SITE_CASE(test_fs2_only_a_dispatcher)
{
	site_queue_yml(site, "process_heartbeat_interval: 1\n"
			     "dispatchers:\n  - {polling_interval: 0.05, batch_size: 10}\n");
	site_start(site, 2);
	assert_string_equal(site_await_row(site, "Dispatcher", "polling_interval", 0).metadata,
			    "{\"polling_interval\":0.05,\"batch_size\":10,"
			    "\"concurrency_maintenance_interval\":30,"
			    "\"software\":\"dray " DRAY_VERSION "\",\"heartbeat_interval\":1}");
	int64_t job = site_enqueue(site, "Log", "--in", "100ms");
	site_await(site, job, JOB_READY);
}

static void start_with_pidfile(struct site *site)
{
	site->start = site_launch(site, "start", "--pidfile", "pid");
	site_await_rows(site, NULL, 3);
	assert_int_equal(strtol(site_read(site, "pid"), NULL, 10), site->start.pid);
}

SITE_CASE(test_fs5_fs6_fs7_pidfile)
{
	start_with_pidfile(site);
	struct test_result second = site_try(site, "start", "--pidfile", "pid");
	assert_code(second, EXIT_ERROR);
	assert_contains(second.errors, "already running. Check pid");
	assert_contains(second.errors, "\"supervisor.refused\"");
	site_await_rows(site, NULL, 3);
	assert_int_equal(site_logged(site, "stopp"), 0);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(access(site_path(site, "pid"), F_OK), -1);

	start_with_pidfile(site);
	assert_int_equal(kill(site->start.pid, SIGKILL), 0);
	(void)site_finish(site);
	site_await_rows(site, NULL, 1); /* its own, for somebody else to prune */
	test_execute(site->db, "DELETE FROM solid_queue_processes");
	start_with_pidfile(site);
}
