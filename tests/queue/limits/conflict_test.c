/* on_conflict: cancel_running. A new job that finds no slot ends the others of its key and class.
 */
#include "queue/manage/manage.h"
#include "tests/support/limited.h"
#include "tests/support/wait.h"

/* The one that runs is told, and the new one waits for it. */
DB_CASE(who_runs_is_told)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t first = put_limited(test, "Limited", "k");
	const struct claim *claim = take_all(test, register_ours(test, "w"), 1);
	int64_t second = put_limited(test, "Limited", "k");

	assert_int_equal(state_of(test, first), JOB_CLAIMED);
	assert_int_equal(state_of(test, second), JOB_BLOCKED);
	assert_string_equal(cancel_notes(test),
			    arena_printf(test->arena, "%" PRId64 " a newer job job %" PRId64 "\n",
					 first, second));
	int64_t third = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, second, third);
	assert_contains(cancel_notes(test), arena_printf(test->arena, "job %" PRId64 "\n", second));
	assert_true(settle_one(test->db, claim, OUTCOME_INTERRUPTED));
	assert_cancelled_by(test, first, second);
	assert_int_equal(state_of(test, third), JOB_READY);
	assert_slots_add_up(test);
}

/* A free slot, another key and another class concern nobody; nor does who is for later. */
DB_CASE(others_go_on)
{
	declare(test, "Limited", 2, LIMIT_CANCEL);
	declare(test, "Other", 1, LIMIT_BLOCK);
	int64_t first = put_limited(test, "Limited", "k");
	(void)put_limited(test, "Limited", "l");
	(void)put_limited(test, "Other", "m");
	(void)take_all(test, register_ours(test, "w"), 3);
	int64_t second = put_limited(test, "Limited", "k");

	(void)put_limited_delayed(test, "Limited", "k");
	(void)put_limited(test, "Other", "k");
	assert_string_equal(cancel_notes(test), "");
	int64_t third = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, second, third);
	assert_contains(cancel_notes(test),
			arena_printf(test->arena, "%" PRId64 " a newer", first));
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_cancellations"), 1);
	test_invariant(test->db);
}

/* Of those that wait, also with a slot, only the last one is left, and has it. */
DB_CASE(who_waits_ends)
{
	static const struct new_job job = { .class_name = "Limited", .concurrency_key = "k" };
	const struct new_job jobs[] = { job, job, job };
	struct enqueued results[3];

	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t first = put_limited(test, "Limited", "k");
	int64_t second = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, first, second);
	assert_int_equal(state_of(test, second), JOB_READY);
	must(enqueue, test->db, jobs, 3, results);
	assert_cancelled_by(test, second, results[2].id);
	assert_cancelled_by(test, results[0].id, results[2].id);
	assert_cancelled_by(test, results[1].id, results[2].id);
	assert_int_equal(state_of(test, results[2].id), JOB_READY);
	assert_slots_add_up(test);
}

static int64_t put_of_priority(struct test_db *test, int priority, int64_t delay)
{
	return put_job(test->db, &(struct new_job){ .class_name = "Limited",
						    .concurrency_key = "k",
						    .has_priority = true,
						    .priority = priority,
						    .delay = delay });
}

/* The most urgent one gets the slot; the last one is left. */
static void put_together(struct test_db *test, int slots, const int priorities[], size_t left)
{
	struct new_job jobs[3];
	struct enqueued results[3];

	declare(test, "Limited", slots, LIMIT_CANCEL);
	for (size_t i = 0; i < 3; i++)
		jobs[i] = (struct new_job){ .class_name = "Limited",
					    .concurrency_key = "k",
					    .has_priority = true,
					    .priority = priorities[i] };
	must(enqueue, test->db, jobs, 3, results);
	for (size_t i = 0; i < 3; i++)
		if (i + left < 3)
			assert_cancelled_by(test, results[i].id, results[2].id);
		else
			assert_int_equal(state_of(test, results[i].id), JOB_READY);
	assert_slots_add_up(test);
}

DB_CASE(the_last_one_is_left_whatever_its_priority)
{
	put_together(test, 1, (const int[]){ 0, 0, -10 }, 1);
	put_together(test, 1, (const int[]){ -10, 0, 0 }, 1);
	put_together(test, 1, (const int[]){ 0, -10, 0 }, 1);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
	assert_string_equal(cancel_notes(test), "");
	test_invariant(test->db);
}

DB_CASE(the_last_one_is_left_of_those_with_slots)
{
	put_together(test, 2, (const int[]){ 0, 0, -10 }, 1);
	put_together(test, 2, (const int[]){ -10, 0, 10 }, 1);
}

DB_CASE(whose_slots_suffice_cancel_nobody)
{
	put_together(test, 3, (const int[]){ 0, -10, 10 }, 3);
	assert_int_equal(rows_of(test, "ready_executions"), 3);
}

DB_CASE(the_last_one_that_is_due_is_left)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t first = put_of_priority(test, 0, CLOCK_HOUR);
	int64_t second = put_of_priority(test, -10, CLOCK_HOUR);

	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 2);
	assert_cancelled_by(test, first, second);
	assert_int_equal(state_of(test, second), JOB_READY);
	int64_t third = put_of_priority(test, 10, CLOCK_HOUR);
	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_cancelled_by(test, second, third);
	assert_slots_add_up(test);
}

/* Where the program knows that its class cancels nothing, the database is not asked. */
DB_CASE(who_is_known_to_cancel_none_waits)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	(void)put_limited(test, "Limited", "k");
	(void)put_job(test->db, &(struct new_job){ .class_name = "Limited",
						   .concurrency_key = "k",
						   .cancels_none = true });
	assert_rows(test, 1, 0, 1);
}

/* It asks for its slot when it is due. */
DB_CASE(who_is_for_later_cancels_when_it_is_due)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t later = put_limited_delayed(test, "Limited", "k");
	int64_t first = put_limited(test, "Limited", "k");

	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_cancelled_by(test, first, later);
	assert_int_equal(state_of(test, later), JOB_READY);
	(void)take_all(test, register_ours(test, "w"), 1);
	int64_t next = put_limited_delayed(test, "Limited", "k");
	must(action_ids,
	     &(struct action){ .db = test->db, .arena = test->arena, .kind = ACTION_RUN_NOW },
	     &next, 1);
	assert_int_equal(state_of(test, next), JOB_BLOCKED);
	assert_contains(cancel_notes(test),
			arena_printf(test->arena, "%" PRId64 " a newer", later));
	assert_slots_add_up(test);
}

/* It runs, ends so, and waits when it is due, because another runs: the one that is returned. */
static int64_t comes_back(struct test_db *test, int64_t job, struct outcome outcome)
{
	int64_t process = register_ours(test, "w");

	outcome.claim = claim_name(take_all(test, process, 1));
	outcome.wait = CLOCK_HOUR;
	outcome.limited = true;
	settle_outcomes(test, &outcome, 1, true);
	int64_t second = put_limited(test, "Limited", "k");
	(void)take_all(test, process, 1);
	make_due(test);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_int_equal(state_of(test, job), JOB_BLOCKED);
	assert_string_equal(cancel_notes(test), "");
	return second;
}

/* It cancels nothing, and only people cancel it while it waits. */
DB_CASE(a_retry_is_no_new_job)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t retry = put_limited(test, "Limited", "k");
	int64_t second = comes_back(
		test, retry,
		(struct outcome){ .kind = OUTCOME_RETRIED, .error = test_failure, .attempt = 1 });
	int64_t third = put_limited(test, "Limited", "k");
	assert_int_equal(state_of(test, retry), JOB_BLOCKED);
	assert_int_equal(state_of(test, third), JOB_BLOCKED);
	assert_contains(cancel_notes(test),
			arena_printf(test->arena, "%" PRId64 " a newer", second));
}

/* Whom a person retries has a slot and keeps it, also where only Rails knew of the failure. */
DB_CASE(a_retry_by_a_person_is_left)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t retry = put_limited(test, "Limited", "k");
	const struct claim *claim = take_all(test, register_ours(test, "w"), 1);

	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	assert_int_equal(retry_failed(test, NULL), 1);
	int64_t second = put_limited(test, "Limited", "k");
	assert_states(test, retry, JOB_READY, second, JOB_BLOCKED);
	test_execute(test->db, "DELETE FROM dray_attempts");
	int64_t third = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, second, third);
	assert_states(test, retry, JOB_READY, third, JOB_BLOCKED);
	assert_slots_add_up(test);
}

/* A deployment, a crash and a snooze are no failures: who comes next ends these jobs. */
DB_CASE(who_has_only_begun_ends)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t first = put_limited(test, "Limited", "k");
	int64_t process = register_ours(test, "w");

	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_INTERRUPTED));
	int64_t second = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, first, second);
	(void)take_all(test, process, 1);
	assert_int_equal(bury(test, "w", &test_policy).released, 1);
	assert_int_equal(state_of(test, second), JOB_READY);
	int64_t third = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, second, third);
	assert_int_equal(state_of(test, third), JOB_READY);
	assert_slots_add_up(test);
}

/* It comes back as no new job: it waits for what runs, and ends with it. */
DB_CASE(who_snoozes_cancels_nobody_and_ends)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t sleeper = put_limited(test, "Limited", "k");
	int64_t second = comes_back(test, sleeper, (struct outcome){ .kind = OUTCOME_SNOOZED });
	int64_t third = put_limited(test, "Limited", "k");
	assert_cancelled_by(test, sleeper, third);
	assert_contains(cancel_notes(test),
			arena_printf(test->arena, "%" PRId64 " a newer", second));
	assert_slots_add_up(test);
}

/* It waits for what a process of other software runs. */
DB_CASE(what_others_run_goes_on)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	int64_t first = put_limited(test, "Limited", "k");
	(void)take_all(test, register_process(test->db, "Worker", "rails", NULL), 1);
	int64_t second = put_limited(test, "Limited", "k");

	assert_string_equal(cancel_notes(test), "");
	assert_int_equal(state_of(test, first), JOB_CLAIMED);
	assert_int_equal(state_of(test, second), JOB_BLOCKED);
}

#define ROUNDS 15

static int enqueue_or_work(unsigned index, void *data)
{
	struct test_db own = own_open(data);
	int64_t process = index < 2 ? 0 : register_ours(&own, index == 2 ? "w" : "v");
	for (int i = 0; i < ROUNDS; i++) {
		size_t count = 0;
		struct claim *claims = NULL;
		if (process == 0)
			(void)put_limited(&own, "Limited", "k");
		else
			claims = take_some(&own, process, 1, &count);
		clock_sleep(3 * CLOCK_MILLISECOND);
		if (count > 0)
			assert_true(settle_one(own.db, claims, OUTCOME_INTERRUPTED));
	}
	own_close(&own);
	return 0;
}

/* However they meet, what is left in the end is the last one. */
DB_CASE(many_at_once)
{
	declare(test, "Limited", 1, LIMIT_CANCEL);
	test_in_children(&(struct test_function){ enqueue_or_work, test }, 4);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM solid_queue_jobs"), 2 * ROUNDS);
	int64_t last = sql_number(test, "SELECT max(id) FROM solid_queue_jobs");
	assert_int_not_equal(state_of(test, last), JOB_FINISHED);
	assert_int_equal(sql_number(test,
				    "SELECT count(*) FROM solid_queue_jobs WHERE finished_at IS "
				    "NULL AND id <> %" PRId64,
				    last),
			 0);
	test_invariant(test->db);
	assert_slots_add_up(test);
}
