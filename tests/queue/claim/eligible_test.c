/* unknown_classes: leave. A worker's own are found behind any number of others', without locks. */
#include "queue/claim/eligible.h"
#include "tests/support/jobs/poller.h"

#define FOREIGN 2000

static const struct poller_queues chosen = { "q", "q*" };

static const char *const classes[] = { "Mine", "it's" };

static void open_worker(struct poller *worker, struct test_db *test, size_t choice)
{
	open_poller(worker, test, choice, &chosen);
	worker->claim.limit = 2;
	worker->claim.only_classes = classes;
	worker->claim.only_count = 2;
}

static void put_foreign(struct test_db *test, size_t count)
{
	put_copies(test, &(struct new_job){ .class_name = "Theirs", .queue = "q" }, count);
}

static int64_t put_mine(struct test_db *test, int priority)
{
	const struct new_job job = {
		.class_name = "Mine", .queue = "q", .has_priority = true, .priority = priority
	};

	return put_job(test->db, &job);
}

static void assert_next(struct poller *worker, int64_t first, int64_t second)
{
	assert_int_equal(poll_once(worker), second > 0 ? 2 : 1);
	assert_int_equal(worker->claims[0].job.id, first);
	if (second > 0)
		assert_int_equal(worker->claims[1].job.id, second);
	finish_claims(worker->test, worker->claims, worker->count);
}

static void one_finds_its_own_behind_many(struct test_db *test, size_t choice)
{
	struct poller worker;
	int64_t mine[4];

	open_worker(&worker, test, choice);
	put_foreign(test, FOREIGN);
	mine[0] = put_mine(test, 0);
	put_foreign(test, 1);
	for (size_t i = 1; i < 4; i++)
		mine[i] = put_mine(test, 0);
	assert_next(&worker, mine[0], mine[1]);
	assert_next(&worker, mine[2], mine[3]);
	assert_int_equal(poll_once(&worker), 0);
	/* What comes at the end is found at once, however long the others stay. */
	mine[0] = put_mine(test, 0);
	assert_next(&worker, mine[0], 0);
	assert_int_equal(rows_of(test, "ready_executions"), FOREIGN + 1);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
}

DB_CASE(its_own_are_found_behind_many)
{
	for (size_t i = 0; i < CHOICES; i++)
		one_finds_its_own_behind_many(test, i);
	test_invariant(test->db);
}

/* All classes but those that others run: also the ones that nobody knows. */
static void one_leaves_those_of_others(struct test_db *test, size_t choice)
{
	static const char *const others[] = { "it's", "Theirs" };
	struct poller worker;

	open_worker(&worker, test, choice);
	worker.claim.only_classes = NULL;
	worker.claim.other_classes = others;
	worker.claim.other_count = 2;
	int64_t first = put_mine(test, 0);
	put_foreign(test, FOREIGN);
	int64_t second = put_job(test->db, &(struct new_job){ .class_name = "New", .queue = "q" });
	assert_next(&worker, first, second);
	put_copies(test, &(struct new_job){ .class_name = "it's", .queue = "q" }, 3);
	assert_int_equal(poll_once(&worker), 0);
	first = put_mine(test, 0);
	assert_next(&worker, first, 0);
	assert_int_equal(rows_of(test, "ready_executions"), FOREIGN + 3);
	test_execute(test->db, "DELETE FROM solid_queue_jobs");
}

DB_CASE(those_of_others_are_left)
{
	for (size_t i = 0; i < CHOICES; i++)
		one_leaves_those_of_others(test, i);
	test_invariant(test->db);
}

/* What is more urgent than the place that is remembered: it is remembered for a moment only. */
DB_CASE(the_urgent_are_found_soon)
{
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		open_worker(&worker, test, i);
		put_foreign(test, 10);
		assert_int_equal(poll_once(&worker), 0);
		int64_t urgent = put_mine(test, -1);
		test_until(poll_once(&worker) > 0, "the urgent one");
		assert_int_equal(worker.claims[0].job.id, urgent);
		finish_claims(test, worker.claims, worker.count);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}

static int64_t put_in(struct test_db *test, const char *queue, int priority)
{
	const struct new_job job = {
		.class_name = "Mine", .queue = queue, .has_priority = true, .priority = priority
	};

	return put_job(test->db, &job);
}

/* Queue by queue, one claim takes from none what another has more urgent jobs than. */
DB_CASE(one_order_by_priority_over_all_queues)
{
	struct poller worker;

	open_worker(&worker, test, 0);
	worker.claim.limit = 3;
	int64_t first = put_in(test, "q", 0);
	(void)put_in(test, "q", 9);
	int64_t second = put_in(test, "other", 3);
	int64_t third = put_in(test, "q", 5);
	const int64_t expected[] = { first, second, third };
	assert_int_equal(poll_once(&worker), 3);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(worker.claims[i].job.id, expected[i]);
}

/* While a queue is paused nothing is learned about it. */
DB_CASE(a_resumed_queue_is_taken_from_at_once)
{
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		open_worker(&worker, test, i);
		int64_t first = put_mine(test, 0);
		put_foreign(test, 10);
		pause_queue(test, "q");
		assert_int_equal(poll_once(&worker), 0);
		assert_int_equal(poll_once(&worker), 0);
		resume_queue(test, "q");
		assert_next(&worker, first, 0);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
}

/* More queues than places: the oldest are forgotten, nothing else. */
DB_CASE(places_of_many_queues)
{
	struct claim_request request = { .only_classes = classes, .only_count = 2 };
	struct poller worker;
	char name[16];
	bool any;

	open_worker(&worker, test, 0);
	struct claiming claiming = { .db = test->db, .arena = test->arena, .request = &request };
	for (int i = 0; i < 2 * CLAIM_PLACES; i++) {
		(void)snprintf(name, sizeof(name), "q%d", i);
		(void)put(test->db, name, i);
		must(eligible_look, &claiming, name, &any);
		assert_false(any);
		assert_int_equal(eligible_place(&request, name).priority, i);
	}
	assert_true(eligible_place(&request, "q0").until == 0);
	assert_true(eligible_place(&request, "elsewhere").until == 0);
}
