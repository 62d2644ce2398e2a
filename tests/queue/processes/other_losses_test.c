/* The dead of other software fail their jobs (rules 3 and 4; solid-queue.md, 2.14); ours do not. */
#include "tests/support/jobs/why.h"

static int64_t register_foreign(struct test_db *test)
{
	return register_process(
		test->db, "Worker", "worker-of-rails",
		"{\"polling_interval\":0.1,\"queues\":\"*\",\"thread_pool_size\":3}");
}

/* The longest bounds: nothing but the rule for others can fail these at their first loss. */
static struct loss_policy fail_others(bool others)
{
	return (struct loss_policy){ .max_losses = 9, .others_fail = others };
}

/* A Rails worker dies with one job, a worker of ours with another: each by its own rule. */
DB_CASE(what_other_software_lost_fails_by_its_rule)
{
	const struct loss_policy policies[] = { fail_others(true), fail_others(false) };

	declare_losses(test->db, "Test", 8);
	for (size_t i = 0; i < 2; i++) {
		int64_t theirs = put(test->db, "a", 0);
		take_all(test, register_foreign(test), 1);
		int64_t ours = put(test->db, "a", 0);
		take_all(test, register_worker(test->db, "w"), 1);
		set_heartbeats(test, "2026-01-02 03:04:05");
		struct loss_result result = prune_dead(test, &test_patience, &policies[i]);
		assert_int_equal(result.processes, 2);
		assert_int_equal(result.failed, i == 0 ? 1 : 0);
		assert_int_equal(result.released, i == 0 ? 1 : 2);
		assert_int_equal(state_of(test, theirs), i == 0 ? JOB_FAILED : JOB_READY);
		assert_int_equal(state_of(test, ours), JOB_READY);
		if (i == 0)
			assert_lost(test, theirs, "ProcessPrunedError",
				    "Process was found dead and pruned (last heartbeat at: "
				    "2026-01-02 03:04:05 UTC)");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_invariant(test->db);
	}
}

static bool why_says_it_fails(struct test_db *test, int64_t id, const struct loss_policy *policy)
{
	struct why_look look;

	why_look(test, id, policy, &look);
	assert_wording(look.facts.orphan_fails ? "why.orphan_fails" : "why.orphan_goes_back",
		       look.why.text);
	return look.facts.orphan_fails;
}

/* Whose a claim without a process was tells its class, where there is other software at all. */
DB_CASE(orphans_are_judged_by_their_class_where_tables_are_shared)
{
	const struct new_job foreign = { .class_name = "UserMailer" };
	const struct loss_policy policy = fail_others(true);

	declare_losses(test->db, "Test", 8);
	for (int shared = 0; shared < 2; shared++) {
		int64_t theirs = put_job(test->db, &foreign);
		int64_t ours = put(test->db, "a", 0);
		take_all(test, register_worker(test->db, "w"), 2);
		test_execute(test->db, "DELETE FROM solid_queue_processes");
		if (shared)
			(void)register_foreign(test);
		assert_int_equal(why_says_it_fails(test, theirs, &policy), shared);
		assert_false(why_says_it_fails(test, ours, &policy));
		assert_int_equal(lose_orphans(test, &policy).failed, shared);
		assert_int_equal(state_of(test, theirs), shared ? JOB_FAILED : JOB_READY);
		assert_int_equal(state_of(test, ours), JOB_READY);
		if (shared)
			assert_lost(test, theirs, "ProcessMissingError",
				    "The process that was running this job no longer exists");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_invariant(test->db);
	}
}
