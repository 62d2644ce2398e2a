/* Runs that are told to stop: what they may do about it, and what becomes of their jobs. */
#include "rig.h"
#include "tests/support/query.h"
#include "tests/support/sites/process.h"
#include "worker/host/host.h"
#include "worker/stop.h"

static struct rig rig;

static int setup(void **state)
{
	(void)rig_set_up_log(state);
	rig.config.process.stop_grace = CLOCK_MINUTE;
	return 0;
}

static void step_until_written(const char *name)
{
	while (*rig_read(&rig, name) == '\0')
		rig_nudge(&rig);
}

static struct run *run_of(int64_t job)
{
	for (size_t i = 0; i < rig_worker(&rig)->runs.count; i++) {
		struct run *run = &rig_worker(&rig)->runs.all[i];

		if (run->taken && run->claim.job.id == job)
			return run;
	}
	fail_msg("no run of job %lld", (long long)job);
	return NULL;
}

/* Shutdown as the runner does it, with no time at all for what runs to end by itself. */
static void begin_shutdown(void)
{
	rig.context.stopping = true;
	worker_role.stop(&rig.context);
	worker_role.hurry(&rig.context);
}

static void end_shutdown(void)
{
	rig_drain(&rig);
}

static void shut_down(void)
{
	begin_shutdown();
	end_shutdown();
}

/* A job of this script, which writes "begun" when it is ready to be stopped. */
static int64_t begin(const char *script)
{
	rig_command(&rig, "ScriptJob", RIG_SHELL(script))->directory = rig.folder;
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);
	step_until_written("begun");
	return id;
}

static void assert_given_back(int64_t id)
{
	struct job job = rig_job(&rig, id);

	assert_int_equal(job.state, JOB_READY);
	assert_null(job.error);
	assert_int_equal(job.losses, 0);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.stopping\"");
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.released\"");
	assert_string_equal(rig_ask(&rig,
				    "SELECT a.outcome, a.attempt, l.interruptions, l.losses FROM "
				    "dray_attempts a JOIN dray_losses l ON l.job_id = a.job_id"),
			    "interrupted 1 1 0\n");
}

#define STOP_CASE(name) TEST_CASE(name, .set_up = setup, .tear_down = rig_tear_down, .state = &rig)

/* commands */

STOP_CASE(a_command_that_ends_well_has_finished)
{
	int64_t id = begin("trap 'echo bye > end; exit 0' TERM; echo > begun; "
			   "while :; do sleep 0.01; done");

	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
	assert_string_equal(rig_read(&rig, "end"), "bye\n");
	assert_false(rig_logged(&rig, "job.killed"));
}

/* IN4: a job that is given back is told, with the reason. */
STOP_CASE(a_command_that_dies_of_it_is_given_back)
{
	int64_t id = begin("echo > begun; exec sleep 1000");

	shut_down();
	assert_given_back(id);
	assert_contains(rig_read(&rig, "log"), "\"signal\":\"TERM\"");
	assert_contains(rig_read(&rig, "log"), "was killed by signal 15");
	assert_false(rig_logged(&rig, "job.killed"));
}

/* As shells, Java and many others do; whether it failed or was interrupted nobody can tell. */
STOP_CASE(a_command_that_says_it_was_stopped_is_given_back)
{
	int64_t id = begin("trap 'exit 143' TERM; echo > begun; while :; do sleep 0.01; done");

	shut_down();
	assert_given_back(id);
	assert_contains(rig_read(&rig, "log"), "exited with status 143");
}

STOP_CASE(a_command_that_puts_its_job_off_has_done_so)
{
	static const struct config_exit exits[] = { { 143, 143, { SAYS_SNOOZE, CLOCK_HOUR } } };
	struct config_class *class = rig_command(&rig, "ScriptJob",
						 RIG_SHELL("trap 'exit 143' TERM; echo > begun; "
							   "while :; do sleep 0.01; done"));

	class->directory = rig.folder;
	class->exit = exits;
	class->exit_count = 1;
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);
	step_until_written("begun");
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_SCHEDULED);
}

STOP_CASE(a_command_that_does_not_stop_is_killed)
{
	int64_t id = begin("trap 'echo >> deaf' TERM; echo $$ > begun; "
			   "while :; do sleep 0.01; done");

	begin_shutdown();
	step_until_written("deaf");
	assert_false(rig_logged(&rig, "job.killed"));
	run_of(id)->kill_at = rig_worker(&rig)->kill_at = clock_monotonic(); /* its grace is over */
	end_shutdown();
	assert_given_back(id);
	assert_true(rig_is_dead(strtol(rig_read(&rig, "begun"), NULL, 10)));
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.killed\"");
}

/* A worker that leaves before the grace is over says once that it killed. */
STOP_CASE(leaving_kills_what_is_still_there)
{
	int64_t id = begin("trap '' TERM; echo $$ > begun; while :; do sleep 0.01; done");

	worker_role.stop(&rig.context);
	worker_role.hurry(&rig.context);
	rig_tick(&rig);
	rig_leave(&rig);
	assert_true(rig_is_dead(strtol(rig_read(&rig, "begun"), NULL, 10)));
	assert_given_back(id);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.killed\"");
}

STOP_CASE(leaving_kills_a_host_that_is_still_there)
{
	const char *path = rig_path(&rig, "begun");

	rig_isolated(&rig, "StayJob", "unruly");
	int64_t id = rig_enqueue(&rig, "StayJob", rig_text(&rig, path));
	step_until_written("begun");
	begin_shutdown();
	rig_tick(&rig);
	rig_leave(&rig);
	assert_given_back(id);
	assert_true(rig_is_dead(strtol(rig_read(&rig, "begun"), NULL, 10)));
}

/* What ends well before KILL reaches it has finished, also if nobody has looked since. */
STOP_CASE(leaving_counts_what_has_ended_meanwhile)
{
	int64_t id = begin("trap 'exit 0' TERM; echo $$ > begun; while :; do sleep 0.01; done");

	long pid = strtol(rig_read(&rig, "begun"), NULL, 10);

	begin_shutdown();
	test_until(rig_is_dead(pid), "its end");
	rig_leave(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

STOP_CASE(the_whole_group_is_told)
{
	int64_t id = begin("trap : TERM; sh -c \"trap 'echo > told; exit 0' TERM; echo > begun; "
			   "while :; do sleep 0.01; done\" & wait; wait; exit 0");

	shut_down();
	assert_string_equal(rig_read(&rig, "told"), "\n");
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

static bool is_suspended(const char *pid)
{
	char state;
	pid_t parent;

	assert_true(test_read_stat((pid_t)strtol(pid, NULL, 10), &state, &parent));
	return state == 'T';
}

STOP_CASE(a_command_that_is_suspended_hears_it_too)
{
	int64_t id = begin("trap 'exit 0' TERM; echo $$ > begun; kill -STOP $$; "
			   "while :; do sleep 0.01; done");

	while (!is_suspended(rig_read(&rig, "begun")))
		clock_sleep(CLOCK_MILLISECOND);
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* functions */

static void expect_given_back(void)
{
	int64_t id = rig_enqueue(&rig, "YieldJob", rig_text(&rig, rig_path(&rig, "begun")));
	step_until_written("begun");
	rig_stop(&rig); /* no hurry */
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	assert_int_equal(rig_job(&rig, id).losses, 0);
}

STOP_CASE(a_function_gives_its_job_back)
{
	rig_module(&rig, "YieldJob", "probe");
	expect_given_back();
}

STOP_CASE(an_isolated_function_gives_its_job_back)
{
	rig_isolated(&rig, "YieldJob", "probe");
	expect_given_back();
}

static void expect_refusal(void)
{
	struct rig_failure failure = rig_fail(&rig, "YieldAtOnceJob", NULL);

	assert_string_equal(failure.exception_class, "Dray::JobError");
	assert_contains(failure.message, "gave its job back without being asked to stop");
}

STOP_CASE(only_who_is_told_to_stop_may)
{
	rig_module(&rig, "YieldAtOnceJob", "probe");
	expect_refusal();
}

STOP_CASE(only_who_is_told_to_stop_may_in_a_host)
{
	rig_isolated(&rig, "YieldAtOnceJob", "probe");
	expect_refusal();
}

STOP_CASE(a_host_that_does_not_stop_is_killed)
{
	const char *path = rig_path(&rig, "begun");

	rig.config.process.stop_grace = 50 * CLOCK_MILLISECOND;
	rig_isolated(&rig, "StayJob", "unruly");
	int64_t id = rig_enqueue(&rig, "StayJob", rig_text(&rig, path));
	step_until_written("begun");
	shut_down();
	assert_given_back(id);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.killed\"");
	assert_true(rig_is_dead(strtol(rig_read(&rig, "begun"), NULL, 10)));
}

/* one run of several */

STOP_CASE(a_run_that_is_given_away_is_stopped_alone)
{
	int64_t thread;

	rig_module(&rig, "YieldJob", "probe");
	int64_t id =
		begin("trap 'exit 0' TERM; echo > begun; while ! [ -e go ]; do sleep 0.01; done");
	int64_t gone = rig_enqueue(&rig, "ScriptJob", NULL);
	thread = rig_enqueue(&rig, "YieldJob", rig_text(&rig, rig_path(&rig, "thread")));
	step_until_written("thread");
	while (rig_job(&rig, gone).state != JOB_CLAIMED)
		rig_nudge(&rig);
	run_stop(run_of(gone), STOP_FOR_LOSS);
	run_stop(run_of(thread), STOP_FOR_LOSS);
	rig_worker(&rig)->quiet = rig.context.quiet = true;
	while (runs_busy(&rig_worker(&rig)->runs) > 1)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_CLAIMED);
	assert_int_equal(rig_job(&rig, thread).state, JOB_READY);
	assert_contains(rig_read(&rig, "log"), "the job was given to another worker");
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* It has no process yet that could be told. */
STOP_CASE(a_run_that_waits_for_a_host_never_begins)
{
	int64_t ids[2];

	rig_isolated(&rig, "WaitJob", "probe");
	for (int i = 0; i < 2; i++)
		ids[i] = rig_enqueue(&rig, "WaitJob", NULL);
	while (rig_job(&rig, ids[1]).state != JOB_CLAIMED)
		(void)rig_tick(&rig);
	run_stop(run_of(ids[1]), STOP_FOR_LOSS);
	rig.context.quiet = true;
	while (rig_job(&rig, ids[1]).state != JOB_READY)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, ids[0]).state, JOB_CLAIMED);
	assert_null(rig_worker(&rig)->hosts.groups[0].first);
}
