/* What a worker makes of a failed run whose class has `retry`: with real programs. */
#include "queue/enqueue/enqueue.h"
#include "queue/payload/fingerprint.h"
#include "queue/payload/payload.h"
#include "rig.h"
#include "tests/support/database.h"

static struct rig rig;

static const int64_t wait = 0;

static struct config_class *retried(const char *name, const char *const command[])
{
	struct config_class *class = rig_command(&rig, name, command);

	rig.config.process.keep_attempts = 20;
	class->retry = rig_retry(3, &wait);
	return class;
}

static const char *history(void)
{
	return rig_ask(&rig, "SELECT attempt, process_name, hostname, outcome FROM dray_attempts"
			     " ORDER BY id");
}

static void dispatch_now(void)
{
	int64_t moved;

	must(dispatch, rig.db, &(struct dispatching){ 0 }, 10, &moved);
}

RIG_CASE(it_is_executed_three_times)
{
	retried("ExitJob", RIG_SHELL("echo $DRAY_ATTEMPT >> attempts; exit 3"))->directory =
		rig.folder;
	int64_t id = rig_enqueue(&rig, "ExitJob", NULL);
	for (int i = 1; i <= 3; i++) {
		struct job job = rig_run(&rig, id);
		assert_int_equal(job.state, i < 3 ? JOB_SCHEDULED : JOB_FAILED);
		assert_int_equal(payload_executions(job.payload), i < 3 ? i : 2);
		dispatch_now();
	}
	assert_string_equal(history(), "1 worker-rig here retried\n2 worker-rig here retried\n"
				       "3 worker-rig here failed\n");
	assert_string_equal(rig_read(&rig, "attempts"), "1\n2\n3\n");
}

RIG_CASE(a_history_of_all_runs_has_what_succeeded)
{
	struct config_class *class = retried("WellJob", RIG_SHELL("exit 0"));

	class->history = HISTORY_ALL;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "WellJob", NULL)).state, JOB_FINISHED);
	class->history = HISTORY_FAILURES;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "WellJob", NULL)).state, JOB_FINISHED);
	assert_string_equal(history(), "1 worker-rig here finished\n");
	/* Whether the history knows what the processes used. */
	assert_string_equal(rig_ask(&rig,
				    "SELECT cpu_us > 0, peak_memory > 65536 FROM dray_attempts"
				    " ORDER BY id"),
			    "1 1\n");
}

RIG_CASE(a_status_that_does_not_mend_itself_fails_at_once)
{
	retried("UsageJob", RIG_SHELL("exit 64"));
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "UsageJob", NULL)).state, JOB_FAILED);
}

/* JL5 */
RIG_LOG_CASE(it_is_discarded)
{
	static const char *gone[] = { "3", NULL };

	retried("GoneJob", RIG_SHELL("echo why >&2; exit 3"))->retry.discard_on = gone;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "GoneJob", NULL)).state, JOB_FINISHED);
	assert_string_equal(history(), "1 worker-rig here discarded\n");
	assert_true(rig_logged(&rig, "\"stderr\":\"why\""));
}

RIG_CASE(a_signal_is_an_error_as_others)
{
	static const char *signals[] = { "signal", NULL };

	retried("KilledJob", RIG_SHELL("kill -9 $$"))->retry.retry_on = signals;
	assert_int_equal(rig_run(&rig, rig_enqueue(&rig, "KilledJob", NULL)).state, JOB_SCHEDULED);
}

/* A class whose script exits with its argument, with no other policy. */
static void declare_saying(void)
{
	static const struct config_exit exits[] = {
		{ 3, 3, { SAYS_OK, -1 } },
		{ 65, 65, { SAYS_DISCARD, -1 } },
		{ 75, 75, { SAYS_RETRY, -1 } },
		{ 99, 99, { SAYS_SNOOZE, CLOCK_HOUR } },
	};
	static const char *const command[] = { "sh", "-c",  "echo $DRAY_ATTEMPT >> runs; exit $1",
					       "sh", "{0}", NULL };
	struct config_class *class = rig_command(&rig, "SayJob", command);

	rig.config.process.keep_attempts = 20;
	class->directory = rig.folder;
	class->exit = exits;
	class->exit_count = sizeof(exits) / sizeof(exits[0]);
	class->retry = rig_retry(2, &wait);
	class->retry.given = false;
}

static int64_t run_saying(int status, enum job_state state)
{
	int64_t id = rig_enqueue(&rig, "SayJob", arena_printf(rig.arena, "[%d]", status));

	assert_int_equal(rig_run(&rig, id).state, state);
	return id;
}

RIG_CASE(an_exit_status_says_how_it_ended)
{
	declare_saying();
	run_saying(3, JOB_FINISHED);
	run_saying(1, JOB_FAILED);
	run_saying(65, JOB_FINISHED);
	assert_string_equal(history(), "1 worker-rig here failed\n1 worker-rig here discarded\n");
}

RIG_CASE(an_exit_status_retries_with_the_defaults)
{
	declare_saying();
	int64_t id = run_saying(75, JOB_SCHEDULED);
	dispatch_now();
	assert_int_equal(rig_run(&rig, id).state, JOB_FAILED);
	assert_string_equal(history(), "1 worker-rig here retried\n2 worker-rig here failed\n");
}

/* It is put off, and is no execution: it may be for ever. The number of the run goes on. */
RIG_CASE(an_exit_status_puts_it_off)
{
	declare_saying();
	int64_t id = run_saying(99, JOB_SCHEDULED);
	for (int i = 0; i < 2; i++) {
		struct job job = rig_job(&rig, id);
		assert_true(job.scheduled_at - db_now(rig.db) > CLOCK_HOUR - CLOCK_MINUTE);
		assert_int_equal(payload_executions(job.payload), 0);
		test_execute(rig.db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = "
				     "'2026-01-01 00:00:00'");
		dispatch_now();
		assert_int_equal(rig_run(&rig, id).state, JOB_SCHEDULED);
	}
	assert_string_equal(rig_read(&rig, "runs"), "1\n2\n3\n");
	assert_string_equal(history(), "1 worker-rig here snoozed\n2 worker-rig here snoozed\n"
				       "3 worker-rig here snoozed\n");
}

static struct job run_ending(const char *how, enum job_state state, const char *error)
{
	struct job job = rig_run(&rig, rig_enqueue(&rig, "EndJob", how));

	assert_int_equal(job.state, state);
	assert_string_equal(
		rig_ask(&rig, "SELECT outcome, error ->> 'exception_class', error ->> 'message' "
			      "FROM dray_attempts ORDER BY id DESC LIMIT 1"),
		error);
	return job;
}

/* What a function says holds on a thread and in a process of its own. */
static void expect_ends(struct config_class *class)
{
	rig.config.process.keep_attempts = 20;
	class->retry.attempts = 2;
	(void)run_ending("[\"discard\"]", JOB_FINISHED, "discarded GoneError it is gone\n");
	(void)run_ending("[\"fail\"]", JOB_FAILED, "failed HardError hard\n");
	int64_t now = db_now(rig.db);
	struct job job =
		run_ending("[\"snooze\"]", JOB_SCHEDULED, "snoozed Dray::Snoozed not before 9\n");
	assert_true(job.scheduled_at >= now + CLOCK_HOUR);
	assert_true(job.scheduled_at < now + 2 * CLOCK_HOUR);
	assert_int_equal(payload_executions(job.payload), 0);
	job = run_ending("[\"retry\"]", JOB_SCHEDULED, "retried BusyError busy\n");
	assert_true(job.scheduled_at >= now + CLOCK_HOUR / 2);
	assert_true(job.scheduled_at < now + CLOCK_HOUR);
	assert_int_equal(payload_executions(job.payload), 1);
	job = run_ending("[\"at once\"]", JOB_SCHEDULED, "snoozed Dray::Snoozed at once\n");
	assert_true(job.scheduled_at <= db_now(rig.db));
}

RIG_CASE(a_function_says_how_it_ended)
{
	expect_ends(rig_module(&rig, "EndJob", "probe"));
}

RIG_CASE(a_function_says_so_in_a_process_of_its_own)
{
	expect_ends(rig_isolated(&rig, "EndJob", "probe"));
}

/* A plain job that succeeds has no history. */
RIG_CASE(success_leaves_no_history)
{
	retried("TrueJob", (const char *const[]){ "true", NULL });
	rig_succeed(&rig, "TrueJob", NULL);
	assert_string_equal(history(), "");
}

static const char *groups(const char *what)
{
	return rig_ask(&rig,
		       arena_printf(rig.arena, "SELECT %s FROM dray_attempts ORDER BY id", what));
}

/* A person who asked for retries is told why there is none. */
RIG_CASE(a_status_that_is_not_retried_is_explained)
{
	retried("SoftwareJob", RIG_SHELL("exit 70"));
	assert_contains(rig_fail(&rig, "SoftwareJob", NULL).message,
			"sh exited with status 70 (64 to 74 and 76 to 78 are not retried");
	assert_string_equal(groups("error_group"),
			    arena_printf(rig.arena, "%s\n",
					 fingerprint(rig.arena, "Dray::ExitStatusError",
						     "sh exited with status 70")));
}

/* Its exit status and the last line of its standard error are why it fails. */
RIG_CASE(its_failures_are_one_group)
{
	const char *group = fingerprint(rig.arena, "Dray::ExitStatusError",
					"sh exited with status 3: disk 9 is full");

	retried("FullJob",
		RIG_SHELL("echo before >&2; echo disk 1$DRAY_ATTEMPT is full >&2; exit 3"));
	int64_t id = rig_enqueue(&rig, "FullJob", NULL);
	rig_keep_log(&rig);
	for (int i = 0; i < 3; i++) {
		(void)rig_run(&rig, id);
		dispatch_now();
	}
	assert_string_equal(groups("error_group"),
			    arena_printf(rig.arena, "%s\n%s\n%s\n", group, group, group));
	assert_contains(rig_read(&rig, "log"),
			arena_printf(rig.arena,
				     "\"stderr\":\"disk 13 is full\",\"group\":\"%s\",\"host\":\"",
				     group));
}

RIG_CASE(what_is_no_failure_has_no_group)
{
	declare_saying();
	run_saying(99, JOB_SCHEDULED);
	run_saying(65, JOB_FINISHED);
	assert_string_equal(groups("outcome, error_group IS NOT NULL"), "snoozed 0\ndiscarded 1\n");
}
