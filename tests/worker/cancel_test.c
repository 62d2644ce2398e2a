/* Runs whose jobs people cancel: what is stopped, and how they end. */
#include <poll.h>

#include "queue/manage/manage.h"
#include "rig.h"
#include "tests/support/database.h"
#include "tests/support/sites/process.h"
#include "worker/exec/exec.h"
#include "worker/stop.h"

static struct rig rig;

/* The rig's process has a row of ours, as a worker that was started has. */
static int64_t begin(const char *class_name, const char *arguments)
{
	int64_t id = rig_enqueue(&rig, class_name, arguments);

	test_execute(rig.db, "UPDATE solid_queue_processes SET metadata = "
			     "'{\"cancels\":true}'");
	rig_await_file(&rig, "begun");
	return id;
}

/* As the runner does when the heartbeat has found the note. */
static void tell(void)
{
	must(worker_role.told, &rig.context);
}

static void cancel(int64_t id)
{
	must(job_cancel, rig.db, id, "a mistake");
	tell();
}

static void assert_cancelled(int64_t id)
{
	while (rig_job(&rig, id).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
	assert_string_equal(rig_ask(&rig, "SELECT outcome, attempt FROM dray_attempts"),
			    "cancelled 1\n");
	assert_contains(rig_ask(&rig, "SELECT error FROM dray_attempts"), ": a mistake\"");
	assert_string_equal(rig_ask(&rig, "SELECT count(*) FROM dray_cancellations"), "0\n");
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.cancelled\"");
}

static int64_t begin_script(const char *script)
{
	rig_script(&rig, "ScriptJob", script);
	return begin("ScriptJob", NULL);
}

/* Scripts that wait for it end. */
static void put_end(void)
{
	test_write_file(rig_path(&rig, "end"), "");
}

RIG_LOG_CASE(a_command_that_dies_of_the_signal)
{
	int64_t id = begin_script("echo > begun; exec sleep 60");

	cancel(id);
	assert_cancelled(id);
}

/* Whatever its status is. */
RIG_LOG_CASE(a_command_that_says_it_is_well)
{
	int64_t id = begin_script("trap 'exit 0' TERM; echo > begun; while :; do sleep 0.01; done");

	cancel(id);
	assert_cancelled(id);
}

RIG_LOG_CASE(a_command_that_does_not_listen)
{
	rig.config.process.stop_grace = 50 * CLOCK_MILLISECOND;
	int64_t id = begin_script("trap '' TERM; echo > begun; while :; do sleep 0.01; done");

	cancel(id);
	assert_cancelled(id);
}

/* It has ended, and its worker has not settled that: it stays so, and the note goes. */
RIG_LOG_CASE(what_has_ended_stays)
{
	int64_t id = begin_script("echo > begun; exit 0");

	while (!rig_worker(&rig)->ended)
		(void)loop_wait(rig.context.loop, clock_monotonic() + CLOCK_MILLISECOND);
	cancel(id);
	while (rig_job(&rig, id).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_string_equal(rig_ask(&rig, "SELECT count(*) FROM dray_attempts"), "0\n");
	assert_string_equal(rig_ask(&rig, "SELECT count(*) FROM dray_cancellations"), "1\n");
	tell();
	assert_string_equal(rig_ask(&rig, "SELECT count(*) FROM dray_cancellations"), "0\n");
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
}

/* The same, of which the worker has not heard yet. */
RIG_LOG_CASE(what_has_exited_stays)
{
	int64_t id = begin_script("echo > begun; while ! test -e end; do sleep 0.01; done");
	struct pollfd exited = { .events = POLLIN };

	exited.fd = runs_next_held(&rig_worker(&rig)->runs, NULL)->exec->pidfd;
	put_end();
	assert_int_equal(poll(&exited, 1, -1), 1);
	cancel(id);
	while (rig_job(&rig, id).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
	assert_string_equal(rig_ask(&rig, "SELECT count(*) FROM dray_attempts"), "0\n");
}

/* As if the time of the one that runs was over: it is told. */
static void time_out(void)
{
	struct worker *worker = rig_worker(&rig);

	runs_next_held(&worker->runs, NULL)->timeout_at = 1;
	worker->kill_at = 1;
	stops_tick(worker);
}

/* It was still running. */
RIG_LOG_CASE(cancelled_while_its_timeout_stops_it)
{
	rig.config.process.stop_grace = CLOCK_MINUTE;
	rig_script(&rig, "ScriptJob",
		   "trap '' TERM; echo > begun; while ! test -e end; do sleep 0.01; done");
	rig.classes[0].timeout = CLOCK_HOUR;
	int64_t id = begin("ScriptJob", NULL);

	time_out();
	cancel(id);
	put_end();
	assert_cancelled(id);
}

/* Its function had returned, after its timeout, and its worker had not looked. */
RIG_LOG_CASE(what_its_timeout_has_ended_stays)
{
	rig_module(&rig, "YieldJob", "probe")->timeout = CLOCK_HOUR;
	int64_t id = begin("YieldJob", rig_text(&rig, rig_path(&rig, "begun")));

	time_out();
	while (pool_look(rig_worker(&rig)->pool) != POOL_ENDED)
		clock_sleep(CLOCK_MILLISECOND);
	cancel(id);
	while (rig_job(&rig, id).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FAILED);
	assert_string_equal(rig_ask(&rig, "SELECT outcome FROM dray_attempts"), "failed\n");
}

/* The worker stops, and gives the job back, before it knows: what happened is what the log says. */
RIG_LOG_CASE(cut_short_before_it_was_told)
{
	rig_module(&rig, "YieldJob", "probe");
	int64_t id = begin("YieldJob", rig_text(&rig, rig_path(&rig, "begun")));

	must(job_cancel, rig.db, id, "a mistake");
	rig_stop(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
	assert_contains(rig_read(&rig, "log"), "\"event\":\"job.cancelled\"");
	assert_contains(rig_read(&rig, "log"), ": a mistake");
	assert_null(strstr(rig_read(&rig, "log"), "\"event\":\"job.released\""));
}

/* The one run that goes on does so. */
RIG_LOG_CASE(others_go_on)
{
	rig_script(&rig, "OtherJob", "while ! test -e end; do sleep 0.01; done");
	int64_t other = rig_enqueue(&rig, "OtherJob", NULL);
	int64_t id = begin_script("echo > begun; exec sleep 60");

	rig_await_claim(&rig, other);
	cancel(id);
	while (rig_job(&rig, id).state == JOB_CLAIMED)
		rig_nudge(&rig);
	assert_int_equal(rig_job(&rig, other).state, JOB_CLAIMED);
	assert_string_equal(rig_ask(&rig, "SELECT outcome FROM dray_attempts"), "cancelled\n");
	put_end();
	assert_int_equal(rig_run(&rig, other).state, JOB_FINISHED);
}

/* Also one that does not say that it was cut short. */
RIG_LOG_CASE(a_function_is_told)
{
	rig_module(&rig, "CancelJob", "probe");
	int64_t id = begin("CancelJob", rig_text(&rig, rig_path(&rig, "begun")));

	cancel(id);
	assert_cancelled(id);
}

RIG_LOG_CASE(an_isolated_function_is_told_to_stop)
{
	rig_isolated(&rig, "YieldJob", "probe");
	int64_t id = begin("YieldJob", rig_text(&rig, rig_path(&rig, "begun")));

	cancel(id);
	assert_cancelled(id);
}
