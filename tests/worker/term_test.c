/* TERM to a whole tree of processes, which may reach a command before its worker hears of it. */
#include "rig.h"
#include "worker/stop.h"

static struct rig rig;

/* Steps until the only run is held. */
static struct run *await_held(void)
{
	for (;;) {
		rig_nudge(&rig);
		if (rig_worker(&rig)->runs.all[0].held_until != 0)
			return &rig_worker(&rig)->runs.all[0];
	}
}

static int64_t end_by_term(const char *script)
{
	int64_t id;

	rig_command(&rig, "ScriptJob", RIG_SHELL(script));
	id = rig_enqueue(&rig, "ScriptJob", NULL);
	(void)await_held();
	assert_int_equal(rig_job(&rig, id).state, JOB_CLAIMED);
	return id;
}

RIG_CASE(a_command_that_term_ended_goes_back_when_its_worker_is_stopped)
{
	static const char *const scripts[] = { "kill -TERM $$", "exit 143" };

	for (size_t i = 0; i < sizeof(scripts) / sizeof(scripts[0]); i++) {
		int64_t id = end_by_term(scripts[i]);
		rig_leave(&rig);
		assert_int_equal(rig_job(&rig, id).state, JOB_READY);
		assert_int_equal(rig_job(&rig, id).losses, 0);
		rig_tear_down(state);
		(void)rig_set_up(state);
	}
}

/* The worker hears of it first: what ends by it afterwards goes back at once. */
RIG_CASE(a_command_that_term_ends_while_its_worker_stops_goes_back)
{
	int64_t id;

	rig_script(&rig, "ScriptJob", "until [ -e go ]; do sleep 0.01; done; kill -TERM $$");
	id = rig_enqueue(&rig, "ScriptJob", NULL);
	(void)rig_tick(&rig);
	rig.context.stopping = true;
	worker_role.stop(&rig.context);
	test_write_file(rig_path(&rig, "go"), "");
	while (!worker_role.idle(&rig.context))
		rig_step(&rig);
	assert_int_equal(rig_job(&rig, id).state, JOB_READY);
}

RIG_CASE(it_has_failed_when_nothing_stops_the_worker)
{
	int64_t id = end_by_term("kill -TERM $$");
	struct job job;

	await_held()->held_until = clock_monotonic(); /* as if the second were over */
	rig_worker(&rig)->kill_at = clock_monotonic();
	job = rig_run(&rig, id);
	assert_int_equal(job.state, JOB_FAILED);
	assert_string_equal(rig_failure_of(&rig, &job).exception_class, "Dray::SignalError");
}

GROUP(rig_quiet, NULL);
