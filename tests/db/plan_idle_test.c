/*
 * What a poll costs: an idle one is one question to the database, of which nobody else takes
 * notice, however the worker chooses its queues; on PostgreSQL a busy one is one round trip.
 */
#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"

/* A worker whose round trips are counted. */
struct worker {
	struct test_db *test;
	struct forwarder forwarder; /* of a server; SQLite has none */
	bool forwarded;
	struct db *db;
	struct selector selector;
	struct claim_request claim;
	struct settle_request settle;
	struct claim *claims;
	size_t count;
};

static void open_worker(struct worker *worker, struct test_db *test, const char *const queues[],
			size_t count)
{
	const char *url = test->url;

	*worker = (struct worker){ .test = test };
	worker->forwarded = db_dialect_of(test->db) != DB_SQLITE;
	if (worker->forwarded)
		url = forwarder_url(&worker->forwarder, test->arena, test->url);
	worker->db = test_db_open(url);
	must(selector_compile, test->arena, queues, count, &worker->selector);
	int64_t process = register_worker(test->db, "w");
	worker->claim = (struct claim_request){ .selector = &worker->selector,
						.process_id = process,
						.limit = 3 };
	worker->settle = (struct settle_request){ .process_id = process,
						  .preserve_finished_jobs = true,
						  .claim = &worker->claim };
}

static void close_worker(struct worker *worker)
{
	db_close(worker->db);
	if (worker->forwarded)
		forwarder_stop(&worker->forwarder);
}

/* One settle; how many round trips it took (0 on SQLite). */
static unsigned poll_once(struct worker *worker)
{
	unsigned before = worker->forwarded ? forwarder_turns(&worker->forwarder) : 0;

	must(settle, worker->db, worker->test->arena, &worker->settle, &worker->claims,
	     &worker->count);
	return worker->forwarded ? forwarder_turns(&worker->forwarder) - before : 0;
}

static const char *const everything[] = { "*" };
static const char *const one[] = { "a" };
static const char *const several[] = { "a", "b*" };

static const struct {
	const char *const *queues;
	size_t count;
} choices[] = { { everything, 1 }, { one, 1 }, { several, 2 } };

DB_CASE_ONLY(an_idle_poll_is_one_question, "postgresql mysql mariadb")
{
	struct worker worker;

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		open_worker(&worker, test, choices[i].queues, choices[i].count);
		if (choices[i].queues != everything)
			(void)put(test->db, "elsewhere", 0);
		(void)poll_once(&worker); /* finds that there is nothing */
		(void)poll_once(&worker); /* prepares the question */
		assert_int_equal(poll_once(&worker), 1);
		assert_int_equal(poll_once(&worker), 1);
		assert_int_equal(worker.count, 0);
		close_worker(&worker);
	}
}

/* SQLite's one writer need not wait for it, nor it for the writer. */
static void poll_beside_a_writer(struct worker *worker)
{
	(void)poll_once(worker);
	assert_int_equal(worker->count, 0);
	test_execute(worker->test->db, "BEGIN IMMEDIATE");
	(void)poll_once(worker); /* fails after 5 s of waiting if it is a writer */
	test_execute(worker->test->db, "COMMIT");
}

DB_CASE_ONLY(an_idle_poll_locks_nothing, "sqlite")
{
	struct worker worker;
	bool changed;

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		open_worker(&worker, test, choices[i].queues, choices[i].count);
		poll_beside_a_writer(&worker);
		(void)put(test->db, "a", 0);
		must(queue_pause, test->db, "a", &changed);
		poll_beside_a_writer(&worker);
		must(queue_resume, test->db, "a", &changed);
		/* Only other queues have jobs. */
		test_execute(test->db, "UPDATE solid_queue_ready_executions SET queue_name = 'x'");
		if (choices[i].queues != everything)
			poll_beside_a_writer(&worker);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
		close_worker(&worker);
	}
}

/* Nor is an idle dispatcher one, with jobs that are not due. */
DB_CASE_ONLY(an_idle_dispatcher_locks_nothing, "sqlite")
{
	const struct new_job later = { .class_name = "Later", .delay = CLOCK_HOUR };
	struct db *other = test_db_open(test->url);
	int64_t moved = -1;

	(void)put_job(test->db, &later);
	test_execute(other, "BEGIN IMMEDIATE");
	must(dispatch, test->db, &(struct dispatching){ 0 }, 10, &moved);
	assert_int_equal(moved, 0);
	test_execute(other, "COMMIT");
	db_close(other);
}

/* Not two statements a job. */
DB_CASE_ONLY(ten_thousand_jobs_are_a_handful_of_statements, "postgresql mysql mariadb")
{
	enum { JOBS = 10000 };
	struct new_job *jobs = arena_array(test->arena, JOBS, sizeof(*jobs));
	struct enqueued *results = arena_array(test->arena, JOBS, sizeof(*results));
	struct worker worker;

	for (size_t i = 0; i < JOBS; i++)
		jobs[i] = (struct new_job){ .class_name = "Bulk", .delay = (int64_t)(i % 2) };
	open_worker(&worker, test, everything, 1);
	unsigned before = forwarder_turns(&worker.forwarder);
	must(enqueue, worker.db, jobs, JOBS, results);
	assert_true(forwarder_turns(&worker.forwarder) - before <= 20);
	close_worker(&worker);
	assert_int_equal(rows_of(test, "jobs"), JOBS);
}

/* Nor do the jobs that it leaves to others make it one. */
DB_CASE_ONLY(leaving_classes_alone_locks_nothing, "sqlite")
{
	static const char *const classes[] = { "Mine" };
	struct worker worker;

	(void)put(test->db, "a", 0);
	(void)put(test->db, "b", 0);
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		open_worker(&worker, test, choices[i].queues, choices[i].count);
		worker.claim.only_classes = classes;
		worker.claim.only_count = 1;
		poll_beside_a_writer(&worker);
		close_worker(&worker);
	}
}

static void pause_with_a_job(struct test_db *test)
{
	bool changed;

	(void)put(test->db, "paused", 0);
	must(queue_pause, test->db, "paused", &changed);
}

/* Three jobs end and the next three are claimed. */
static void busy_polls_are_one_round_trip(struct test_db *test, bool paused)
{
	struct worker worker;
	struct outcome outcomes[3];

	open_worker(&worker, test, everything, 1);
	for (int i = 0; i < 9; i++)
		(void)put(test->db, arena_printf(test->arena, "q%d", i), 0);
	if (paused)
		pause_with_a_job(test);
	(void)poll_once(&worker);
	for (int trip = 0; trip < 2; trip++) {
		assert_int_equal(worker.count, 3);
		for (size_t i = 0; i < 3; i++)
			outcomes[i] = (struct outcome){ .claim = claim_name(&worker.claims[i]),
							.kind = OUTCOME_FINISHED };
		worker.settle.outcomes = outcomes;
		worker.settle.outcome_count = 3;
		assert_int_equal(poll_once(&worker), 1);
	}
	assert_int_equal(rows_of(test, "claimed_executions"), 3);
	close_worker(&worker);
	test_invariant(test->db);
}

DB_CASE_ONLY(a_busy_poll_is_one_round_trip, "postgresql")
{
	busy_polls_are_one_round_trip(test, false);
}

/* However many queues there are: a pause costs no statement. */
DB_CASE_ONLY(a_busy_poll_beside_a_pause_is_one_round_trip, "postgresql")
{
	busy_polls_are_one_round_trip(test, true);
}
