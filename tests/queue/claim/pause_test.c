/* Pauses that begin or end while a worker claims. */
#include "tests/support/queue.h"

#define EVERY ((const char *const[]){ "*", NULL })

/* A worker that remembers a pause notices its end, and the other way round. */
TEST(pause_and_resume_between_polls)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	int64_t process = register_worker(test->db, "w");
	struct selector selector;
	bool changed;
	struct claim *claims;
	size_t count;

	assert_ok(selector_compile(test->arena, EVERY, 1, &selector, &error), &error);
	struct claim_request claim = { .selector = &selector, .process_id = process, .limit = 10 };
	struct settle_request request = { .process_id = process, .claim = &claim };
	put(test->db, "a", 0);
	assert_ok(queue_pause(test->db, "a", &changed, &error), &error);
	for (int round = 0; round < 2; round++) {
		assert_ok(settle(test->db, test->arena, &request, &claims, &count, &error), &error);
		assert_int_equal(count, 0);
		assert_true(claim.paused);
	}
	assert_ok(queue_resume(test->db, "a", &changed, &error), &error);
	assert_ok(settle(test->db, test->arena, &request, &claims, &count, &error), &error);
	assert_int_equal(count, 1);
	assert_false(claim.paused);
}

/*
 * Where a script is several statements a pause may come between the one that claims and the one
 * that looks. What was claimed is ours all the same, or nobody would ever run it.
 */
TEST(a_pause_in_the_middle_of_a_claim_loses_nothing)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	struct selector selector;
	struct claim_request request = { .selector = &selector,
					 .process_id = register_worker(test->db, "w"),
					 .limit = 5 };
	struct claiming claiming = { .db = test->db, .arena = test->arena, .request = &request };

	assert_ok(selector_compile(test->arena, EVERY, 1, &selector, &error), &error);
	put(test->db, "a", 0);
	put(test->db, "b", 0);
	claim_prepare(&claiming);
	assert_ok(db_run(test->db, test->arena, &claiming.call, 1, &error), &error);
	claiming.call.rows.cells[0] = "1"; /* "paused" */
	put(test->db, "c", 0);
	assert_ok(claim_take(&claiming, &error), &error);
	assert_int_equal(claiming.count, 3);
	assert_int_equal(rows_of(test, "claimed_executions"), 3);
}
