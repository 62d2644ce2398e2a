/* Last chances stand first; behind one that runs the rest is claimed, in order, by its bounds. */
#include "tests/support/jobs/poller.h"

#define LOST 30

static const struct poller_queues chosen = { "q", "q*" };

static int64_t put_lost(struct test_db *test, const char *class_name, int losses)
{
	const int64_t id =
		put_job(test->db, &(struct new_job){ .class_name = class_name, .queue = "q" });

	sql_execute(test->db,
		    "INSERT INTO dray_losses (job_id, losses, last_lost_at) VALUES (%lld, %d, "
		    "'2026-01-01 00:00:00')",
		    (long long)id, losses);
	return id;
}

static void open_worker(struct poller *worker, struct test_db *test, size_t choice)
{
	open_poller(worker, test, choice, &chosen);
	worker->claim.last_chance = (struct claim_last_chance){ .max_losses = 3 };
	declare_losses(test->db, "Frail", 1);
	declare_losses(test->db, "Tough", 5);
	declare_losses(test->db, "Never", 0);
}

static void assert_claims(struct poller *worker, const int64_t expected[], size_t count)
{
	assert_int_equal(poll_once(worker), count);
	for (size_t i = 0; i < count; i++)
		assert_int_equal(worker->claims[i].job.id, expected[i]);
}

static void one_walks_past_them(struct test_db *test, size_t choice)
{
	struct poller worker;

	open_worker(&worker, test, choice);
	for (size_t i = 0; i < LOST; i++)
		(void)put_lost(test, "Test", 3);
	(void)put_lost(test, "Frail", 1);
	(void)put_lost(test, "Never", 1);
	const int64_t lost = put_lost(test, "Test", 2);
	const int64_t tough = put_lost(test, "Tough", 4);
	const int64_t plain = put(test->db, "q", 0);
	const int64_t urgent = put(test->db, "q", -1);
	const int64_t first[] = { urgent, lost, tough, plain };
	claim_leave_last_chance(&worker.claim, true);
	assert_claims(&worker, first, 4);
	assert_int_equal(poll_once(&worker), 0);
	assert_int_equal(poll_once(&worker), 0);
	assert_true(worker.claim.idle);
	/* What comes meanwhile is found behind them. */
	const int64_t later = put(test->db, "q", 0);
	assert_claims(&worker, &later, 1);
	assert_int_equal(rows_of(test, "ready_executions"), LOST + 2);
	claim_leave_last_chance(&worker.claim, false);
	assert_int_equal(poll_once(&worker), 10);
	assert_int_equal(worker.claims[0].job.losses, 3);
	for (size_t i = 0; i < worker.count; i++)
		assert_true(settle_one(worker.test->db, &worker.claims[i], OUTCOME_RELEASED));
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
}

DB_CASE(others_are_claimed_past_them)
{
	for (size_t i = 0; i < CHOICES; i++)
		one_walks_past_them(test, i);
	test_invariant(test->db);
}

/* A worker of some classes that has walked past them takes them when they may run. */
DB_CASE(what_was_passed_is_taken_again)
{
	static const char *const classes[] = { "Test" };
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		open_worker(&worker, test, i);
		worker.claim.only_classes = classes;
		worker.claim.only_count = 1;
		const int64_t lost = put_lost(test, "Test", 3);
		(void)put_lost(test, "Theirs", 0);
		claim_leave_last_chance(&worker.claim, true);
		assert_int_equal(poll_once(&worker), 0);
		claim_leave_last_chance(&worker.claim, false);
		assert_claims(&worker, &lost, 1);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}
