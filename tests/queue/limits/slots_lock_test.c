/*
 * Concurrency limits and transactions: CC8, CX5, SE1 and SE2, and defects 9 and 10 and those
 * about locks of Solid Queue (docs/internals/solid-queue.md, 4). Solid Queue's side of it is
 * written here in its own statements.
 */
#include <stdatomic.h>

#include "db/operations.h"
#include "queue/limits/slots.h"
#include "tests/support/limited.h"

#define PATIENCE (100 * CLOCK_SECOND)

/* CC8: jobs that are in each other's way, among others, in one transaction: it comes to pass. */
DB_CASE(cc8_conflicting_jobs_in_one_transaction)
{
	const struct new_job jobs[] = {
		{ .class_name = "Once", .concurrency_key = "k" },
		{ .class_name = "Once", .concurrency_key = "k" },
		{ .class_name = "Waits", .concurrency_key = "m" },
		{ .class_name = "Waits", .concurrency_key = "m" },
		{ .class_name = "Free" },
	};
	struct enqueued results[5];

	declare(test, "Once", 1, LIMIT_DISCARD);
	declare(test, "Waits", 1, LIMIT_BLOCK);
	must(enqueue, test->db, jobs, 5, results);
	assert_true(results[1].discarded);
	assert_rows(test, 3, 0, 1);
	must(enqueue, test->db, jobs, 5, results);
	assert_true(results[0].discarded && results[1].discarded);
	assert_rows(test, 4, 0, 3);
	assert_slots_add_up(test);
}

/* A child that finishes the only claim there is. */
struct finisher {
	struct test_db *test;
	struct claim *claim;
	atomic_int *ended;
};

static int finish_it(unsigned index, void *data)
{
	const struct finisher *finisher = data;

	(void)index;
	struct db *db = test_db_open(finisher->test->url);
	bool settled = settle_one(db, finisher->claim, OUTCOME_FINISHED);
	atomic_store(finisher->ended, 1);
	db_close(db);
	return settled ? 0 : 1;
}

/* Is somebody in this database waiting for a lock? */
static bool is_waited_for(const struct test_db *test)
{
	static const char *const queries[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "SELECT count(*) FROM pg_stat_activity"
				  " WHERE datname = current_database()"
				  " AND wait_event_type = 'Lock'",
		[DB_MYSQL] = "SELECT count(*) FROM " TEST_SESSIONS
			     " WHERE db = database() AND id <> connection_id()"
			     " AND (info LIKE '%dray_locked%'"
			     " OR info LIKE '%solid_queue_blocked_executions%')",
	};

	return sql_number(test, "%s", queries[db_dialect_of(test->db)]) > 0;
}

/* What Solid Queue's enqueue does of a job whose key has no slot; the lock is the semaphore's. */
static void enqueue_as_rails(struct test_db *test)
{
	const char *table = "solid_queue_semaphores";

	sql_execute(test->db, "UPDATE %s SET value = value", table);
	sql_do(test, "INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		     "priority, active_job_id, scheduled_at, concurrency_key, created_at, "
		     "updated_at) VALUES ('default', 'Limited', '{}', 0, 'late', '2026-01-01 "
		     "00:00:00', 'k', '2026-01-01 00:00:00', '2026-01-01 00:00:00')");
	sql_do(test, "INSERT INTO solid_queue_blocked_executions (job_id, queue_name, priority, "
		     "concurrency_key, expires_at, created_at) SELECT id, queue_name, 0, 'k', "
		     "created_at, created_at FROM solid_queue_jobs WHERE active_job_id = 'late'");
}

/* SE1, SE2, defect 9: it waits for the enqueue's semaphore, then sees its blocked job. */
DB_CASE(se2_an_end_waits_for_an_enqueue)
{
	struct finisher finisher = { .test = test };

	if (db_dialect_of(test->db) == DB_SQLITE)
		return; /* one writes at a time, and no connection survives a fork */
	finisher.ended = test_share(sizeof(*finisher.ended));
	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	finisher.claim = take_all(test, register_worker(test->db, "w"), 1);
	test_begin(test->db);
	enqueue_as_rails(test);
	pid_t child = test_fork(&(struct test_function){ finish_it, &finisher }, 0);
	test_until(is_waited_for(test), "a wait for the lock");
	assert_int_equal(atomic_load(finisher.ended), 0);
	test_execute(test->db, "COMMIT");
	assert_int_equal(test_wait_exit(child, PATIENCE), 0);
	assert_key(test, "k", 0, 1, 0, 0);
	assert_slots_add_up(test);
}

/* Solid Queue's release_one of the job that it has locked: it becomes ready if a slot is free. */
static void release_as_rails(struct test_db *test, int64_t job)
{
	sql_execute(test->db,
		    "INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		    "created_at) SELECT b.job_id, b.queue_name, b.priority, b.created_at FROM "
		    "solid_queue_blocked_executions b, solid_queue_semaphores s WHERE s.value > 0 "
		    "AND b.job_id = %lld",
		    (long long)job);
	test_execute(test->db, "DELETE FROM solid_queue_blocked_executions WHERE job_id IN (SELECT "
			       "job_id FROM solid_queue_ready_executions)");
	sql_do(test, "UPDATE solid_queue_semaphores SET value = value - 1 WHERE value > 0");
}

/* A child that leaves a job aside of which the database has refused the admission. */
struct leaver {
	struct test_db *test;
	int64_t job;
};

static int leave_it(unsigned index, void *data)
{
	const struct leaver *leaver = data;
	struct db *db = test_db_open(leaver->test->url);
	struct db_rows rows = { 0 };
	struct error error = { 0 };
	const enum status status =
		db_query(db, leaver->test->arena,
			 DB_CALL(blocked_aside, .job_id = P_INT(leaver->job),
				 .scheduled_at = P_TIME(db_now(db) + CLOCK_MINUTE),
				 .now = P_TIME(db_now(db))),
			 &rows, &error);

	(void)index;
	db_close(db);
	return status == STATUS_NONE || (status == STATUS_OK && rows.count == 0) ? 0 : 1;
}

/* Otherwise it would be ready and scheduled, and run twice. */
DB_CASE_ONLY(a_job_that_is_admitted_meanwhile_is_not_left_aside, "postgresql mysql mariadb")
{
	struct leaver leaver = { .test = test };

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	leaver.job = put_limited(test, "Limited", "k");
	sql_do(test, "UPDATE solid_queue_semaphores SET value = 1");
	test_begin(test->db);
	release_as_rails(test, leaver.job);
	pid_t child = test_fork(&(struct test_function){ leave_it, &leaver }, 0);
	test_until(is_waited_for(test), "a wait for the lock");
	test_execute(test->db, "COMMIT");
	assert_int_equal(test_wait_exit(child, PATIENCE), 0);
	assert_int_equal(rows_of(test, "scheduled_executions"), 0);
	assert_int_equal(rows_of(test, "ready_executions"), 2);
}

/* It waits for the semaphore in vain: that is no fault of the job that stands first. */
DB_CASE_ONLY(a_lock_that_is_held_for_long_leaves_no_job_aside, "postgresql mysql mariadb")
{
	const struct db_options options = { .call_timeout = 2 * CLOCK_SECOND, .retry_for = 1 };
	const struct new_job job = { .class_name = "Limited", .concurrency_key = "k" };
	struct slots slots = { .arena = test->arena };

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	const int64_t waiting = put_limited(test, "Limited", "k");
	sql_do(test, "UPDATE solid_queue_semaphores SET value = 1");
	test_begin(test->db);
	sql_do(test, "UPDATE solid_queue_semaphores SET value = 0");
	slots.db = test_db_open_with(test->url, &options);
	slots_find_new(&slots, &job, 1, db_now(test->db));
	slots_admit_apart(&slots);
	test_execute(test->db, "ROLLBACK");
	assert_int_equal(state_of(test, waiting), JOB_BLOCKED);
	slots_admit_apart(&slots);
	db_close(slots.db);
	assert_int_equal(state_of(test, waiting), JOB_BLOCKED);
	assert_count(test, 0, "dray_pauses");
}

/*
 * CX5, defect 39: Solid Queue's releaser locks the blocked job first and its semaphore then. Who
 * ends a job meanwhile passes that job by, so that nobody waits or deadlocks, and there is one who
 * lets the next one in: the one or the other.
 */
DB_CASE(cx5_a_releaser_locks_the_other_way_round)
{
	static const char *const hints[DB_DIALECTS] = {
		[DB_POSTGRESQL] = "",
		[DB_MYSQL] = "FORCE INDEX (index_solid_queue_blocked_executions_for_release)",
	};
	struct finisher finisher = { .test = test };
	const char *hint = hints[db_dialect_of(test->db)];

	if (!hint)
		return; /* SQLite: one writes at a time */
	finisher.ended = test_share(sizeof(*finisher.ended));
	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	int64_t locked = put_limited(test, "Limited", "k");
	put_limited(test, "Limited", "k");
	finisher.claim = take_all(test, register_worker(test->db, "w"), 1);
	test_begin(test->db);
	sql_execute(test->db,
		    "SELECT id FROM solid_queue_blocked_executions %s WHERE concurrency_key = 'k' "
		    "ORDER BY priority, job_id LIMIT 1 FOR UPDATE SKIP LOCKED",
		    hint);
	assert_int_equal(
		test_wait_exit(test_fork(&(struct test_function){ finish_it, &finisher }, 0),
			       PATIENCE),
		0);
	release_as_rails(test, locked);
	test_execute(test->db, "COMMIT");
	assert_key(test, "k", 0, 1, 0, 1);
}

/* Defect 40: a transaction that holds up one key for long holds up no other. */
DB_CASE(a_hot_key_holds_up_no_other)
{
	struct finisher finisher = { .test = test };
	bool mysql = db_dialect_of(test->db) == DB_MYSQL;

	if (db_dialect_of(test->db) == DB_SQLITE)
		return; /* one writes at a time */
	finisher.ended = test_share(sizeof(*finisher.ended));
	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "cold");
	int64_t next = put_limited(test, "Limited", "cold");
	finisher.claim = take_all(test, register_worker(test->db, "w"), 1);
	put_limited(test, "Limited", "hot");
	test_begin(test->db);
	sql_execute(test->db, "UPDATE solid_queue_semaphores SET value = 0 WHERE %s = 'hot'",
		    mysql ? "`key`" : "key");
	assert_int_equal(
		test_wait_exit(test_fork(&(struct test_function){ finish_it, &finisher }, 0),
			       PATIENCE),
		0);
	test_execute(test->db, "COMMIT");
	assert_int_equal(state_of(test, next), JOB_READY);
	assert_slots_add_up(test);
}

/* Defect 10: a job's end, its slot's return and the next one's admission come all or none. */
DB_CASE(defect_10_an_end_is_one_transaction)
{
	int64_t process = register_worker(test->db, "w");

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	int64_t next = put_limited(test, "Limited", "k");
	struct claim *claim = take_all(test, process, 1);
	struct outcome outcome = { .claim = claim_name(claim),
				   .limited = true,
				   .kind = OUTCOME_FINISHED };
	struct settle_request request = { .process_id = process,
					  .outcomes = &outcome,
					  .outcome_count = 1,
					  .preserve_finished_jobs = true };
	struct error error = { 0 };
	struct claim *none;
	size_t count;

	/* What ends last, the admission, cannot: there is no such table. */
	test_execute(test->db, "ALTER TABLE dray_classes RENAME TO dray_classes_away");
	assert_int_not_equal(settle(test->db, test->arena, &request, &none, &count, &error),
			     STATUS_OK);
	test_execute(test->db, "ALTER TABLE dray_classes_away RENAME TO dray_classes");
	assert_key(test, "k", 0, 0, 1, 1);
	settle_only(test, &request);
	assert_int_equal(state_of(test, next), JOB_READY);
}

/* Who has the semaphore does not wait for the row: Solid Queue's dispatcher locks that first. */
static void scheduled_that_is_locked_is_left(struct test_db *test, const char *lock)
{
	struct db *rails = test_db_open(test->url);
	struct db_rows rows;

	declare(test, "Limited", 1, LIMIT_BLOCK);
	const int64_t job = put_limited(test, "Limited", "k");
	const int64_t now = db_now(test->db);
	sql_do(test, "INSERT INTO solid_queue_scheduled_executions (job_id, queue_name, "
		     "priority, scheduled_at, created_at) SELECT job_id, queue_name, priority, "
		     "'2026-01-01 00:00:00', created_at FROM solid_queue_ready_executions");
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	test_begin(rails);
	test_execute(rails, lock);
	test_wait_shortly(test->db);
	must(db_query, test->db, test->arena,
	     DB_CALL(dispatch_limited, .jobs = P_IDS(&job, 1), .now = P_TIME(now)), &rows);
	assert_int_equal(state_of(test, job), JOB_SCHEDULED);
	test_execute(rails, "ROLLBACK");
	db_close(rails);
	assert_int_equal(dispatch_due(test, 10), 1);
	assert_int_equal(state_of(test, job), JOB_READY);
}

DB_CASE_ONLY(a_scheduled_job_that_is_locked_is_left, "postgresql mysql mariadb")
{
	scheduled_that_is_locked_is_left(
		test, "SELECT * FROM solid_queue_scheduled_executions FOR UPDATE");
}

/*
 * On MySQL Solid Queue locks entries of its index first and then their rows, and keeps an entry's
 * lock when it has passed the row by. Who locked rows without their entries would wait for one in
 * the end.
 */
DB_CASE_ONLY(a_scheduled_job_whose_entry_is_locked_is_left, "mysql mariadb")
{
	scheduled_that_is_locked_is_left(
		test, "SELECT scheduled_at, priority, job_id"
		      " FROM solid_queue_scheduled_executions"
		      " FORCE INDEX (index_solid_queue_dispatch_all) LOCK IN SHARE MODE");
}

static void blocked_whose_entry_is_locked_is_left(struct test_db *test)
{
	struct db *rails = test_db_open(test->url);

	declare(test, "Limited", 1, LIMIT_BLOCK);
	put_limited(test, "Limited", "k");
	int64_t next = put_limited(test, "Limited", "k");
	struct claim *claim = take_all(test, register_worker(test->db, "w"), 1);
	test_begin(rails);
	test_execute(rails,
		     "SELECT concurrency_key, priority, job_id FROM solid_queue_blocked_executions "
		     "FORCE INDEX (index_solid_queue_blocked_executions_for_release) LOCK IN SHARE "
		     "MODE");
	test_wait_shortly(test->db);
	assert_true(settle_one(test->db, claim, OUTCOME_FINISHED));
	assert_int_equal(state_of(test, next), JOB_BLOCKED);
	assert_int_equal(value_of(test, "k"), 1);
	test_execute(rails, "ROLLBACK");
	db_close(rails);
}

DB_CASE_ONLY(a_blocked_job_whose_entry_is_locked_is_left, "mysql mariadb")
{
	blocked_whose_entry_is_locked_is_left(test);
}

/* The same where a job of several keys exists, and another script decides. */
DB_CASE_ONLY(so_it_is_among_jobs_of_several_keys, "mysql mariadb")
{
	declare_several(test, "Two", (const int[]){ 1, 1, 0 }, LIMIT_BLOCK);
	(void)put_several(test, "Two", (const char *[]){ "x", "y", NULL });
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	blocked_whose_entry_is_locked_is_left(test);
}
