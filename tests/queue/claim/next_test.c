/*
 * A prefix that many queues match: which of them come next is remembered for a moment. Every job is
 * claimed once, in the order of the queues' names, whatever happens meanwhile.
 */
#include <string.h>

#include "tests/support/jobs/poller.h"

#define QUEUES 150

static const struct poller_queues chosen = { "q_000", "q_*" };

static const char *name(struct test_db *test, int queue)
{
	return arena_printf(test->arena, "q_%03d", queue);
}

static void fill(struct test_db *test, const char *class_name)
{
	struct new_job jobs[QUEUES];
	struct enqueued results[QUEUES];

	for (int i = 0; i < QUEUES; i++)
		jobs[i] = (struct new_job){ .class_name = class_name,
					    .arguments = "[]",
					    .queue = name(test, i) };
	must(enqueue, test->db, jobs, QUEUES, results);
}

/* How many jobs a poll claimed; none of them before `last`, the queue of the one before. */
static size_t poll_in_order(struct poller *poller, const char **last)
{
	size_t count = poll_once(poller);

	for (size_t i = 0; i < count; i++) {
		assert_true(strcmp(poller->claims[i].job.queue, *last) >= 0);
		*last = poller->claims[i].job.queue;
	}
	return count;
}

DB_CASE(many_queues_are_claimed_from_in_their_order)
{
	struct poller worker;
	const char *last = "";
	size_t total = 0;

	fill(test, "Test");
	fill(test, "Test");
	open_poller(&worker, test, 2, &chosen);
	assert_int_equal(poll_in_order(&worker, &last), 10);
	assert_int_equal(worker.claim.next.count, CLAIM_NEXT);
	assert_string_equal(worker.claim.next.names[0], "q_004");
	worker.claim.limit = 7;
	for (size_t count = 10; count > 0; count = poll_in_order(&worker, &last))
		total += count;
	assert_int_equal(total, 2 * QUEUES);
	assert_int_equal(worker.claim.next.count, 0);
}

/* Nothing is remembered of a handful: their order is exact. */
DB_CASE(a_handful_of_queues_is_asked_for_every_time)
{
	struct poller worker;

	for (int i = 0; i < CLAIM_NEXT; i++)
		put(test->db, name(test, i + 1), 0);
	open_poller(&worker, test, 2, &chosen);
	assert_int_equal(poll_once(&worker), 10);
	assert_int_equal(worker.claim.next.count, 0);
	put(test->db, "q_000", 0);
	assert_int_equal(poll_once(&worker), 10);
	assert_string_equal(worker.claims[0].job.queue, "q_000");
}

/* Two workers take from the same queues; what comes meanwhile for the first one is found, too. */
DB_CASE(workers_of_the_same_queues_leave_nothing)
{
	struct poller workers[2];
	size_t total = 0;
	size_t empty = 0;

	fill(test, "Test");
	for (size_t i = 0; i < 2; i++)
		open_poller(&workers[i], test, 2, &chosen);
	total += poll_once(&workers[0]);
	put(test->db, name(test, 0), 0);
	for (size_t turn = 1; empty < 4; turn++) {
		struct poller *worker = &workers[turn % 2];
		worker->claim.limit = 3 + turn % 5;
		total += poll_once(worker);
		empty = worker->count == 0 ? empty + 1 : 0;
	}
	assert_int_equal(total, QUEUES + 1);
	assert_count(test, QUEUES + 1, "solid_queue_claimed_executions");
}

/* A pause holds for queues that are remembered. */
DB_CASE(a_remembered_queue_can_be_paused)
{
	struct poller worker;
	size_t total = 0;

	fill(test, "Test");
	open_poller(&worker, test, 2, &chosen);
	total += poll_once(&worker);
	(void)pause_queue(test, name(test, 10));
	(void)pause_queue(test, name(test, 30));
	for (size_t count = worker.count; count > 0; total += count)
		count = poll_once(&worker);
	assert_int_equal(total, QUEUES - 2);
}

/* What a worker leaves to others stands in the same queues. */
DB_CASE(others_jobs_are_left_in_remembered_queues)
{
	static const char *const known[] = { "Test" };
	struct poller worker;
	size_t total = 0;

	fill(test, "Foreign");
	fill(test, "Test");
	open_poller(&worker, test, 2, &chosen);
	worker.claim.only_classes = known;
	worker.claim.only_count = 1;
	for (size_t count = 1; count > 0; total += count) {
		count = poll_once(&worker);
		for (size_t i = 0; i < count; i++)
			assert_string_equal(worker.claims[i].job.class_name, "Test");
	}
	assert_int_equal(total, QUEUES);
}
