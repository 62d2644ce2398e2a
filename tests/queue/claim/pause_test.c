/* Pauses that begin or end while a worker claims. */
#include "tests/support/jobs/poller.h"

#define EVERY ((const char *const[]){ "*", NULL })

/* A worker that remembers a pause notices its end, and the other way round. */
DB_CASE(pause_and_resume_between_polls)
{
	static const struct poller_queues chosen = { "a", "a*" };
	struct poller worker;

	open_poller(&worker, test, 0, &chosen);
	put(test->db, "a", 0);
	pause_queue(test, "a");
	for (int round = 0; round < 2; round++) {
		assert_int_equal(poll_once(&worker), 0);
		assert_true(worker.claim.paused);
	}
	resume_queue(test, "a");
	assert_int_equal(poll_once(&worker), 1);
	assert_false(worker.claim.paused);
}

/* A pause between claim and look: what was claimed is ours, or nobody would ever run it. */
DB_CASE(a_pause_in_the_middle_of_a_claim_loses_nothing)
{
	struct selector selector;
	struct claim_request request = { .selector = &selector,
					 .process_id = register_worker(test->db, "w"),
					 .limit = 5 };
	struct claiming claiming = { .db = test->db, .arena = test->arena, .request = &request };

	must(selector_compile, test->arena, EVERY, 1, &selector);
	put(test->db, "a", 0);
	put(test->db, "b", 0);
	claim_prepare(&claiming);
	must(db_run, test->db, test->arena, &claiming.call, 1);
	claiming.call.rows.cells[0] = "1"; /* "paused" */
	put(test->db, "c", 0);
	must(claim_take, &claiming);
	assert_int_equal(claiming.count, 3);
	assert_int_equal(rows_of(test, "claimed_executions"), 3);
}
