/* Jobs made ready past the gate: none runs without a slot, but who came by Solid Queue runs. */
#include "tests/support/jobs/poller.h"
#include "tests/support/limited.h"

#define STRAYS 6

static const struct poller_queues chosen = { "default", "def*" };

/* Ready, whatever their limit says; nothing tells of a slot. */
static void make_ready(struct test_db *test, const char *semaphore)
{
	unblock(test->db);
	test_execute(test->db, "DELETE FROM dray_slots");
	test_execute(test->db, semaphore);
}

static void put_strays(struct test_db *test, int count, const char *semaphore)
{
	put_many(test, "A", "k", count);
	make_ready(test, semaphore);
}

static void run_all(struct test_db *test, size_t choice, size_t limit)
{
	struct poller workers[2];
	size_t done = 0;

	open_poller(&workers[0], test, choice, &chosen);
	open_poller(&workers[1], test, (choice + 1) % CHOICES, &chosen);
	for (int round = 0; round < 4 * STRAYS && done < STRAYS; round++) {
		/* At once: what they run together is within the limit. */
		size_t count = poll_once(&workers[0]);
		count += poll_once(&workers[1]);
		assert_in_range(count, 0, limit);
		assert_int_equal(rows_of(test, "claimed_executions"), count);
		assert_slots_add_up(test);
		for (size_t i = 0; i < 2; i++)
			finish_claims(test, workers[i].claims, workers[i].count);
		done += count;
	}
	assert_int_equal(done, STRAYS);
	assert_int_equal(held_slots(test), 0);
	test_execute(test->db, "DELETE FROM solid_queue_jobs; DELETE FROM solid_queue_processes;");
}

DB_CASE(rows_written_by_hand_keep_the_limit)
{
	for (size_t i = 0; i < CHOICES; i++) {
		declare(test, "A", 1, LIMIT_BLOCK);
		put_strays(test, STRAYS, "DELETE FROM solid_queue_semaphores");
		run_all(test, i, 1);
		declare(test, "A", 2, LIMIT_BLOCK);
		put_strays(test, STRAYS, "UPDATE solid_queue_semaphores SET value = 2");
		run_all(test, i, 2);
	}
	test_invariant(test->db);
}

/* They were there before: none cancels another. */
DB_CASE(who_came_past_the_gate_cancels_nobody)
{
	declare(test, "A", 1, LIMIT_BLOCK);
	put_strays(test, STRAYS, "DELETE FROM solid_queue_semaphores");
	declare(test, "A", 1, LIMIT_CANCEL);
	run_all(test, 0, 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_cancellations"), 0);
	test_invariant(test->db);
}

/* Solid Queue took their slots from the semaphore, and has no row that says so. */
DB_CASE(who_was_let_in_by_solid_queue_runs_at_once)
{
	struct poller worker;

	declare(test, "A", 2, LIMIT_BLOCK);
	put_strays(test, 3, "UPDATE solid_queue_semaphores SET value = 0");
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 2);
	assert_int_equal(value_of(test, "k"), 0);
	assert_int_equal(held_slots(test), 2);
	assert_rows(test, 0, 2, 1);
	finish_claims(test, worker.claims, worker.count);
	assert_int_equal(poll_once(&worker), 1);
	assert_slots_add_up(test);
}

/* The slot that the semaphore has given is the one of the job that runs there. */
DB_CASE(who_runs_elsewhere_has_its_slot)
{
	struct poller worker;

	declare(test, "A", 1, LIMIT_BLOCK);
	put_strays(test, 2, "UPDATE solid_queue_semaphores SET value = 0");
	sql_execute(test->db,
		    "INSERT INTO solid_queue_claimed_executions (job_id, process_id, created_at) "
		    "SELECT min(job_id), %lld, min(created_at) FROM solid_queue_ready_executions;"
		    "DELETE FROM solid_queue_ready_executions WHERE job_id IN (SELECT job_id FROM "
		    "solid_queue_claimed_executions);",
		    (long long)register_worker(test->db, "rails"));
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 0);
	assert_key(test, "k", 0, 0, 1, 1);
	assert_int_equal(held_slots(test), 0);
}

/* Healing gave a row to a job that Solid Queue let in, and Solid Queue has ended it since. */
DB_CASE(a_row_of_who_has_ended_is_nobodys_slot)
{
	struct poller worker;

	declare(test, "A", 2, LIMIT_BLOCK);
	put_strays(test, 2, "UPDATE solid_queue_semaphores SET value = 0");
	sql_do(test, "INSERT INTO dray_slots (concurrency_key, job_id, class_name, position, "
		     "created_at) SELECT 'k', 1000000, 'A', 0, min(created_at) FROM "
		     "solid_queue_jobs");
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 2);
	assert_int_equal(value_of(test, "k"), 0);
}

/* What on_conflict says holds for them, too. */
DB_CASE(who_may_not_wait_is_discarded)
{
	struct poller worker;

	declare(test, "A", 1, LIMIT_BLOCK);
	put_strays(test, 3, "DELETE FROM solid_queue_semaphores");
	declare(test, "A", 1, LIMIT_DISCARD);
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 0);
	assert_rows(test, 1, 0, 0);
	assert_int_equal(rows_of(test, "jobs"), 1);
	assert_int_equal(poll_once(&worker), 1);
}

/*
 * A retry that was made ready past the gate while another job has its slot: it waits, whatever its
 * class says of conflicts, and is admitted when the slot is free.
 */
static void send_back_a_retry(struct test_db *test, size_t choice, enum conflict on_conflict)
{
	struct poller worker;

	declare(test, "A", 1, on_conflict);
	int64_t retry = put_limited(test, "A", "k");
	open_poller(&worker, test, choice, &chosen);
	assert_int_equal(poll_once(&worker), 1);
	assert_true(settle_one(test->db, worker.claims, OUTCOME_RETRIED));
	int64_t holder = put_limited(test, "A", "k");
	assert_int_equal(poll_once(&worker), 1);
	assert_int_equal(worker.claims[0].job.id, holder);
	struct claim *held = worker.claims;
	sql_do(test, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT job_id, queue_name, priority, created_at FROM "
		     "solid_queue_scheduled_executions;DELETE FROM "
		     "solid_queue_scheduled_executions;");
	struct poller other;
	open_poller(&other, test, choice, &chosen);
	assert_int_equal(poll_once(&other), 0);
	assert_int_equal(state_of(test, retry), JOB_BLOCKED);
	assert_int_equal(state_of(test, holder), JOB_CLAIMED);
	assert_int_equal(held_slots(test), 1);
	assert_int_equal(value_of(test, "k"), 0);
	assert_string_equal(cancel_notes(test), "");
	assert_int_equal(poll_once(&other), 0);
	assert_true(settle_one(test->db, held, OUTCOME_FINISHED));
	assert_int_equal(held_slots(test), 1);
	assert_int_equal(poll_once(&other), 1);
	assert_int_equal(other.claims[0].job.id, retry);
	assert_slots_add_up(test);
	assert_true(settle_one(test->db, other.claims, OUTCOME_FINISHED));
	assert_int_equal(held_slots(test), 0);
	assert_int_equal(value_of(test, "k"), 1);
	test_execute(test->db, "DELETE FROM solid_queue_jobs; DELETE FROM solid_queue_processes;");
}

DB_CASE(a_retry_that_is_sent_back_waits)
{
	static const enum conflict conflicts[] = { LIMIT_BLOCK, LIMIT_DISCARD, LIMIT_REPLACE,
						   LIMIT_CANCEL };

	for (size_t i = 0; i < sizeof(conflicts) / sizeof(conflicts[0]); i++)
		send_back_a_retry(test, i % CHOICES, conflicts[i]);
}

/* Several keys are nothing that another system knows. */
DB_CASE(several_keys_are_all_needed)
{
	static const int slots[] = { 2, 1, 0 };
	static const char *const keys[] = { "k", "m", NULL };
	struct poller worker;

	declare_several(test, "A", slots, LIMIT_BLOCK);
	for (int i = 0; i < 3; i++)
		(void)put_several(test, "A", keys);
	make_ready(test, "UPDATE solid_queue_semaphores SET value = 0");
	test_execute(test->db, "DELETE FROM solid_queue_semaphores");
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 0);
	assert_rows(test, 1, 0, 2);
	assert_int_equal(poll_once(&worker), 1);
	assert_slots_add_up(test);
}

/* How many slots a class has that nobody declares only Ruby knows. */
DB_CASE(undeclared_classes_are_left_to_ruby)
{
	struct poller worker;

	put_strays(test, 3, "DELETE FROM solid_queue_semaphores");
	open_poller(&worker, test, 0, &chosen);
	assert_int_equal(poll_once(&worker), 3);
	assert_int_equal(held_slots(test), 0);
}
