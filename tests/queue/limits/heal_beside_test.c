/*
 * Limits that heal while Solid Queue works beside us. It ends a job in one transaction and returns
 * the job's slot in the next: between the two the slot is missing, and is not ours to return.
 */
#include "queue/limits/heal.h"
#include "tests/support/limited.h"

#define LONG  (1000 * CLOCK_SECOND)
#define SHORT (20 * CLOCK_MILLISECOND)

static void look(struct test_db *test, struct heal *state, int times)
{
	for (int i = 0; i < times; i++) {
		must(heal, test->db, state);
		assert_int_equal(state->failed, 0);
	}
}

/* Of so many jobs of the key `running` run in a process of Rails; the others wait. */
static void rails_runs(struct test_db *test, const char *class_name, int all, size_t running)
{
	put_many(test, class_name, "k", all);
	(void)take_all(test, register_worker(test->db, "rails"), running);
	test_execute(test->db, "UPDATE solid_queue_processes SET metadata = NULL");
	test_execute(test->db, "DELETE FROM dray_slots");
}

/* The first of its two transactions, for the job with the least number. */
static void rails_ends_a_job(struct test_db *test)
{
	int64_t job = sql_number(test, "SELECT min(job_id) FROM solid_queue_claimed_executions");

	sql_execute(test->db, "DELETE FROM solid_queue_claimed_executions WHERE job_id = %lld",
		    (long long)job);
	sql_execute(test->db,
		    "UPDATE solid_queue_jobs SET finished_at = created_at WHERE id = %lld",
		    (long long)job);
}

/* The second one. */
static void rails_returns_the_slot(struct test_db *test, int limit)
{
	sql_execute(test->db,
		    "UPDATE solid_queue_semaphores SET value = value + 1 WHERE value < %d", limit);
}

DB_CASE(a_slot_that_rails_is_about_to_return_is_not_returned_twice)
{
	struct heal heals = { .patience = LONG };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	rails_runs(test, "Limited", 6, 2);
	look(test, &heals, 1);
	rails_ends_a_job(test); /* in the same state as before, but for who runs */
	look(test, &heals, 5);
	assert_key(test, "k", 0, 0, 1, 4);
	rails_returns_the_slot(test, 2);
	look(test, &heals, 5);
	assert_key(test, "k", 0, 1, 1, 3);
	assert_false(heals.unsure);
	assert_rows(test, 1, 1, 3);
	heal_clear(&heals);
}

/* For one job and, later than `patience`, for another: not the same slot for so long. */
DB_CASE(slots_that_are_missing_in_turn_are_not_leaked)
{
	struct heal heals = { .patience = SHORT };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	rails_runs(test, "Limited", 6, 2);
	rails_ends_a_job(test);
	look(test, &heals, 2);
	rails_returns_the_slot(test, 2);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 1, 1, 3);
	clock_sleep(SHORT);
	rails_ends_a_job(test);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 1, 0, 3);
	rails_returns_the_slot(test, 2);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 2, 0, 2);
	heal_clear(&heals);
}

/* Rails died between the two, or its second transaction failed. */
DB_CASE(a_slot_that_rails_leaked_comes_back_in_the_end)
{
	struct heal heals = { .patience = SHORT };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	rails_runs(test, "Limited", 6, 2);
	rails_ends_a_job(test);
	look(test, &heals, 2);
	assert_true(heals.unsure);
	assert_key(test, "k", 0, 0, 1, 4);
	clock_sleep(SHORT);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 1, 1, 3);
	look(test, &heals, 2);
	assert_false(heals.unsure);
	assert_rows(test, 1, 1, 3);
	heal_clear(&heals);
}

/* Nobody can be about to return it any more. */
DB_CASE(without_rails_it_comes_back_at_once)
{
	struct heal heals = { .patience = LONG };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	rails_runs(test, "Limited", 6, 2);
	rails_ends_a_job(test);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 0, 1, 4);
	test_execute(test->db,
		     "UPDATE solid_queue_processes SET metadata = '{\"software\":\"dray 1.0.0\"}'");
	look(test, &heals, 2);
	assert_rows(test, 1, 1, 3);
	heal_clear(&heals);
}

/* What is too much cannot be on its way to anybody: it is not given to who waits. */
DB_CASE(a_slot_too_many_is_taken_away_at_once)
{
	struct heal heals = { .patience = LONG };

	declare(test, "Limited", 2, LIMIT_BLOCK);
	rails_runs(test, "Limited", 3, 2);
	test_execute(test->db, "UPDATE solid_queue_semaphores SET value = 0");
	look(test, &heals, 2);
	test_execute(test->db, "UPDATE solid_queue_semaphores SET value = 3");
	look(test, &heals, 2);
	assert_rows(test, 0, 2, 1);
	heal_clear(&heals);
}

/* Solid Queue alone knows how many slots such a class has. */
DB_CASE(the_slot_of_an_undeclared_class_is_waited_for_too)
{
	struct heal heals = { .patience = SHORT };

	rails_runs(test, "Ruby", 3, 1);
	rails_ends_a_job(test);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 0, 0, 2);
	clock_sleep(SHORT);
	look(test, &heals, 2);
	assert_key(test, "k", 0, 1, 0, 1);
	heal_clear(&heals);
}

/* Its row, which healing made while it ran in Rails, is nobody's slot: Rails has returned it. */
DB_CASE(a_job_that_rails_failed_has_no_slot_to_give_back)
{
	struct heal heals = { .patience = LONG };

	declare(test, "Limited", 1, LIMIT_BLOCK);
	rails_runs(test, "Limited", 3, 1);
	look(test, &heals, 2);
	assert_int_equal(held_slots(test), 1);
	int64_t job = sql_number(test, "SELECT min(job_id) FROM solid_queue_claimed_executions");
	test_execute(test->db, "DELETE FROM solid_queue_claimed_executions");
	sql_execute(test->db,
		    "INSERT INTO solid_queue_failed_executions (job_id, error, created_at) SELECT "
		    "id, '{}', created_at FROM solid_queue_jobs WHERE id = %lld",
		    (long long)job);
	/* and Rails lets in the next: the value is 0 as before */
	test_execute(test->db, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, "
			       "priority, created_at) SELECT job_id, queue_name, priority, "
			       "created_at FROM solid_queue_blocked_executions WHERE job_id = "
			       "(SELECT min(job_id) FROM solid_queue_blocked_executions);"
			       "DELETE FROM solid_queue_blocked_executions WHERE job_id IN (SELECT "
			       "job_id FROM solid_queue_ready_executions);");
	assert_key(test, "k", 0, 1, 0, 1);
	must(job_retry, test->db, job);
	assert_key(test, "k", 0, 1, 0, 2);
	heal_clear(&heals);
}

/* Many workers are always just about to return some slots: that their number changes tells. */
DB_CASE(a_number_that_changes_is_no_leak)
{
	static const int busy[] = { 9, 12, 8, 10, 11, 9, 13, 10 };
	static const int leaked[] = { 3, 1, 1, 2, 1, 1, 1, 4 };
	struct heal_mark one = { 0 };
	struct heal_mark other = { 0 };

	for (int i = 0; i < 8; i++) {
		heal_mark_count(&one, busy[i], 100 + i);
		heal_mark_count(&other, leaked[i], 100 + i);
	}
	assert_int_equal(heal_mark_leaked(&one, 7, 107), 0);
	assert_int_equal(heal_mark_leaked(&other, 7, 107), 1);
	assert_int_equal(heal_mark_leaked(&other, 8, 107), 0);
	heal_mark_count(&other, 0, 108);
	heal_mark_count(&other, 1, 109);
	assert_int_equal(heal_mark_leaked(&other, 7, 110), 0);
}
