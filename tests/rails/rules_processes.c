/* Processes of both sides: who is known to live, and what becomes of the jobs of the dead. */
#include "tests/rails/shared.h"

#define ALIVE  5 /* seconds */
#define PRUNED "SolidQueue::Processes::ProcessPrunedError"

/* Longer than the threshold and the pause between two looks of either side. */
#define TWO_LOOKS (10 * CLOCK_SECOND)

/* Another supervisor of Rails boots, which fails claims without a process: all end well. */
SHARED_CASE(the_living_are_let_alone)
{
	shared_alive(ALIVE);
	pid_t rails = shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	int64_t ours = shared_put(site, "SleepJob, 1, 12, queue: %q(dray)");
	int64_t theirs = shared_put(site, "SleepJob, 2, 12, queue: %q(ruby)");
	shared_await_effects(site, 2);
	int64_t processes = site_int(site, "SELECT max(id) FROM solid_queue_processes");
	pid_t another = shared_rails_start(site, "[idle]");
	clock_sleep(TWO_LOOKS);
	site_await_rows(site, NULL, 9);
	assert_int_equal(processes, 6);
	assert_int_equal(site_int(site, "SELECT max(id) FROM solid_queue_processes"), 9);
	assert_string_equal(ruby(site->arena,
				 "SolidQueue::Process.all.map { |p| p.metadata.class }"
				 ".uniq.map(&:ancestors).all? { |a| a.include?(Hash) }"),
			    "true");
	site_await(site, ours, JOB_FINISHED);
	site_await(site, theirs, JOB_FINISHED);
	shared_rails_stop(site, another);
	shared_rails_stop(site, rails);
}

/* The whole of dray is frozen for longer than the threshold of Rails, then goes on. */
SHARED_CASE(who_was_presumed_dead_finishes_nothing)
{
	shared_alive(ALIVE);
	pid_t rails = shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	int64_t job = shared_put(site, "SleepJob, 1, 1, queue: %q(dray)");
	shared_await_effects(site, 1);
	site_freeze(site, 0);
	site_await(site, job, JOB_FAILED);
	assert_contains(ruby(site->arena, "failure(%lld)", (long long)job), PRUNED);
	(void)site_signal(site, SIGCONT);
	site_await_log(site, "process.started", 4); /* both have been replaced */
	assert_int_equal(site_state(site, job), JOB_FAILED);
	assert_contains(ruby(site->arena, "failure(%lld)", (long long)job), PRUNED);
	shared_rails_stop(site, rails);
}

/* dray is killed with all its processes: Rails finds out, and its errors say so. */
SHARED_CASE(rails_fails_the_jobs_of_a_dead_dray)
{
	shared_alive(ALIVE);
	pid_t rails = shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	int64_t job = shared_put(site, "SleepJob, 1, 60, queue: %q(dray)");
	shared_await_effects(site, 1);
	site_kill(site);
	site_await(site, job, JOB_FAILED);
	assert_contains(ruby(site->arena, "failure(%lld)", (long long)job), PRUNED);
	site_await_rows(site, NULL, 3);
	shared_rails_stop(site, rails);
	(void)site_finish(site);
}

/* Rails is killed with all its processes: dray finds out, and its errors are those of Rails. */
SHARED_CASE(dray_fails_the_jobs_of_a_dead_rails)
{
	shared_alive(ALIVE);
	(void)shared_rails_start(site, "[ruby]");
	shared_start(site, "[dray]");
	int64_t job = shared_put(site, "SleepJob, 1, 60, queue: %q(ruby)");
	shared_await_effects(site, 1);
	shared_rails_kill(site);
	site_await(site, job, JOB_FAILED);
	assert_contains(ruby(site->arena, "failure(%lld)", (long long)job), PRUNED);
	assert_contains(ruby(site->arena, "failure(%lld)", (long long)job), "NilClass");
	site_await_rows(site, NULL, 3);
}

SHARED_CASES(processes, RULE("4", dray_fails_the_jobs_of_a_dead_rails),
	     RULE("1, 2, 19", the_living_are_let_alone),
	     RULE("3", who_was_presumed_dead_finishes_nothing),
	     RULE("3", rails_fails_the_jobs_of_a_dead_dray));
