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

/* Shutdown with no time at all for what runs to end by itself. */
static void shut_down(void)
{
	(void)rig_hurry(&rig);
	rig_drain(&rig);
}

/* A job of this script, which writes "begun" when it is ready to be stopped. */
static int64_t begin(const char *script)
{
	rig_script(&rig, "ScriptJob", script);
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);
	rig_await_file(&rig, "begun");
	return id;
}

/* One of a function that writes it. */
static int64_t begin_function(const struct config_class *class)
{
	int64_t id = rig_enqueue(&rig, class->name, rig_text(&rig, rig_path(&rig, "begun")));

	rig_await_file(&rig, "begun");
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
	struct config_class *class =
		rig_script(&rig, "ScriptJob",
			   "trap 'exit 143' TERM; echo > begun; while :; do sleep 0.01; done");

	class->exit = exits;
	class->exit_count = 1;
	int64_t id = rig_enqueue(&rig, "ScriptJob", NULL);
	rig_await_file(&rig, "begun");
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_SCHEDULED);
}

STOP_CASE(a_command_that_does_not_stop_is_killed)
{
	int64_t id = begin("trap 'echo >> deaf' TERM; echo $$ > begun; "
			   "while :; do sleep 0.01; done");

	(void)rig_hurry(&rig);
	rig_await_file(&rig, "deaf");
	assert_false(rig_logged(&rig, "job.killed"));
	run_of(id)->kill_at = rig_worker(&rig)->kill_at = clock_monotonic(); /* its grace is over */
	rig_drain(&rig);
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
	int64_t id = begin_function(rig_isolated(&rig, "StayJob", "unruly"));

	(void)rig_hurry(&rig);
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

	(void)rig_hurry(&rig);
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

STOP_CASE(a_command_that_is_suspended_hears_it_too)
{
	int64_t id = begin("trap 'exit 0' TERM; echo $$ > begun; kill -STOP $$; "
			   "while :; do sleep 0.01; done");

	const pid_t pid = (pid_t)strtol(rig_read(&rig, "begun"), NULL, 10);
	test_until(test_state_of(pid) == 'T', "its suspension");
	shut_down();
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* functions */

static void expect_given_back(const struct config_class *class)
{
	int64_t id = begin_function(class);

	rig_stop(&rig); /* no hurry */
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
	assert_int_equal(rig_job(&rig, id).losses, 0);
}

STOP_CASE(a_function_gives_its_job_back)
{
	expect_given_back(rig_module(&rig, "YieldJob", "probe"));
}

STOP_CASE(an_isolated_function_gives_its_job_back)
{
	expect_given_back(rig_isolated(&rig, "YieldJob", "probe"));
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
	rig.config.process.stop_grace = 50 * CLOCK_MILLISECOND;
	int64_t id = begin_function(rig_isolated(&rig, "StayJob", "unruly"));

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
	rig_await_file(&rig, "thread");
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
