/*
 * What a poll costs: an idle one is one question to the database, of which nobody else takes
 * notice, however the worker chooses its queues; on PostgreSQL a busy one is one round trip. And
 * what a plain job costs: history, retries and limits cost only the jobs that have them.
 */
#include "common/fault.h"
#include "tests/support/queue.h"
#include "tests/support/servers/forwarder.h"

#ifdef DRAY_WITH_SQLITE
#include <sqlite3.h>

static unsigned traced; /* statements of SQLite's since it was opened */

/* One has ended; what cascades from it is none. */
static int trace(unsigned event, void *context, void *statement, void *time)
{
	(void)event;
	(void)context;
	(void)statement;
	(void)time;
	traced++;
	return 0;
}

static int attach(sqlite3 *handle, const char **error, const void *api)
{
	(void)error;
	(void)api;
	return sqlite3_trace_v2(handle, SQLITE_TRACE_PROFILE, trace, NULL);
}

static struct db *open_traced(const char *url)
{
	assert_int_equal(sqlite3_auto_extension((void (*)(void))attach), SQLITE_OK);
	struct db *db = test_db_open(url);
	sqlite3_reset_auto_extension();
	return db;
}
#else
static const unsigned traced = 0;

static struct db *open_traced(const char *url)
{
	return test_db_open(url);
}
#endif

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
	*worker = (struct worker){ .test = test };
	worker->forwarded = db_dialect_of(test->db) != DB_SQLITE;
	worker->db =
		worker->forwarded
			? test_db_open(forwarder_url(&worker->forwarder, test->arena, test->url))
			: open_traced(test->url);
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
	struct db *other = test_db_open(test->url);
	int64_t moved = -1;

	(void)put_for_later(test->db, "Later", NULL);
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

/* PostgreSQL gets a whole run at once, unless a point of it is armed; this one is never reached. */
static void send_one_by_one(void)
{
#ifdef DRAY_FAULTS

	must(fault_arm, "finish.0=kill@1000000,finish_and_delete.0=kill@1000000,"
			"claim.0=kill@1000000");
#else
	skip();
#endif
}

static unsigned counted(const struct worker *worker)
{
	return worker->forwarded ? forwarder_turns(&worker->forwarder) : traced;
}

/* In statements, with those that begin and end: claimed, and finished by a poll that finds none. */
static unsigned cost_of_a_job(struct worker *worker)
{
	struct outcome outcome = { .kind = OUTCOME_FINISHED };

	(void)put(worker->test->db, "a", 0);
	unsigned before = counted(worker);
	(void)poll_once(worker);
	assert_int_equal(worker->count, 1);
	outcome.claim = claim_name(worker->claims);
	worker->settle.outcomes = &outcome;
	worker->settle.outcome_count = 1;
	(void)poll_once(worker);
	worker->settle.outcomes = NULL;
	worker->settle.outcome_count = 0;
	assert_false(outcome.refused);
	return counted(worker) - before;
}

/* If a number has grown, every job pays for what only some of them need. */
DB_CASE(a_plain_job_costs_what_it_did)
{
	static const unsigned statements[DB_DIALECTS][2] = {
		/* deleted when it is finished, kept */
		[DB_SQLITE] = { 13, 13 },
		[DB_POSTGRESQL] = { 8, 8 },
		[DB_MYSQL] = { 13, 14 },
	};
	const enum db_dialect dialect = db_dialect_of(test->db);
	struct worker worker;

	if (dialect == DB_POSTGRESQL)
		send_one_by_one();
	for (int preserve = 0; preserve < 2; preserve++) {
		open_worker(&worker, test, everything, 1);
		worker.settle.preserve_finished_jobs = preserve;
		worker.settle.keep_attempts = 20;
		for (int i = 0; i < 3; i++) /* prepares them */
			(void)cost_of_a_job(&worker);
		assert_int_equal(cost_of_a_job(&worker), statements[dialect][preserve]);
		close_worker(&worker);
	}
#ifdef DRAY_FAULTS
	fault_disarm();
#endif
}
