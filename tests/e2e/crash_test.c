/*
 * Processes that die without a word: FL2, FL9, FL11, FS8, FS10, WO10, and kill -9 under load.
 * Where Solid Queue fails the jobs of a process that died, here they are ready again and run on
 * the replacement (on_lost: requeue): at least once, and none is lost.
 */
#include "tests/support/queue.h"
#include "tests/support/sites/site.h"

#define HARD_MODULE "{module: " BINARY_DIR "/tests/modules/hard.so}\n"

#define TWO_WORKERS                                                                                \
	"process_heartbeat_interval: 0.5\n"                                                        \
	"workers:\n  - {queues: background, threads: 3, polling_interval: 0.02}\n"                 \
	"  - {queues: default, threads: 5, polling_interval: 0.02}\n"

#define CLASSES                                                                                    \
	"  Mended: {command: [sh, -c, 'echo >>begun; test -e mended || exec sleep 60']}\n"         \
	"  Note: " HARD_MODULE "  ExitOnce: " HARD_MODULE "  WaitForStop: " HARD_MODULE

static void prepare(struct site *site)
{
	site_queue_yml(site, TWO_WORKERS);
	site_jobs_yml(site, arena_printf(site->arena, "%s" CLASSES, site_jobs));
}

/* It runs until it is let go. */
static int64_t start_waiting(struct site *site)
{
	site_start(site, 3);
	int64_t job = site_begin(site, 1, "Wait", "--queue", "background");
	return job;
}

static void kill_supervisor(struct site *site)
{
	assert_int_equal(kill(site->start.pid, SIGKILL), 0);
	assert_int_equal(site_finish(site).code, -SIGKILL);
}

/* Then a new one finds the row of the old, which has been silent, and takes it for dead. */
SITE_CASE(test_fl2_workers_outlive_their_supervisor_for_their_jobs)
{
	prepare(site);
	site_start(site, 3);
	int64_t job = site_begin(site, 1, "Slow", "0.7", "--queue", "background");
	size_t count;

	kill_supervisor(site);
	site_await_rows(site, "Worker", 0);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 1);
	assert_int_equal(site_lines(site, "completed"), 1);
	assert_int_equal(site_jobs_in(site, JOB_CLAIMED), 0);
	site_await_no_processes(site);
	struct process_row old = site_rows(site, NULL, &count)[0];
	assert_int_equal(count, 1);
	assert_string_equal(old.kind, "Supervisor(fork)");

	site_silence(site, old.pid);
	site->start = site_launch(site, "start");
	site_await_log(site, "\"processes.pruned\"", 1);
	site_await_rows(site, NULL, 3);
	assert_true(site_await_row(site, "Supervisor(fork)", "", old.id).id > old.id);
}

/* As if the host had lost its power: nobody is left to tell, and the heartbeat stops. */
SITE_CASE(test_fs10_the_jobs_of_a_dead_host_run_elsewhere)
{
	prepare(site);
	size_t count;

	site_start(site, 3);
	int64_t job = site_begin(site, 1, "Mended");
	const struct process_row *rows = site_rows(site, "Worker", &count);

	kill_supervisor(site);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(kill(rows[i].pid, SIGKILL), 0);
	site_await_no_processes(site);
	site_write(site, "mended", "");
	assert_int_equal(site_state(site, job), JOB_CLAIMED);
	site_silence(site, 0);
	site->start = site_launch(site, "start");
	site_await(site, job, JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 2);
	site_await_rows(site, NULL, 3);
}

/* Claims whose process has no row at all. Theirs are failed, ours run. */
SITE_CASE(test_fs8_orphaned_claims_run_at_once)
{
	struct test_db *test = site->test;
	int64_t worker = register_worker(test->db, "worker-lost");

	prepare(site);
	site_enqueue_many(site, "Log", "default", 3);
	(void)take_all(test, worker, 3);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(site_jobs_in(site, JOB_CLAIMED), 3);
	site_start(site, 3);
	site_await_done(site, 3);
	assert_int_equal(site_lines(site, "done"), 3);
}

SITE_CASE(test_fl11_a_killed_workers_job_runs_on_its_replacement)
{
	prepare(site);
	int64_t job = start_waiting(site);
	struct process_row worker = site_await_row(site, "Worker", "background", 0);
	struct process_row other = site_await_row(site, "Worker", "default", 0);

	assert_int_equal(kill(worker.pid, SIGKILL), 0);
	struct process_row next = site_await_row(site, "Worker", "background", worker.id);
	assert_int_not_equal(next.pid, worker.pid);
	site_await_lines(site, "begun", 2);
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "begun"), 2);
	assert_int_equal(site_lines(site, "completed"), 1); /* its first run died with the worker */
	site_await_rows(site, NULL, 3);
	assert_int_equal(site_await_row(site, "Worker", "default", 0).id, other.id);
	site_enqueue_many(site, "Log", "background", 3);
	site_enqueue_many(site, "Log", "default", 3);
	site_await_jobs(site, JOB_FINISHED, 7);
}

/* A function that ends its worker's process: what that worker had claimed runs again. */
SITE_CASE(test_fl9_a_hard_exit_costs_only_its_worker)
{
	prepare(site);
	site_enqueue_many(site, "Note", "background", 5);
	site_start(site, 3);
	site_await_done(site, 5);
	struct process_row worker = site_await_row(site, "Worker", "background", 0);
	pid_t supervisor = site->start.pid;
	int64_t alongside = site_enqueue(site, "Wait", "--queue", "background");
	int64_t neighbour = site_begin(site, 2, "Wait");
	site_run(site, "ExitOnce", "exited", "--queue", "background");
	site_await_lines(site, "begun", 3);
	site_let_go(site, alongside);
	site_await(site, neighbour, JOB_FINISHED);
	assert_int_equal(site_lines(site, "begun"), 3);
	assert_int_equal(site_lines(site, "completed"), 2);
	assert_true(site_await_row(site, "Worker", "background", worker.id).id > worker.id);
	assert_int_equal(site_lines(site, "done"), 5);
	assert_int_equal(site->start.pid, supervisor);
	assert_int_equal(site_logged(site, "\"process.buried\""), 1);
	assert_contains(site_log(site), "exited with status 1");
}

/* BS4, too: who sees that its row is gone stops, and another takes its place. */
SITE_CASE(test_wo10_a_worker_without_a_row_is_replaced)
{
	prepare(site);
	site_start(site, 3);
	struct process_row worker = site_await_row(site, "Worker", "default", 0);
	sql_execute(site->db, "DELETE FROM solid_queue_processes WHERE id = %lld",
		    (long long)worker.id);
	struct process_row next = site_await_row(site, "Worker", "default", worker.id);
	assert_int_not_equal(next.pid, worker.pid);
	site_await_rows(site, NULL, 3);
	assert_int_equal(site_logged(site, "\"process.lost\""), 1);
	site_enqueue_many(site, "Log", "default", 3);
	site_await_done(site, 3);
}

/* Its job is given to another; awake again it writes nothing over that, and leaves. */
SITE_CASE(test_a_frozen_worker_changes_nothing)
{
	prepare(site);
	site_queue_yml(site, "process_heartbeat_interval: 0.3\n"
			     "process_alive_threshold: 10\n"
			     "workers:\n  - {threads: 2, processes: 2, polling_interval: 0.02}\n");
	int64_t job = start_waiting(site);
	pid_t frozen = (pid_t)site_int(site, "SELECT p.pid FROM solid_queue_processes p "
					     "JOIN solid_queue_claimed_executions c "
					     "ON c.process_id = p.id");
	site_freeze(site, frozen);
	site_silence(site, frozen);
	site_await_log(site, "\"processes.pruned\"", 1);
	site_await_lines(site, "begun", 2);
	site_let_go(site, job);
	assert_int_equal(site_lines(site, "begun"), 2);
	assert_int_equal(kill(frozen, SIGCONT), 0);
	site_await_log(site, "\"job.lost\"", 1);
	site_await_log(site, "\"process.lost\"", 1);
	site_await_rows(site, "Worker", 2);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
}

/* under load */

#define LOAD  400
#define KILLS 8

/* kill -9 of a worker, again and again while there is work, at no particular moment. */
static void kill_workers(struct site *site, size_t load)
{
	for (size_t kills = 0; kills < KILLS; kills++) {
		size_t count;
		size_t begun = site_lines(site, "done");

		/* Some work between two deaths: it must go on, not only survive. */
		site_await_lines(site, "done", begun + 10 < load ? begun + 10 : load);
		const struct process_row *rows = site_rows(site, "Worker", &count);
		if (count > 0)
			(void)kill(rows[kills % count].pid, SIGKILL);
	}
}

static void assert_survives(struct site *site, const char *class_name)
{
	prepare(site);
	/* One job may meet each of the deaths, and is not to be failed for them. */
	site_queue_yml(site, "max_losses: 1000\n"
			     "workers:\n  - {threads: 4, processes: 3, polling_interval: 0.02}\n");
	site_enqueue_many(site, class_name, "default", LOAD);
	site_start(site, 4);
	kill_workers(site, LOAD);
	site_await_done(site, LOAD);
	site_await_rows(site, "Worker", 3);
}

SITE_CASE(test_kill_9_under_load_of_commands)
{
	assert_survives(site, "Log");
}

SITE_CASE(test_kill_9_under_load_of_functions)
{
	assert_survives(site, "Note");
}
