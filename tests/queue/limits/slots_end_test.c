/* Concurrency limits: how slots come back: JB14, JB17, SE3, SE4, and defects of Solid Queue. */
#include "tests/support/limited.h"

/* JB14, JB17, LC6, LC7. */
DB_CASE(jb17_discarding_the_holder_admits_the_next)
{
	int64_t ids[3];

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 3; i++)
		ids[i] = put_limited(test, "Limited", "k");
	must(job_discard, test->db, ids[1]);
	assert_key(test, "k", 0, 1, 0, 1);
	must(job_discard, test->db, ids[0]);
	assert_int_equal(state_of(test, ids[2]), JOB_READY);
	must(job_discard, test->db, ids[2]);
	assert_int_equal(value_of(test, "k"), 1);
	assert_int_equal(held_slots(test), 0);
}

/* Defect 11, SE3, SE4 (solid-queue.md, 2.8): as many slots come back, never more than the limit. */
DB_CASE(defect_11_bulk_discard_returns_every_slot)
{
	put_blocked(test, 3, 8);
	assert_int_equal(discard_ready(test, NULL), 3);
	assert_rows(test, 3, 0, 2);
	(void)discard_ready(test, NULL);
	(void)discard_ready(test, NULL);
	assert_int_equal(value_of(test, "k"), 3);
	assert_int_equal(held_slots(test), 0);
}

/* Defects 15 and 17, LC16: retrying takes a slot or waits for one, and deletes nothing. */
DB_CASE(defect_17_retry_never_deletes)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Once", 1, LIMIT_DISCARD);
	int64_t failed = put_limited(test, "Once", "k");
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FAILED));
	assert_int_equal(value_of(test, "k"), 1);
	put_limited(test, "Once", "k");
	assert_int_equal(retry_failed(test, NULL), 1);
	assert_int_equal(state_of(test, failed), JOB_BLOCKED);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FAILED));
	assert_int_equal(state_of(test, failed), JOB_READY);
	(void)retry_failed(test, NULL);
	assert_key(test, "k", 0, 1, 0, 1);
}

/* Defect 1, CE2, LC3: who lost its claim gives back no slot. */
DB_CASE(defect_1_a_late_finisher_returns_nothing)
{
	put_blocked(test, 1, 2);
	struct claim *late = take_all(test, register_worker(test->db, "frozen"), 1);
	(void)bury(test, "frozen", &test_policy);
	struct claim *now = take_all(test, register_worker(test->db, "w"), 1);
	assert_int_equal(now->job.id, late->job.id);
	assert_false(settle_one(test->db, late, OUTCOME_FINISHED));
	assert_key(test, "k", 0, 0, 1, 1);
	assert_true(settle_one(test->db, now, OUTCOME_FINISHED));
	assert_rows(test, 1, 0, 0);
}

/* LC4: a job that is lost too often fails, and its slot goes to the next at once. */
DB_CASE(a_lost_job_that_fails_gives_its_slot)
{
	put_blocked(test, 1, 3);
	(void)take_all(test, register_worker(test->db, "dead"), 1);
	(void)bury(test, "dead", &fail_all);
	assert_rows(test, 1, 0, 1);
	(void)take_all(test, register_worker(test->db, "gone"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(lose_orphans(test, &fail_all).failed, 1);
	assert_key(test, "k", 0, 1, 0, 0);
	assert_int_equal(held_slots(test), 1);
}

/* LC3: a semaphore that expired (Solid Queue deletes it) comes back with what is held. */
DB_CASE(an_expired_semaphore_forgets_no_holder)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	struct claim *claim = take_all(test, process, 1);
	test_execute(test->db, "DELETE FROM solid_queue_semaphores");
	put_limited(test, "Limited", "k");
	assert_key(test, "k", 0, 0, 1, 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_key(test, "k", 0, 1, 0, 0);
}

/* A job that Solid Queue admitted has no row of ours, and its slot comes back all the same. */
DB_CASE(a_slot_that_solid_queue_gave_comes_back)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 2);
	test_execute(test->db, "DELETE FROM dray_slots");
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	assert_key(test, "k", 0, 1, 0, 0);
	assert_int_equal(held_slots(test), 1);
}
