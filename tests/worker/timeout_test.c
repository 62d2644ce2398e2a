/* Runs that take too long, and jobs that begin too late. */
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#include "rig.h"
#include "tests/support/queue.h"
#include "worker/exec/exec.h"
#include "worker/stop.h"

static struct rig rig;

#define SHORT (50 * CLOCK_MILLISECOND)

static struct config_class *script(const char *text)
{
	return rig_script(&rig, "ScriptJob", text);
}

static void assert_timed_out(const struct rig_failure *failure, const char *timeout)
{
	assert_string_equal(failure->exception_class, "Dray::TimeoutError");
	assert_string_equal(
		failure->message,
		arena_printf(rig.arena, "it ran for longer than its timeout of %s", timeout));
}

static struct rig_failure expect_late(const char *class_name, const char *arguments,
				      const char *timeout)
{
	struct rig_failure failure = rig_fail(&rig, class_name, arguments);

	assert_timed_out(&failure, timeout);
	return failure;
}

RIG_LOG_CASE(a_command_has_failed_with_what_it_wrote)
{
	struct config_class *class = script("echo busy >&2; exec sleep 1000");

	class->timeout = CLOCK_SECOND / 2;
	assert_string_equal(expect_late("ScriptJob", NULL, "500ms").backtrace, "busy");
	assert_true(rig_logged(&rig, "\"reason\":\"its timeout is over\""));
	assert_string_equal(rig_ask(&rig, "SELECT outcome, json_extract(error, "
					  "'$.exception_class') FROM dray_attempts"),
			    "failed Dray::TimeoutError\n");
}

/* Once it was told, its status does not matter. */
RIG_LOG_CASE(a_command_that_ends_well_has_failed)
{
	script("trap 'exit 0' TERM; echo > begun; while :; do sleep 0.01; done")->timeout =
		CLOCK_SECOND / 2;
	(void)expect_late("ScriptJob", NULL, "500ms");
}

RIG_LOG_CASE(a_command_that_puts_its_job_off_has_failed)
{
	static const struct config_exit exits[] = { { 143, 143, { SAYS_SNOOZE, CLOCK_HOUR } } };
	struct config_class *class =
		script("trap 'exit 143' TERM; echo > begun; while :; do sleep 0.01; done");

	class->timeout = CLOCK_SECOND / 2;
	class->exit = exits;
	class->exit_count = 1;
	(void)expect_late("ScriptJob", NULL, "500ms");
}

static struct run *only_run(void)
{
	return runs_next_held(&rig_worker(&rig)->runs, NULL);
}

/* The job has come to where it makes the file. */
static int64_t begin(const char *class_name, const char *arguments)
{
	int64_t id = rig_enqueue(&rig, class_name, arguments);

	rig_await_claim(&rig, id);
	while (access(rig_path(&rig, "begun"), F_OK) != 0)
		clock_sleep(CLOCK_MILLISECOND);
	return id;
}

static void time_out(void)
{
	only_run()->timeout_at = rig_worker(&rig)->kill_at = clock_monotonic();
	stops_tick(rig_worker(&rig));
}

/* What had ended when its timeout came, though nobody had looked, stays as it ended. */
RIG_LOG_CASE(a_command_that_has_just_ended_has_not)
{
	script("echo > begun; until test -e go; do sleep 0.01; done")->timeout = CLOCK_HOUR;
	int64_t id = begin("ScriptJob", NULL);

	test_write_file(rig_path(&rig, "go"), "");
	while (!rig_is_dead(only_run()->exec->pid))
		clock_sleep(CLOCK_MILLISECOND);
	time_out();
	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_false(rig_logged(&rig, "\"job.stopping\""));
}

RIG_LOG_CASE(a_command_that_does_not_stop_is_killed)
{
	struct config_class *class =
		script("trap '' TERM; echo > begun; while :; do sleep 0.01; done");

	class->timeout = CLOCK_HOUR;
	class->stop.grace = SHORT;
	/* With a timeout that is short it might be told before it has its trap. */
	int64_t id = begin("ScriptJob", NULL);
	time_out();
	struct job found = rig_run(&rig, id);
	struct rig_failure failure = rig_failure_of(&rig, &found);
	assert_timed_out(&failure, "1h");
	assert_true(rig_logged(&rig, "\"job.killed\""));
}

static void kill_now(int64_t *due)
{
	*due = rig_worker(&rig)->kill_at = clock_monotonic();
	stops_tick(rig_worker(&rig));
}

static size_t logged(const char *event)
{
	return test_count_text(rig_read(&rig, "log"), event);
}

/* Until KILL has brought it there. It is traced, so signals stop it on the way. */
static void await_its_end(pid_t pid)
{
	int status;

	do
		assert_int_equal(waitpid(pid, &status, 0), pid);
	while (status >> 8 != (SIGTRAP | PTRACE_EVENT_EXIT << 8));
}

/* Who traces a process holds it where KILL should end it, as the kernel does on a bad disk. */
RIG_LOG_CASE(a_command_that_kill_does_not_end_is_killed_again)
{
	script("echo > begun; while :; do sleep 0.01; done")->timeout = CLOCK_HOUR;
	int64_t id = begin("ScriptJob", NULL);
	struct run *run = only_run();
	const pid_t pid = run->exec->pid;

	assert_return_code(ptrace(PTRACE_SEIZE, pid, NULL, PTRACE_O_TRACEEXIT), errno);
	time_out();
	kill_now(&run->kill_at);
	await_its_end(pid);
	assert_int_equal(logged("\"job.killed\""), 1);
	assert_int_equal(logged("\"job.unkillable\""), 0);
	for (int64_t pause = CLOCK_SECOND; pause < CLOCK_MINUTE; pause *= 2) {
		assert_true(run->again_at > clock_monotonic());
		assert_int_equal(run->again_in, pause);
		kill_now(&run->again_at);
	}
	assert_int_equal(run->again_in, CLOCK_MINUTE);
	assert_int_equal(logged("\"job.killed\""), 1);
	assert_int_equal(logged("\"job.unkillable\""), 1);
	assert_true(rig_logged(&rig, arena_printf(rig.arena, "\"command_pid\":%d", (int)pid)));
	assert_return_code(ptrace(PTRACE_DETACH, pid, NULL, NULL), errno);
	assert_int_equal(rig_run(&rig, id).state, JOB_FAILED);
}

/* The file is moved, and stays so: no tick works any more. */
static void lose_database(void)
{
	int64_t wait;
	struct error error;

	assert_return_code(rename(rig_path(&rig, "queue.sqlite3"), rig_path(&rig, "moved")), errno);
	assert_int_equal(worker_role.tick(&rig.context, &wait, &error), STATUS_DOWN);
}

/* Nor do its signals and KILL wait for it. */
RIG_LOG_CASE(a_command_is_stopped_though_the_database_is_away)
{
	struct config_class *class =
		script("trap '' TERM; echo > begun; while :; do sleep 0.01; done");

	class->timeout = CLOCK_HOUR;
	class->stop.grace = SHORT;
	(void)begin("ScriptJob", NULL);
	const pid_t pid = only_run()->exec->pid;
	lose_database();
	only_run()->timeout_at = rig_worker(&rig)->kill_at = clock_monotonic();
	while (!rig_is_dead(pid))
		(void)loop_wait(rig.context.loop, worker_role.tend(&rig.context));
	assert_true(rig_logged(&rig, "\"job.killed\""));
}

/* Its worker was held up, and has not looked: it is no process that KILL does not end. */
RIG_LOG_CASE(a_command_that_kill_has_ended_is_not_unkillable)
{
	script("trap '' TERM; echo > begun; while :; do sleep 0.01; done")->timeout = CLOCK_HOUR;
	(void)begin("ScriptJob", NULL);
	struct run *run = only_run();
	const pid_t pid = run->exec->pid;

	time_out();
	kill_now(&run->kill_at);
	while (!rig_is_dead(pid))
		clock_sleep(CLOCK_MILLISECOND);
	kill_now(&run->again_at);
	assert_int_equal(logged("\"job.killed\""), 1);
	assert_int_equal(logged("\"job.unkillable\""), 0);
}

/* The job's own goes before its class's. */
RIG_LOG_CASE(a_job_has_a_timeout_of_its_own)
{
	const struct new_job job = { .class_name = "ScriptJob",
				     .timeout = 250 * CLOCK_MILLISECOND };
	struct enqueued result;

	script("exec sleep 1000")->timeout = CLOCK_HOUR;
	must(enqueue, rig.db, &job, 1, &result);
	struct job found = rig_run(&rig, result.id);
	assert_contains(found.payload, ",\"dray_timeout\":0.25}");
	struct rig_failure failure = rig_failure_of(&rig, &found);
	assert_timed_out(&failure, "250ms");
}

static void expect_retry(const char *pattern, enum job_state state)
{
	const int64_t wait = CLOCK_HOUR;
	const char *patterns[] = { pattern, NULL };
	struct config_class *class = script("exec sleep 1000");

	class->timeout = SHORT;
	class->retry = rig_retry(3, &wait);
	class->retry.retry_on = patterns;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "ScriptJob", NULL)).state, state);
}

RIG_LOG_CASE(a_class_can_retry_it)
{
	expect_retry("timeout", JOB_SCHEDULED);
}

RIG_LOG_CASE(it_is_no_signal)
{
	expect_retry("signal", JOB_FAILED);
}

RIG_LOG_CASE(an_isolated_function_has_failed)
{
	rig_isolated(&rig, "YieldJob", "probe")->timeout = CLOCK_SECOND;
	(void)expect_late("YieldJob", rig_text(&rig, rig_path(&rig, "begun")), "1s");
}

RIG_LOG_CASE(an_isolated_function_that_does_not_stop_is_killed)
{
	struct config_class *class = rig_isolated(&rig, "StayJob", "unruly");

	class->timeout = CLOCK_HOUR;
	class->stop.grace = SHORT;
	int64_t id = begin("StayJob", rig_text(&rig, rig_path(&rig, "begun")));
	time_out();
	struct job found = rig_run(&rig, id);
	struct rig_failure failure = rig_failure_of(&rig, &found);
	assert_timed_out(&failure, "1h");
	assert_true(rig_logged(&rig, "\"job.killed\""));
}

RIG_LOG_CASE(a_function_on_a_thread_that_listens_has_failed)
{
	rig_module(&rig, "YieldJob", "probe")->timeout = SHORT;
	(void)expect_late("YieldJob", rig_text(&rig, rig_path(&rig, "begun")), "50ms");
}

/* It holds its thread, which is said, and fails when it returns. */
RIG_LOG_CASE(a_function_on_a_thread_that_does_not_listen)
{
	struct config_class *class = rig_module(&rig, "WaitLateJob", "unruly");

	class->timeout = SHORT;
	class->stop.grace = SHORT;
	(void)expect_late("WaitLateJob", NULL, "50ms");
	assert_true(rig_logged(&rig, "\"job.deaf\""));
}

/* expiry */

static int64_t enqueue_late(void)
{
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);

	test_execute(rig.db, "UPDATE solid_queue_jobs SET scheduled_at = '2026-01-01 00:00:00'");
	return id;
}

RIG_LOG_CASE(a_job_that_begins_too_late_is_discarded)
{
	script(": > ran")->expires_in = CLOCK_MINUTE;
	int64_t id = enqueue_late();

	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_int_equal(access(rig_path(&rig, "ran"), F_OK), -1);
	assert_true(rig_logged(&rig, "\"event\":\"job.discarded\""));
	assert_true(rig_logged(&rig, "it was due at 2026-01-01 00:00:00"));
	assert_string_equal(rig_ask(&rig, "SELECT outcome, json_extract(error, "
					  "'$.exception_class') FROM dray_attempts"),
			    "discarded Dray::ExpiredError\n");
}

RIG_LOG_CASE(a_job_that_begins_in_time_runs)
{
	script(": > ran")->expires_in = CLOCK_HOUR;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "ScriptJob", NULL)).state, JOB_FINISHED);
	assert_int_equal(access(rig_path(&rig, "ran"), F_OK), 0);
}

/* Whatever has brought it back. */
RIG_LOG_CASE(a_job_that_has_begun_before_runs)
{
	script(": > ran")->expires_in = CLOCK_MINUTE;
	int64_t id = rig_tried(&rig, enqueue_late());

	rig.config.process.max_losses = 10;
	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_int_equal(access(rig_path(&rig, "ran"), F_OK), 0);
}

/* Which leaves nothing in its rows of the run that failed. */
RIG_LOG_CASE(a_job_that_is_retried_in_rails_runs)
{
	script("test -e ran || ! : > ran")->expires_in = CLOCK_MINUTE;
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);

	assert_int_equal(rig_run(&rig, id).state, JOB_FAILED);
	test_execute(rig.db, "UPDATE solid_queue_jobs SET scheduled_at = '2026-01-01 00:00:00'");
	test_execute(rig.db, "DELETE FROM solid_queue_failed_executions");
	test_execute(rig.db,
		     "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT id, queue_name, priority, '2026-01-02 00:00:00' "
		     "FROM solid_queue_jobs");
	assert_int_equal(rig_run(&rig, id).state, JOB_FINISHED);
	assert_false(rig_logged(&rig, "\"event\":\"job.discarded\""));
	assert_string_equal(rig_ask(&rig, "SELECT outcome FROM dray_attempts"), "failed\n");
}

RIG_LOG_CASE(nothing_is_left_of_what_timed_out)
{
	struct config_class *class =
		script("setsid sh -c 'trap \"\" TERM; echo $$ > left; sleep 1000' & wait");

	class->timeout = CLOCK_SECOND / 2;
	(void)expect_late("ScriptJob", NULL, "500ms");
	assert_true(rig_is_dead(strtol(rig_read(&rig, "left"), NULL, 10)));
	rig_nudge(&rig);
}
