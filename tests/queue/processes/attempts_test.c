/* The number of a run: every one that began counts, and no two are alike. */
#include "tests/support/queue.h"

static const struct loss_policy two_losses = { .max_losses = 2 };

/* Claims the only job: this is its run number `attempt`, after `losses` losses. */
static struct claim *begin(struct test_db *test, int64_t process, int64_t attempt, int64_t losses)
{
	struct claim *claim = take_all(test, process, 1);

	assert_int_equal(claim->job.losses, losses);
	assert_int_equal(job_attempt(&claim->job, 0), attempt);
	return claim;
}

static void fail_run(struct test_db *test, int64_t attempt, int64_t losses)
{
	struct claim *claim = begin(test, register_worker(test->db, "failing"), attempt, losses);

	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
}

static void lose_run(struct test_db *test, int64_t attempt, int64_t losses)
{
	const struct burial burial = { .name = "dying", .pid = 1, .how = "Gone." };
	struct loss_result result;

	(void)begin(test, register_worker(test->db, "dying"), attempt, losses);
	must(process_bury, test->db, &burial, &two_losses, &result);
}

/* Cut short by a shutdown, or put off: a run, but no execution and no loss. */
static void end_run(struct test_db *test, int64_t attempt, enum outcome_kind kind)
{
	struct claim *claim = begin(test, register_worker(test->db, "w"), attempt, 0);

	assert_true(settle_one(test->db, claim, kind));
	if (kind == OUTCOME_SNOOZED)
		assert_int_equal(dispatch_due(test, 1), 1);
}

static void retry(struct test_db *test, int64_t id)
{
	assert_int_equal(state_of(test, id), JOB_FAILED);
	must(job_retry, test->db, id);
}

DB_CASE(failures_and_losses_count)
{
	int64_t id = put(test->db, "q", 0);

	fail_run(test, 1, 0);
	retry(test, id);
	lose_run(test, 2, 0);
	lose_run(test, 3, 1);
	fail_run(test, 4, 2);
	retry(test, id); /* forgets losses, and no run */
	lose_run(test, 5, 0);
	lose_run(test, 6, 1);
	lose_run(test, 7, 2); /* the one that fails it is one run, not two */
	retry(test, id);
	fail_run(test, 8, 0);
	retry(test, id);
	(void)begin(test, register_worker(test->db, "last"), 9, 0);
	test_invariant(test->db);
}

DB_CASE(interruptions_count)
{
	int64_t id = put(test->db, "q", 0);

	end_run(test, 1, OUTCOME_INTERRUPTED);
	end_run(test, 2, OUTCOME_SNOOZED);
	end_run(test, 3, OUTCOME_INTERRUPTED);
	fail_run(test, 4, 0);
	retry(test, id);
	end_run(test, 5, OUTCOME_RELEASED); /* it never began */
	end_run(test, 5, OUTCOME_SNOOZED);
	lose_run(test, 6, 0);
	(void)begin(test, register_worker(test->db, "last"), 7, 1);
	assert_int_equal(sql_number(test, "SELECT interruptions FROM dray_losses"), 4);
	test_invariant(test->db);
}

/* What Active Job had counted is in the payload until a retry resets it. */
DB_CASE(a_payload_that_is_reset_keeps_its_runs)
{
	const struct new_job job = {
		.class_name = "A",
		.payload =
			"{\"job_class\":\"A\",\"job_id\":\"x\",\"arguments\":[],\"executions\":5}"
	};
	int64_t id = put_job(test->db, &job);
	int64_t process = register_worker(test->db, "w");
	struct claim *claim = take_all(test, process, 1);

	assert_int_equal(job_attempt(&claim->job, 5), 6);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	retry(test, id);
	(void)begin(test, process, 7, 0);
}
