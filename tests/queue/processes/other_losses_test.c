/*
 * What processes of other software were running when they died fails, with Solid Queue's errors
 * (rules 3 and 4; docs/internals/solid-queue.md, 2.14), and what ours were running does not.
 */
#include "queue/look/why.h"
#include "tests/support/queue.h"

/* Exactly Solid Queue's JSON, key by key in its order. */
static void assert_failure(struct test_db *test, int64_t id, const char *class_name,
			   const char *message)
{
	struct job job = find_job(test, id);
	assert_string_equal(job.error,
			    arena_printf(test->arena,
					 "{\"exception_class\":\"SolidQueue::Processes::%s\","
					 "\"message\":\"%s\",\"backtrace\":null}",
					 class_name, message));
}

static int64_t register_foreign(struct test_db *test)
{
	struct process_row row = { .kind = "Worker",
				   .name = "worker-of-rails",
				   .pid = 1,
				   .hostname = "test",
				   .metadata = "{\"polling_interval\":0.1,\"queues\":\"*\","
					       "\"thread_pool_size\":3}" };

	must(process_register, test->db, &row);
	return row.id;
}

/* The longest bounds: nothing but the rule for others can fail these at their first loss. */
static struct loss_policy fail_others(bool others)
{
	return (struct loss_policy){
		.max_losses = 9,
		.classes = "[{\"class_name\":\"Test\",\"max_losses\":8}]",
		.others_fail = others,
		.declared = "[{\"class_name\":\"Test\",\"max_losses\":8}]",
	};
}

/* A Rails worker dies with one job, a worker of ours with another: each by its own rule. */
DB_CASE(what_other_software_lost_fails_by_its_rule)
{
	const struct prune prune = { 0, 30 * CLOCK_SECOND, 5 * CLOCK_MINUTE };
	const struct loss_policy policies[] = { fail_others(true), fail_others(false) };
	struct loss_result result;

	for (size_t i = 0; i < 2; i++) {
		int64_t theirs = put(test->db, "a", 0);
		take_all(test, register_foreign(test), 1);
		int64_t ours = put(test->db, "a", 0);
		take_all(test, register_worker(test->db, "w"), 1);
		set_heartbeats(test, "2026-01-02 03:04:05");
		must(process_prune, test->db, &prune, &policies[i], &result);
		assert_int_equal(result.processes, 2);
		assert_int_equal(result.failed, i == 0 ? 1 : 0);
		assert_int_equal(result.released, i == 0 ? 1 : 2);
		assert_int_equal(state_of(test, theirs), i == 0 ? JOB_FAILED : JOB_READY);
		assert_int_equal(state_of(test, ours), JOB_READY);
		if (i == 0)
			assert_failure(test, theirs, "ProcessPrunedError",
				       "Process was found dead and pruned (last heartbeat at: "
				       "2026-01-02 03:04:05 UTC)");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_invariant(test->db);
	}
}

static bool why_says_it_fails(struct test_db *test, int64_t id, const struct loss_policy *policy)
{
	const struct prune patience = { 0, CLOCK_MINUTE, CLOCK_MINUTE };
	struct job job = find_job(test, id);
	struct job_details details;
	struct why why;
	struct why_facts facts = { .job = &job, .details = &details, .policy = policy };

	must(job_details_read, test->db, test->arena, &job, &details);
	must(why_read, test->db, test->arena, &patience, &facts);
	why_explain(test->arena, &facts, &why);
	assert_contains(why.text, facts.orphan_fails ? "gone: it fails (other_on_lost) when"
						     : "gone: it goes back to its queue when");
	return facts.orphan_fails;
}

/* Whose a claim without a process was tells its class, where there is other software at all. */
DB_CASE(orphans_are_judged_by_their_class_where_tables_are_shared)
{
	const struct new_job foreign = { .class_name = "UserMailer" };
	const struct loss_policy policy = fail_others(true);
	struct loss_result result;

	for (int shared = 0; shared < 2; shared++) {
		int64_t theirs = put_job(test->db, &foreign);
		int64_t ours = put(test->db, "a", 0);
		take_all(test, register_worker(test->db, "w"), 2);
		test_execute(test->db, "DELETE FROM solid_queue_processes");
		if (shared)
			(void)register_foreign(test);
		assert_int_equal(why_says_it_fails(test, theirs, &policy), shared);
		assert_false(why_says_it_fails(test, ours, &policy));
		must(process_lose_orphans, test->db, &policy, &result);
		assert_int_equal(result.failed, shared);
		assert_int_equal(state_of(test, theirs), shared ? JOB_FAILED : JOB_READY);
		assert_int_equal(state_of(test, ours), JOB_READY);
		if (shared)
			assert_failure(test, theirs, "ProcessMissingError",
				       "The process that was running this job no longer exists");
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_invariant(test->db);
	}
}
