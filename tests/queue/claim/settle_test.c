/* The end of a run: CE1, CE3, CE5 to CE7, FE1, FE3, FE4, IN12, JL2, JL4, JL7 to JL9, CX1 to CX4. */
#include <jansson.h>

#include "queue/settle/settle.h"
#include "tests/support/limited.h"
#include "tests/support/sites/rails.h"

DB_CASE(ce1_success_finishes)
{
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	assert_int_equal(state_of(test, id), JOB_CLAIMED);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	struct job job = find_job(test, id);
	assert_int_equal(job.state, JOB_FINISHED);
	assert_true(job.finished_at > 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
	test_invariant(test->db);
}

/* As Rails does it: the same instant in both columns, and nobody else's row is touched. */
DB_CASE(ce1_finishing_updates_the_job)
{
	put(test->db, "a", 0);
	put(test->db, "b", 1);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 2);
	test_execute(test->db, "UPDATE solid_queue_jobs SET updated_at = '2026-01-01 00:00:00'");
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_int_equal(rows_of(test, "jobs WHERE updated_at = finished_at"), 1);
	assert_count(test, 1,
		     "solid_queue_jobs WHERE finished_at IS NULL AND updated_at = '2026-01-01 "
		     "00:00:00'");
}

/* CE3, CE6, FE1: the error is stored as it is given, whatever its source. */
DB_CASE(ce3_fe1_failure_is_recorded)
{
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	struct job job = find_job(test, id);
	assert_int_equal(job.state, JOB_FAILED);
	assert_string_equal(job.error, test_failure);
	assert_int_equal(job.finished_at, 0);
	test_invariant(test->db);
}

DB_CASE(ce5_release_gives_back)
{
	int64_t id = put(test->db, "a", 4);
	int64_t process = register_worker(test->db, "w");
	struct claim *claim = take_all(test, process, 1);

	assert_true(settle_one(test->db, claim, OUTCOME_RELEASED));
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_int_equal(take_all(test, process, 1)->job.priority, 4);
	test_invariant(test->db);
}

/* The table is what settling does: the next state, the error, the slot and the batch. */
DB_CASE(outcomes_do_what_their_rows_say)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		const struct outcome_rule *rule = &outcome_rules[kind];
		int64_t id = put_limited(test, "Limited", "Limited/1");
		assert_true(settle_one(test->db, take_all(test, process, 1), kind));
		assert_int_equal(state_of(test, id), rule->next);
		assert_int_equal(held_slots(test), rule->next == JOB_READY);
		assert_int_equal(rows_of(test, "failed_executions"), rule->next == JOB_FAILED);
		assert_count(test, rule->in_history, "dray_attempts");
		test_invariant(test->db);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		test_execute(test->db, "DELETE FROM solid_queue_semaphores");
		test_execute(test->db, "DELETE FROM dray_slots");
	}
}

/* The same row and id, due when its wait is over; the last attempts are kept. */
DB_CASE(a_retry_waits_and_has_a_history)
{
	int64_t process = register_worker(test->db, "w");
	int64_t id = put(test->db, "a", 0);
	int64_t now = db_now(test->db);

	for (int attempt = 1; attempt <= 4; attempt++) {
		const struct claim *claim = take_all(test, process, 1);
		struct outcome outcome = { .claim = claim_name(claim),
					   .kind = OUTCOME_RETRIED,
					   .error = test_failure,
					   .attempt = attempt,
					   .wait = CLOCK_HOUR,
					   .payload = "{\"executions\":1}" };
		struct settle_request request = { .process_id = process,
						  .outcomes = &outcome,
						  .outcome_count = 1,
						  .preserve_finished_jobs = true,
						  .keep_attempts = 3 };
		settle_only(test, &request);
		assert_false(outcome.refused);
		struct job job = find_job(test, id);
		assert_int_equal(job.state, JOB_SCHEDULED);
		assert_true(job.scheduled_at >= now + CLOCK_HOUR);
		assert_true(job.scheduled_at < now + 2 * CLOCK_HOUR);
		assert_string_equal(job.payload, "{\"executions\":1}");
		assert_count(test, 1,
			     "solid_queue_jobs j JOIN solid_queue_scheduled_executions s ON "
			     "s.job_id = j.id AND s.scheduled_at = j.scheduled_at");
		test_invariant(test->db);
		make_due(test);
		assert_int_equal(dispatch_due(test, 10), 1);
	}
	assert_string_equal(sql_text(test,
				     "SELECT attempt, process_name, outcome FROM dray_attempts "
				     "ORDER BY attempt"),
			    "2 w retried\n3 w retried\n4 w retried\n");
}

/* A retry by hand takes no room, and goes with the run after it. */
DB_CASE(keep_attempts_counts_runs)
{
	const int64_t id = put(test->db, "a", 0);

	for (int i = 1; i <= 5; i++) {
		const struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
		struct outcome outcome = { .claim = claim_name(claim),
					   .kind = OUTCOME_FAILED,
					   .error = test_failure,
					   .attempt = i };
		struct settle_request request = { .outcomes = &outcome,
						  .outcome_count = 1,
						  .preserve_finished_jobs = true,
						  .keep_attempts = 3 };
		settle_only(test, &request);
		must(job_retry, test->db, id);
	}
	assert_string_equal(
		sql_text(test, "SELECT attempt, outcome FROM dray_attempts ORDER BY id"),
		"0 retried_by_hand\n3 failed\n0 retried_by_hand\n4 failed\n0 retried_by_hand\n"
		"5 failed\n0 retried_by_hand\n");
}

/* A job that puts itself off again and again keeps its errors. */
DB_CASE(what_is_no_failure_gives_way_first)
{
	static const enum outcome_kind kinds[] = { OUTCOME_RETRIED, OUTCOME_SNOOZED,
						   OUTCOME_RETRIED, OUTCOME_SNOOZED,
						   OUTCOME_SNOOZED, OUTCOME_RETRIED,
						   OUTCOME_SNOOZED };

	(void)put(test->db, "a", 0);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
		struct outcome outcome = { .claim = claim_name(claim),
					   .kind = kinds[i],
					   .error = test_failure,
					   .attempt = (int64_t)i + 1,
					   .wait = CLOCK_HOUR };
		struct settle_request request = { .outcomes = &outcome,
						  .outcome_count = 1,
						  .preserve_finished_jobs = true,
						  .keep_attempts = 3 };
		settle_only(test, &request);
		make_due(test);
		assert_int_equal(dispatch_due(test, 10), 1);
	}
	assert_string_equal(
		sql_text(test, "SELECT attempt, outcome FROM dray_attempts ORDER BY id"),
		"3 retried\n6 retried\n7 snoozed\n");
}

/* CX1 to CX4: a worker whose claim is gone changes nothing, whatever its outcome. */
DB_CASE(cx_a_late_worker_is_fenced_off)
{
	int64_t released;

	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		int64_t id = put(test->db, "a", 0);
		int64_t frozen = register_worker(test->db, "frozen");
		struct claim *late = take_all(test, frozen, 1);
		must(process_deregister, test->db, frozen, &released);
		assert_int_equal(released, 1);
		struct claim *now = take_all(test, register_worker(test->db, "other"), 1);
		assert_int_equal(now->job.id, id);
		assert_true(now->id > late->id);
		assert_false(settle_one(test->db, late, kind));
		assert_int_equal(state_of(test, id), JOB_CLAIMED);
		assert_true(settle_one(test->db, now, OUTCOME_FINISHED));
		assert_false(settle_one(test->db, now, OUTCOME_FAILED));
		assert_int_equal(state_of(test, id), JOB_FINISHED);
		test_invariant(test->db);
	}
}

/* One trip: finishes, failures and releases together, one of them lost, and new claims. */
DB_CASE(everything_in_one_trip)
{
	int64_t process = register_worker(test->db, "w");
	struct selector selector;
	const char *all = "*";
	struct claim *next;
	size_t count;

	for (int i = 0; i < 4; i++)
		put(test->db, "a", 0);
	struct claim *claims = take_all(test, process, 4);
	assert_true(settle_one(test->db, &claims[3], OUTCOME_FINISHED));
	put(test->db, "a", 0);
	struct outcome outcomes[4] = {
		{ .claim = claim_name(&claims[0]), .kind = OUTCOME_FINISHED },
		{ .claim = claim_name(&claims[1]), .kind = OUTCOME_FAILED, .error = test_failure },
		{ .claim = claim_name(&claims[2]), .kind = OUTCOME_RELEASED },
		{ .claim = claim_name(&claims[3]), .kind = OUTCOME_FINISHED },
	};
	must(selector_compile, test->arena, &all, 1, &selector);
	struct claim_request claim = { .selector = &selector, .process_id = process, .limit = 9 };
	struct settle_request request = { .process_id = process,
					  .outcomes = outcomes,
					  .outcome_count = 4,
					  .preserve_finished_jobs = true,
					  .claim = &claim };
	must(settle, test->db, test->arena, &request, &next, &count);
	assert_false(outcomes[0].refused || outcomes[1].refused || outcomes[2].refused);
	assert_true(outcomes[3].refused);
	assert_int_equal(count, 2); /* the released one and the new one */
	assert_states(test, claims[0].job.id, JOB_FINISHED, claims[1].job.id, JOB_FAILED);
	test_invariant(test->db);
}

DB_CASE(jl7_finished_jobs_can_be_deleted)
{
	int64_t process = register_worker(test->db, "w");

	put(test->db, "a", 0);
	struct claim *claim = take_all(test, process, 1);
	struct outcome outcome = { .claim = claim_name(claim), .kind = OUTCOME_FINISHED };
	settle_outcomes(test, &outcome, 1, false);
	assert_false(outcome.refused);
	settle_outcomes(test, &outcome, 1, false);
	assert_true(outcome.refused);
	assert_int_equal(rows_of(test, "jobs"), 0);
	assert_int_equal(rows_of(test, "claimed_executions"), 0);
}

/* Nothing else says that it has ended without success, and why. It goes as any finished job. */
DB_CASE(discarded_jobs_are_not_deleted)
{
	const int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	struct outcome outcome = { .claim = claim_name(claim),
				   .kind = OUTCOME_DISCARDED,
				   .attempt = 1,
				   .error = test_failure };

	settle_outcomes(test, &outcome, 1, false);
	assert_int_equal(state_of(test, id), JOB_FINISHED);
	assert_number(test, 1, "SELECT count(*) FROM dray_attempts WHERE outcome = 'discarded'");
	assert_int_equal(clear_finished(test, db_now(test->db) + CLOCK_HOUR, NULL, 9), 1);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

/* CE7: a failed row that is there already takes the new error. */
DB_CASE(ce7_failing_twice_keeps_the_last_error)
{
	int64_t id = put(test->db, "a", 0);
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);

	sql_execute(test->db,
		    "INSERT INTO solid_queue_failed_executions (job_id, error, created_at) VALUES "
		    "(%" PRId64 ", 'old', '2026-01-01 00:00:00')",
		    id);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	assert_int_equal(rows_of(test, "failed_executions"), 1);
	assert_int_equal(rows_of(test, "failed_executions WHERE error = 'old'"), 0);
}

static void fail_some(struct test_db *test, int failed, int good)
{
	int64_t process = register_worker(test->db, "w");

	for (int i = 0; i < failed + good; i++)
		put(test->db, i % 2 == 0 ? "a" : "b", 0);
	struct claim *claims = take_all(test, process, (size_t)failed + (size_t)good);
	for (int i = 0; i < failed + good; i++)
		assert_true(settle_one(test->db, &claims[i],
				       i < failed ? OUTCOME_FAILED : OUTCOME_FINISHED));
}

DB_CASE(fe3_retry)
{
	fail_some(test, 1, 1);
	int64_t id = sql_number(test, "SELECT job_id FROM solid_queue_failed_executions");
	must(job_retry, test->db, id);
	assert_int_equal(state_of(test, id), JOB_READY);
	assert_int_equal(rows_of(test, "failed_executions"), 0);
	must_say("retry.not_failed", STATUS_INVALID, job_retry, test->db, id);
	must_be(STATUS_NONE, job_retry, test->db, id + 1000);
	test_invariant(test->db);
}

/* JL4: the attempt counters start again, everything else of the payload stays. */
DB_CASE(jl4_retry_resets_the_counters)
{
	static const char payload[] =
		"{\"job_class\":\"A\",\"job_id\":\"x\",\"arguments\":[],\"executions\":5,"
		"\"exception_executions\":{\"[E]\":5},\"mine\":1}";
	const struct new_job job = { .class_name = "A", .payload = payload };
	int64_t id = put_job(test->db, &job);

	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	assert_true(settle_one(test->db, claim, OUTCOME_FAILED));
	assert_int_equal(retry_failed(test, NULL), 1);
	struct job found = find_job(test, id);
	json_t *root = json_loads(found.payload, 0, NULL);
	assert_int_equal(json_integer_value(json_object_get(root, "executions")), 0);
	assert_int_equal(json_object_size(json_object_get(root, "exception_executions")), 0);
	assert_int_equal(json_integer_value(json_object_get(root, "mine")), 1);
	json_decref(root);
}

DB_CASE(fe4_retry_all_takes_only_failed_ones)
{
	fail_some(test, 5, 5);
	assert_int_equal(retry_failed(test, "a"), 3);
	assert_int_equal(retry_failed(test, NULL), 2);
	assert_int_equal(rows_of(test, "ready_executions"), 5);
	assert_int_equal(rows_of(test, "failed_executions"), 0);
	test_invariant(test->db);
}

/* IN15: 500 at a time, and all are counted. */
DB_CASE(retry_and_discard_more_than_a_batch)
{
	put_copies(test, &(struct new_job){ .class_name = "A" }, 1201);
	test_execute(test->db, "INSERT INTO solid_queue_failed_executions (job_id, error, "
			       "created_at) SELECT id, 'x', created_at FROM solid_queue_jobs;"
			       "DELETE FROM solid_queue_ready_executions");
	assert_int_equal(retry_failed(test, NULL), 1201);
	assert_int_equal(discard_ready(test, NULL), 1201);
	assert_int_equal(rows_of(test, "jobs"), 0);
}

DB_CASE(jl8_jl9_clear_finished)
{
	fail_some(test, 1, 3);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = '2026-01-01 00:00:00', "
			       "class_name = 'Old' WHERE id IN (SELECT id FROM (SELECT min(id) AS "
			       "id FROM solid_queue_jobs WHERE finished_at IS NOT NULL) x)");
	int64_t day_ago = db_now(test->db) - CLOCK_DAY;
	assert_int_equal(clear_finished(test, day_ago, "Other", 500), 0);
	assert_int_equal(clear_finished(test, day_ago, "Old", 1), 1);
	assert_int_equal(clear_finished(test, db_now(test->db), NULL, 1), 2);
	assert_int_equal(rows_of(test, "jobs"), 1);
	assert_int_equal(rows_of(test, "failed_executions"), 1);
}

/* After a commit of unknown outcome: claims we never heard of go back, settled ones are known. */
DB_CASE(resolve_an_uncertain_trip)
{
	int64_t process = register_worker(test->db, "w");

	for (int i = 0; i < 4; i++)
		put(test->db, "a", 0);
	struct claim *claims = take_all(test, process, 4);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FINISHED)); /* it was committed */
	struct outcome outcomes[2] = {
		{ .claim = claim_name(&claims[0]), .kind = OUTCOME_FINISHED },
		{ .claim = claim_name(&claims[1]), .kind = OUTCOME_FINISHED }
	};
	struct settle_request request = { .process_id = process,
					  .outcomes = outcomes,
					  .outcome_count = 2 };
	struct claim_name held = claim_name(&claims[2]);
	must(settle_resolve, test->db, &request, &held, 1);
	assert_int_equal(held.id, claims[2].id);
	assert_int_equal(outcomes[0].claim.id, 0);
	assert_int_equal(outcomes[1].claim.id, claims[1].id);
	assert_states(test, claims[2].job.id, JOB_CLAIMED, claims[3].job.id, JOB_READY);
	test_invariant(test->db);
}

/* Rule 16 (BA16, BA22, BA23): who ends leaves its batch; who is given back or was lost does not. */
DB_CASE(ba16_who_ends_leaves_the_batch)
{
	struct outcome outcomes[OUTCOMES + 1];
	size_t stay = 0;
	bool there;

	must(batches_look, test->db, &there);
	assert_false(there);
	test_rails_batches(test);
	must(batches_look, test->db, &there);
	assert_true(there);
	for (int i = 0; i < OUTCOMES + 2; i++)
		put(test->db, "a", 0);
	test_rails_batch(test);
	int64_t process = register_worker(test->db, "w");
	struct claim *claims = take_all(test, process, OUTCOMES + 2);
	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++) {
		outcomes[kind] = (struct outcome){ .claim = claim_name(&claims[kind]),
						   .kind = kind,
						   .error = test_failure,
						   .wait = CLOCK_HOUR };
		stay += outcome_runs_again(kind);
	}
	outcomes[OUTCOMES] = (struct outcome){ .claim = claim_name(&claims[OUTCOMES]) };
	struct settle_request request = { .process_id = process,
					  .outcomes = outcomes,
					  .outcome_count = OUTCOMES + 1,
					  .preserve_finished_jobs = true,
					  .batches = true };
	assert_true(settle_one(test->db, &claims[OUTCOMES],
			       OUTCOME_RELEASED)); /* lost to us from here */
	settle_only(test, &request);
	assert_int_equal(rows_of(test, "batch_executions"), stay + 2); /* the lost one, the last */
	struct outcome last = { .claim = claim_name(&claims[OUTCOMES + 1]) };
	request.outcomes = &last;
	request.outcome_count = 1;
	request.preserve_finished_jobs = false;
	settle_only(test, &request);
	assert_int_equal(rows_of(test, "batch_executions"), stay + 1);
}
