/* Limits that change while jobs run and wait; a tick of maintenance is two looks. */
#include "queue/limits/heal.h"
#include "tests/support/limited.h"

#define KEYS(...) ((const char *const[]){ __VA_ARGS__, NULL })

/* A class that is in jobs.yml and has no limit (any more). */
static void declare_none(struct test_db *test, const char *class_name)
{
	declare_limits(test, class_name, NULL, 0);
}

/* Finishes whatever is ready, one at a time, until nobody runs; how many that were. */
static int finish_all(struct test_db *test, int64_t process)
{
	int ended = 0;
	size_t count;

	for (;; ended++) {
		const struct claim *claim = take_some(test, process, 1, &count);
		if (count == 0)
			return ended;
		assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	}
}

/* Who waited for the limit that went is let in as its holders end, and all after him. */
DB_CASE(second_limit_removed_nobody_waits_for_ever)
{
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", (const int[]){ 5, 1, 0 }, LIMIT_BLOCK);
	for (int i = 0; i < 4; i++)
		put_several(test, "Both", KEYS("a", "b"));
	assert_rows(test, 1, 0, 3);
	declare_several(test, "Both", (const int[]){ 5, 0 }, LIMIT_BLOCK);
	heal_times(test, 2);
	assert_rows(test, 1, 0, 3);
	assert_int_equal(finish_all(test, process), 4);
	assert_rows(test, 0, 0, 0);
	assert_int_equal(held_slots(test), 0);
	assert_int_equal(value_of(test, "a"), 5);
}

/* The holder is gone without a word: its slot of the key without a limit comes back, too. */
DB_CASE(second_limit_removed_a_leaked_slot_comes_back)
{
	declare_several(test, "Both", (const int[]){ 5, 1, 0 }, LIMIT_BLOCK);
	int64_t holder = put_several(test, "Both", KEYS("a", "b"));
	int64_t waits = put_several(test, "Both", KEYS("a", "b"));
	declare_several(test, "Both", (const int[]){ 5, 0 }, LIMIT_BLOCK);
	sql_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id = %lld", (long long)holder);
	heal_times(test, 2);
	assert_int_equal(state_of(test, waits), JOB_READY);
	assert_int_equal(held_slots(test), 2);
	assert_slots_add_up(test);
}

/* What is held of the key that went is given back once, by its own jobs; newer ones take none. */
DB_CASE(second_limit_removed_its_slot_is_given_back)
{
	int64_t process = register_worker(test->db, "w");

	declare_several(test, "Both", (const int[]){ 2, 1, 0 }, LIMIT_BLOCK);
	put_several(test, "Both", KEYS("a", "b"));
	declare_several(test, "Both", (const int[]){ 2, 0 }, LIMIT_BLOCK);
	put_limited(test, "Both", "a");
	assert_rows(test, 2, 0, 0);
	assert_int_equal(held_slots(test), 3);
	assert_int_equal(value_of(test, "b"), 0);
	assert_int_equal(finish_all(test, process), 2);
	assert_int_equal(held_slots(test), 0);
	assert_int_equal(value_of(test, "a"), 2);
	assert_int_equal(value_of(test, "b"), 1);
	sql_do(test, "UPDATE solid_queue_semaphores SET expires_at = '2026-01-01 00:00:00'");
	heal_times(test, 2);
	assert_int_equal(value_of(test, "b"), -1);
}

/* LC11: jobs that have a key keep to what it had; those that come without one are free. */
DB_CASE(only_limit_removed_those_who_wait_run)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 2, 6);
	declare_none(test, "Limited");
	heal_times(test, 2);
	assert_rows(test, 2, 0, 4);
	put_limited(test, "Limited", NULL);
	assert_rows(test, 3, 0, 4);
	assert_int_equal(finish_all(test, process), 7);
	assert_int_equal(held_slots(test), 0);
	assert_int_equal(value_of(test, "k"), 2);
}

/* It binds who comes from now on; who is there already has no key, and is not counted. */
DB_CASE(new_limit_binds_new_jobs)
{
	int64_t process = register_worker(test->db, "w");

	declare_none(test, "Free");
	put_many(test, "Free", NULL, 3);
	declare(test, "Free", 1, LIMIT_BLOCK);
	put_limited(test, "Free", "k");
	int64_t second = put_limited(test, "Free", "k");
	heal_times(test, 2);
	assert_rows(test, 4, 0, 1);
	assert_int_equal(state_of(test, second), JOB_BLOCKED);
	assert_int_equal(finish_all(test, process), 5);
	assert_slots_add_up(test);
}

/* A further one likewise; who was there has one key only, and holds nothing of the new. */
DB_CASE(new_second_limit_binds_new_jobs)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Both", 3, LIMIT_BLOCK);
	put_limited(test, "Both", "a");
	declare_several(test, "Both", (const int[]){ 3, 1, 0 }, LIMIT_BLOCK);
	put_several(test, "Both", KEYS("a", "b"));
	int64_t waits = put_several(test, "Both", KEYS("a", "b"));
	heal_times(test, 2);
	assert_rows(test, 2, 0, 1);
	assert_int_equal(state_of(test, waits), JOB_BLOCKED);
	assert_int_equal(value_of(test, "a"), 1);
	assert_int_equal(finish_all(test, process), 3);
	assert_slots_add_up(test);
}

/* Jobs with a key whose class nobody declared have one slot, until somebody declares it. */
DB_CASE(declared_while_jobs_wait_counts_within_a_tick)
{
	put_many(test, "Late", "k", 5);
	assert_rows(test, 1, 0, 4);
	declare(test, "Late", 3, LIMIT_BLOCK);
	heal_times(test, 2);
	assert_rows(test, 3, 0, 2);
	assert_slots_add_up(test);
}

/* LC9. */
DB_CASE(raised_while_jobs_wait_counts_within_a_tick)
{
	declare_several(test, "Both", (const int[]){ 5, 1, 0 }, LIMIT_BLOCK);
	for (int i = 0; i < 6; i++)
		put_several(test, "Both", KEYS("a", "b"));
	assert_rows(test, 1, 0, 5);
	declare_several(test, "Both", (const int[]){ 5, 3, 0 }, LIMIT_BLOCK);
	heal_times(test, 2);
	assert_rows(test, 3, 0, 3);
	declare_several(test, "Both", (const int[]){ 5, 9, 0 }, LIMIT_BLOCK);
	heal_times(test, 2);
	assert_rows(test, 5, 0, 1);
	assert_slots_add_up(test);
}

/* LC10: nobody is stopped; the next is let in when there are as few as may be. */
DB_CASE(lowered_while_jobs_wait_counts_within_a_tick)
{
	int64_t process = register_worker(test->db, "w");

	put_blocked(test, 4, 8);
	declare(test, "Limited", 2, LIMIT_BLOCK);
	heal_times(test, 2);
	assert_rows(test, 4, 0, 4);
	struct claim *claims = take_all(test, process, 4);
	for (int i = 0; i < 4; i++) {
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FINISHED));
		assert_rows(test, i < 2 ? 0 : i - 1, 3 - i, i < 2 ? 4 : 5 - i);
		heal_times(test, 2);
	}
	assert_slots_add_up(test);
	assert_int_equal(finish_all(test, process), 4);
}
