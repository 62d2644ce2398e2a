/* Jobs that are ready or run without a slot, and are too many for the limit of their key. */
#include "tests/support/limited.h"
#include "tests/support/torn.h"

/* Three, of which one may run. */
static void put_three(struct test_db *test, int64_t jobs[3])
{
	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (size_t i = 0; i < 3; i++)
		jobs[i] = put_limited(test, "Limited", "k");
}

/* One holds a slot, and two more are ready. */
DB_CASE(jobs_beyond_their_limit)
{
	int64_t jobs[3];

	put_three(test, jobs);
	unblock(test->db);
	torn_mend(test, AILMENT_BEYOND, 2, jobs[1]);
	assert_int_equal(state_of(test, jobs[0]), JOB_READY);
	assert_int_equal(dispatch_due(test, 100), 2);
	for (size_t i = 1; i < 3; i++)
		assert_int_equal(state_of(test, jobs[i]), JOB_BLOCKED);
	assert_slots_add_up(test);
}

/* Nobody has a slot, as where all is written by hand: one may stay, and asks for its slot, too. */
DB_CASE(nobody_has_a_slot)
{
	int64_t jobs[3];

	put_three(test, jobs);
	unblock(test->db);
	test_execute(test->db, "DELETE FROM dray_slots; DELETE FROM solid_queue_semaphores");
	torn_mend(test, AILMENT_BEYOND, 2, jobs[1]);
	assert_int_equal(dispatch_due(test, 100), 3);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
	assert_int_equal(rows_of(test, "blocked_executions"), 2);
	assert_slots_add_up(test);
	torn_assert_well(test);
}

/* What Solid Queue lets in has no slot of ours and is within the limit; so is the unlimited. */
DB_CASE(no_slot_is_needed_within_the_limit)
{
	put_blocked(test, 2, 2);
	(void)put_limited(test, "Limited", "other");
	(void)put_limited(test, "Free", "k");
	test_execute(test->db, "DELETE FROM dray_slots; DELETE FROM solid_queue_semaphores");
	torn_assert_well(test);
}

/* One runs already, on another's worker: it is told of, and left to end. */
DB_CASE(who_runs_beyond_the_limit_is_left_alone)
{
	int64_t jobs[3];

	put_three(test, jobs);
	int64_t worker = register_worker(test->db, "rails");
	test_execute(test->db, "DELETE FROM solid_queue_blocked_executions");
	torn_add(test, "claimed", jobs[1], worker);
	torn_add(test, "ready", jobs[2], 0);
	struct doctor doctor = torn_examine(test, true);
	assert_int_equal(doctor.found[AILMENT_BEYOND].count, 2);
	assert_states(test, jobs[1], JOB_CLAIMED, jobs[2], JOB_SCHEDULED);
	doctor = torn_examine(test, true);
	assert_int_equal(doctor.found[AILMENT_BEYOND].count, 1);
	assert_int_equal(doctor.found[AILMENT_BEYOND].examples[0], jobs[1]);
}

/* A transaction of somebody, maybe gone, holds the rows: nothing is told as mended. */
DB_CASE(a_row_that_is_held_is_waited_for)
{
	const struct db_options options = { .call_timeout = 200 * CLOCK_MILLISECOND,
					    .retry_for = 1 };
	struct doctor doctor = {
		.mend = true, .prune = { .threshold = CLOCK_HOUR, .other_threshold = CLOCK_HOUR }
	};
	struct error error = { 0 };
	int64_t jobs[3];

	put_three(test, jobs);
	unblock(test->db);
	doctor.db = test_db_open_with(test->url, &options);
	test_execute(test->db,
		     db_dialect_of(test->db) == DB_SQLITE
			     ? "BEGIN IMMEDIATE"
			     : "BEGIN; SELECT id FROM solid_queue_ready_executions FOR UPDATE");
	assert_in_range(doctor_examine(&doctor, &error), STATUS_RETRY, STATUS_UNCERTAIN);
	test_execute(test->db, "ROLLBACK");
	db_close(doctor.db);
	torn_mend(test, AILMENT_BEYOND, 2, jobs[1]);
}
