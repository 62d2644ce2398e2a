/* Cancelling jobs that wait: what is left of them, and of those that do not. */
#include "queue/manage/manage.h"
#include "queue/settle/cancellations.h"
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

static const char *history(struct test_db *test, int64_t id)
{
	return sql_text(test,
			"SELECT attempt, claim_id, outcome FROM dray_attempts"
			" WHERE job_id = %" PRId64 " ORDER BY id",
			id);
}

static void cancel(struct test_db *test, int64_t id)
{
	must(job_cancel, test->db, id, "it is not needed");
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_string_equal(history(test, id), "0 0 cancelled\n");
}

DB_CASE(who_waits_ends)
{
	int64_t ready = put(test->db, "a", 0);
	int64_t scheduled = put_for_later(test->db, "A", NULL);

	cancel(test, ready);
	cancel(test, scheduled);
	assert_int_equal(rows_of(test, "ready_executions"), 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	const char *error =
		sql_text(test, "SELECT error FROM dray_attempts WHERE job_id = %" PRId64, ready);
	assert_contains(error, CANCEL_ERROR);
	assert_contains(error, ": it is not needed\"");
	must(job_cancel, test->db, put(test->db, "a", 0), NULL);
	test_invariant(test->db);
}

/* A retry is a scheduled job; its history keeps what was there. */
DB_CASE(a_retry_ends)
{
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	struct outcome outcome = { .claim = claim_name(claim),
				   .kind = OUTCOME_RETRIED,
				   .error = test_failure,
				   .attempt = 1,
				   .wait = CLOCK_HOUR };

	settle_outcomes(test, &outcome, 1, true);
	must(job_cancel, test->db, id, NULL);
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_contains(history(test, id), "retried\n0 0 cancelled\n");
}

DB_CASE(others_are_refused)
{
	int64_t process = register_worker(test->db, "w");
	int64_t failed = put(test->db, "a", 0);

	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FAILED));
	int64_t finished = put(test->db, "a", 0);
	assert_true(settle_one(test->db, take_all(test, process, 1), OUTCOME_FINISHED));
	int64_t nowhere = put(test->db, "a", 0);
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	must_say("cancel.failed", STATUS_INVALID, job_cancel, test->db, failed, NULL);
	must_say("cancel.finished", STATUS_INVALID, job_cancel, test->db, finished, NULL);
	must_say("cancel.nowhere", STATUS_INVALID, job_cancel, test->db, nowhere, NULL);
	must_be(STATUS_NONE, job_cancel, test->db, 77, NULL);
	must_be(STATUS_INVALID, job_cancel, test->db, failed,
		repeat(test->arena, 'x', CANCEL_REASON + 1));
	must_be(STATUS_INVALID, job_cancel, test->db, failed, "\xff");
	assert_count(test, 0, "dray_attempts WHERE outcome = 'cancelled'");
}

/* The holder's slot goes to the next one, and a blocked job does not wait any more. */
DB_CASE(slots_are_given_back)
{
	int64_t ids[3];

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 3; i++)
		ids[i] = put_limited(test, "Limited", "k");
	cancel(test, ids[1]);
	assert_rows(test, 1, 0, 1);
	cancel(test, ids[0]);
	assert_int_equal(state_of(test, ids[2]), JOB_READY);
	cancel(test, ids[2]);
	assert_int_equal(value_of(test, "k"), 1);
	assert_int_equal(held_slots(test), 0);
	assert_slots_add_up(test);
}

DB_CASE(they_leave_their_batch)
{
	test_rails_batches(test);
	int64_t first = put(test->db, "a", 0);
	(void)put(test->db, "a", 0);
	test_rails_batch(test);
	cancel(test, first);
	assert_int_equal(rows_of(test, "batch_executions"), 1);
}

/* A claim beside it keeps its job, which is to be stopped; and a finished job has finished. */
DB_CASE(stray_rows_cancel_nothing)
{
	int64_t process = register_worker(test->db, "w");
	int64_t finished = put(test->db, "a", 0);
	const int64_t ids[] = { finished, put(test->db, "a", 0) };
	struct action action = { .db = test->db, .arena = test->arena, .kind = ACTION_CANCEL };
	struct claim *claims = take_all(test, process, 2);

	assert_true(settle_one(test->db, &claims[claims[0].job.id == finished ? 0 : 1],
			       OUTCOME_FINISHED));
	sql_do(test, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT id, queue_name, priority, created_at FROM "
		     "solid_queue_jobs");
	must(action_ids, &action, ids, 2);
	assert_int_equal(action.done, 1);
	assert_int_equal(action.stopping, 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_attempts"), 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 1);
}

static int cancel_one(unsigned index, void *data)
{
	struct test_db own = own_open(data);
	struct action action = { .db = own.db, .arena = own.arena, .kind = ACTION_CANCEL };
	const int64_t id = 1;

	(void)index;
	must(action_ids, &action, &id, 1);
	own_close(&own);
	return 0;
}

/* A dispatcher has the scheduled row, and the ready one comes when cancel has looked for it. */
DB_CASE_ONLY(who_is_dispatched_meanwhile_stays, "postgresql mysql mariadb")
{
	const struct test_function canceller = { cancel_one, test };

	assert_int_equal(
		put_job(test->db, &(struct new_job){ .class_name = "A", .delay = CLOCK_HOUR }), 1);
	test_execute(test->db, "BEGIN; SELECT id FROM solid_queue_scheduled_executions FOR UPDATE");
	pid_t pid = test_fork(&canceller, 0);
	clock_sleep(300 * CLOCK_MILLISECOND);
	sql_do(test, "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		     "created_at) SELECT id, queue_name, priority, created_at FROM "
		     "solid_queue_jobs");
	test_execute(test->db, "DELETE FROM solid_queue_scheduled_executions");
	test_execute(test->db, "COMMIT");
	assert_int_equal(test_wait_exit(pid, CLOCK_MINUTE), 0);
	test_invariant(test->db);
}
