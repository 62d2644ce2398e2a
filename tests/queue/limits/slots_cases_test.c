/* Concurrency limits: CC4, CC11, CE9, CE10, FS9, JB8, JB9 and LC1 to LC18 (solid-queue.md). */
#include "queue/limits/heal.h"
#include "queue/manage/manage.h"
#include "tests/support/limited.h"

/* CC4: failures give the slot back like success. */
DB_CASE(cc4_failures_give_the_slot_back)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 1, 6);
	for (int i = 0; i < 6; i++)
		assert_true(settle_one(test->db, take_all(test, process, 1),
				       i < 3 ? OUTCOME_FAILED : OUTCOME_FINISHED));
	assert_int_equal(rows_of(test, "failed_executions"), 3);
	assert_key(test, "k", 1, 0, 0, 0);
}

static bool is_discarded(struct test_db *test, const char *class_name, const char *key)
{
	const struct new_job job = { .class_name = class_name, .concurrency_key = key };
	struct enqueued result;

	must(enqueue, test->db, &job, 1, &result);
	return result.discarded;
}

/* CC11: a discarded job neither takes nor keeps a slot: when the holder ends, a later one runs. */
DB_CASE(cc11_a_later_job_runs_after_a_discard)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Once", 1, LIMIT_DISCARD);
	assert_false(is_discarded(test, "Once", "k"));
	struct claim *claim = take_all(test, process, 1);
	assert_true(is_discarded(test, "Once", "k"));
	assert_int_equal(value_of(test, "k"), 0);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_int_equal(value_of(test, "k"), 1);
	assert_int_equal(held_slots(test), 0);
	assert_false(is_discarded(test, "Once", "k"));
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
}

/* Its slot is taken again when it is due; it waits then, whatever its class says of conflicts. */
static void retry_meets_a_holder(struct test_db *test, enum outcome_kind kind,
				 enum conflict on_conflict)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, on_conflict);
	int64_t id = put_limited(test, "Limited", "k");
	assert_true(settle_one(test->db, take_all(test, process, 1), kind));
	assert_int_equal(held_slots(test), 0);
	int64_t holder = put_limited(test, "Limited", "k");
	assert_int_equal(state_of(test, holder), JOB_READY);
	int64_t other = on_conflict == LIMIT_REPLACE ? put_limited(test, "Limited", "k") : 0;
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_int_equal(state_of(test, id), JOB_BLOCKED);
	if (other > 0) {
		assert_int_equal(state_of(test, other), JOB_BLOCKED);
		int64_t newer = put_limited(test, "Limited", "k");
		assert_states(test, id, JOB_BLOCKED, other, JOB_STATES, newer, JOB_BLOCKED);
	}
	for (int i = other > 0 ? 3 : 2; i > 0; i--)
		assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_slots_add_up(test);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
}

DB_CASE(a_retry_waits_for_its_slot)
{
	retry_meets_a_holder(test, OUTCOME_RETRIED, LIMIT_BLOCK);
	retry_meets_a_holder(test, OUTCOME_RETRIED, LIMIT_DISCARD);
	retry_meets_a_holder(test, OUTCOME_RETRIED, LIMIT_REPLACE);
	retry_meets_a_holder(test, OUTCOME_SNOOZED, LIMIT_DISCARD);
	retry_meets_a_holder(test, OUTCOME_SNOOZED, LIMIT_REPLACE);
}

/* JB8, JB9: the slots of a group, and each class's own word about conflicts. */
DB_CASE(jb9_a_group_with_discard)
{
	declare(test, "Waits", 1, LIMIT_BLOCK);
	declare(test, "Once", 1, LIMIT_DISCARD);
	assert_false(is_discarded(test, "Waits", "G/1"));
	assert_true(is_discarded(test, "Once", "G/1"));
	assert_false(is_discarded(test, "Waits", "G/1"));
	assert_false(is_discarded(test, "Once", "G/2"));
	assert_rows(test, 2, 0, 1);
}

/* CE9: what a worker does with a job of a class that it does not know; the slot goes on. */
DB_CASE(ce9_an_unknown_class_fails_and_gives_its_slot)
{
	int64_t process = register_worker(test->db, "w");

	put_limited(test, "Gone", "k");
	int64_t next = put_limited(test, "Gone", "k");
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FAILED));
	assert_int_equal(state_of(test, next), JOB_READY);
	assert_int_equal(value_of(test, "k"), 0);
}

/* CE10, LC12: a key of an unknown class is dispatched, and has one slot. */
DB_CASE(ce10_an_unknown_class_is_dispatched)
{
	for (int i = 0; i < 2; i++)
		put_limited_delayed(test, "Gone", "k");
	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 2);
	assert_rows(test, 1, 0, 1);
}

/* FS9: orphans with limit 3 and one that waits. */
DB_CASE(fs9_orphans_give_their_slots)
{
	put_blocked(test, 3, 4);
	(void)take_all(test, register_worker(test->db, "gone"), 3);
	test_execute(test->db, "DELETE FROM solid_queue_processes");
	assert_int_equal(lose_orphans(test, &fail_all).failed, 3);
	assert_key(test, "k", 2, 1, 0, 0);
}

/* LC2: an expired semaphore without a free slot still says so. */
DB_CASE(case_2_an_expired_semaphore_still_blocks)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	(void)take_all(test, process, 1);
	sql_do(test, "UPDATE solid_queue_semaphores SET expires_at = '2026-01-01 00:00:00'");
	put_limited(test, "Limited", "k");
	assert_key(test, "k", 0, 0, 1, 1);
}

/* LC8: clearing a queue gives all slots back, and lets in who waits in another one. */
DB_CASE(case_8_clearing_a_queue_admits_the_others)
{
	declare(test, "Limited", 3, LIMIT_BLOCK);
	for (int i = 0; i < 8; i++)
		put_job(test->db, &(struct new_job){ .class_name = "Limited",
						     .concurrency_key = "k",
						     .queue = i < 3 ? "red" : "blue" });
	assert_int_equal(discard_ready(test, "red"), 3);
	assert_rows(test, 3, 0, 2);
	assert_slots_add_up(test);
}

/* LC13: nothing makes a job run that waits for a slot: it is refused, and stays. */
DB_CASE(case_13_a_blocked_job_cannot_be_run_now)
{
	struct action action = { .db = test->db, .arena = test->arena, .kind = ACTION_RUN_NOW };

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	int64_t waits = put_limited(test, "Limited", "k");
	must(action_ids, &action, &waits, 1);
	assert_int_equal(action.done, 0);
	assert_int_equal(action.refused_count, 1);
	assert_wording("run_now.blocked", action.refused[0].reason);
	assert_int_equal(state_of(test, waits), JOB_BLOCKED);
	assert_slots_add_up(test);
}

/* LC17: a dead holder discards what comes only until its death is noticed, not until expiry. */
DB_CASE(case_17_the_dead_discard_nobody)
{
	declare(test, "Once", 1, LIMIT_DISCARD);
	assert_false(is_discarded(test, "Once", "k"));
	(void)take_all(test, register_worker(test->db, "dead"), 1);
	assert_true(is_discarded(test, "Once", "k"));
	(void)bury(test, "dead", &fail_all);
	assert_false(is_discarded(test, "Once", "k"));
	assert_rows(test, 1, 0, 0);
}
