/* Runs that take much longer than usual. Five minutes are made, not waited for. */
#include "rig.h"
#include "worker/state.h"

static struct rig rig;

#define WAIT_FOR "while [ -e held ]; do echo > begun; sleep 0.01; done"

static void declare(void)
{
	rig_script(&rig, "WaitJob", WAIT_FOR);
}

static void see(int runs)
{
	for (int i = 0; i < runs; i++)
		rig_succeed(&rig, "WaitJob", NULL);
}

/* One run goes on until the file is removed. */
static struct run *begin(int64_t *id)
{
	test_write_file(rig_path(&rig, "held"), "");
	*id = rig_enqueue(&rig, "WaitJob", NULL);
	rig_await_file(&rig, "begun");
	return runs_next_held(&rig_worker(&rig)->runs, NULL);
}

static void end(void)
{
	assert_int_equal(unlink(rig_path(&rig, "held")), 0);
	rig_drain(&rig);
}

/* It has been running for so much longer, and is looked at. */
static void grow(struct run *run, int64_t time)
{
	run->started_at -= time;
	run->slow_at -= run->slow_at == CLOCK_NEVER ? 0 : time;
	rig_worker(&rig)->kill_at = 0;
	rig_nudge(&rig);
}

static size_t told(void)
{
	return test_count_text(rig_read(&rig, "log"), "\"event\":\"job.slow\"");
}

static bool shown(int64_t id)
{
	return strstr(rig_describe(&rig, NULL),
		      arena_printf(rig.arena, ",\"slow_jobs\":[%lld]", (long long)id)) != NULL;
}

RIG_LOG_CASE(a_run_is_slow_after_five_minutes)
{
	int64_t id;

	declare();
	see(20);
	struct run *run = begin(&id);
	grow(run, 4 * CLOCK_MINUTE);
	assert_int_equal(told(), 0);
	assert_false(shown(id));
	grow(run, CLOCK_MINUTE);
	assert_int_equal(told(), 1);
	assert_true(shown(id));
	grow(run, CLOCK_HOUR);
	assert_int_equal(told(), 1);
	end();
	assert_int_equal(rig_job(&rig, id).state, JOB_FINISHED);
	assert_null(strstr(rig_describe(&rig, NULL), "slow_jobs"));
}

/* Nobody knows yet what is usual. */
RIG_LOG_CASE(too_few_runs_were_seen)
{
	int64_t id;

	declare();
	see(19);
	struct run *run = begin(&id);
	grow(run, CLOCK_HOUR);
	assert_int_equal(told(), 0);
	end();
}

/* An hour for what usually takes ten minutes, but not for what takes five. */
RIG_LOG_CASE(ten_times_the_median)
{
	struct pace *pace;
	int64_t id;

	declare();
	see(1);
	struct run *run = begin(&id);
	pace = run->handler->pace;
	pace->count = 100;
	for (size_t i = 0; i < PACE_RUNS; i++)
		pace->runs[i] = (i % 2 == 0 ? 10 : 1) * CLOCK_MINUTE;
	pace->runs[1] = 10 * CLOCK_MINUTE; /* one more of them: the median */
	grow(run, CLOCK_HOUR);
	assert_int_equal(told(), 0);
	assert_true(run->slow_at > clock_monotonic());
	for (size_t i = 0; i < PACE_RUNS; i += 2)
		pace->runs[i] = 5 * CLOCK_MINUTE;
	grow(run, 6 * CLOCK_MINUTE);
	assert_int_equal(told(), 1);
	end();
	assert_int_equal(pace->count, 101);
}
