/* Finished jobs that are cleared: nothing else ever, and by several processes at once. */
#include <stdatomic.h>

#include "tests/support/queue.h"

#define JOBS      2000
#define PROCESSES 4

/* So many finished jobs, all at the same instant an hour ago. */
static void put_finished(struct test_db *test, int count)
{
	struct new_job *jobs = arena_array(test->arena, (size_t)count, sizeof(*jobs));
	struct enqueued *results = arena_array(test->arena, (size_t)count, sizeof(*results));
	char time[CLOCK_TEXT_SIZE];

	for (int i = 0; i < count; i++)
		jobs[i] = (struct new_job){ .class_name = "A", .queue = i % 2 ? "a" : "b" };
	must(enqueue, test->db, jobs, (size_t)count, results);
	clock_format(db_now(test->db) - CLOCK_HOUR, time);
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	sql_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = '%s'", time);
}

struct share {
	struct test_db *test;
	atomic_int *cleared;
};

static int clear_all(unsigned index, void *data)
{
	const struct share *share = data;
	struct db *db = test_db_open(share->test->url);
	struct job_clear clear = { .db = db, .before = db_now(db), .batch = 100 };
	bool more = true;

	(void)index;
	while (more)
		must(job_clear_next, &clear, &more);
	atomic_fetch_add(share->cleared, (int)clear.deleted);
	db_close(db);
	return 0;
}

DB_CASE(several_clear_different_ones)
{
	struct share share = { .test = test };

	share.cleared = test_share(sizeof(*share.cleared));
	put_finished(test, JOBS);
	test_in_children(&(struct test_function){ clear_all, &share }, PROCESSES);
	assert_int_equal(atomic_load(share.cleared), JOBS - rows_of(test, "jobs"));
	assert_int_equal(rows_of(test, "jobs"), 0);
}

/* What dray clear --dry-run says. */
static int64_t count_all(struct test_db *test, const char *class_name, int batch)
{
	struct job_clear clear = { .db = test->db,
				   .before = db_now(test->db) - CLOCK_HOUR,
				   .class_name = class_name,
				   .batch = batch,
				   .arena = test->arena };
	bool more = true;

	for (int pages = 0; more; pages++) {
		assert_true(pages <= JOBS);
		must(job_clear_count, &clear, &more);
	}
	return clear.deleted;
}

/* Written by hand: what is no time is as old as can be, and a time to come is one. */
DB_CASE_ONLY(a_finish_at_no_time_is_cleared, "sqlite")
{
	static const char *const times[] = {
		"'never'", "'31.12.2026'", "4711",         "-1.5",         "x'ff'",
		"''",      "'now'",        "'2026-02-31'", "'2026-13-01'",
	};

	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++)
		sql_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = %s WHERE id = %d",
			    times[i], (int)put(test->db, "a", 0));
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	sql_execute(test->db,
		    "UPDATE solid_queue_jobs SET finished_at = '2999-01-01 00:00:00'"
		    " WHERE id IN (%d, %d)",
		    (int)put(test->db, "a", 0), (int)put(test->db, "b", 0));
	assert_int_equal(count_all(test, "B", 100), 0);
	assert_int_equal(count_all(test, NULL, 2), sizeof(times) / sizeof(times[0]));
	assert_int_equal(clear_finished(test, db_now(test->db) - CLOCK_HOUR, "B", 100), 0);
	assert_int_equal(clear_finished(test, db_now(test->db) - CLOCK_HOUR, NULL, 100),
			 sizeof(times) / sizeof(times[0]));
	assert_int_equal(rows_of(test, "jobs"), 2);
}

/* Every page begins behind the one before, whatever stands there and however long it is. */
DB_CASE_ONLY(pages_never_begin_anew, "sqlite")
{
	static const char *const times[] = {
		"'2026-02-31'",
		"'2026-01-01 25:00'",
		"'2026-01-01 08:00:00.000000'",
		"'2026-01-01 08:00:00.0000001'",
		"'2026-01-01 09:00:00'",
		"'2026-01-01T07:00:00Z'",
		"'2026-01-01T07:00:00+02:00'",
		"'2026-01-02'",
		"'2026-01-03 00:00:00 or so, a note that is longer than any time'",
	};
	const int64_t count = sizeof(times) / sizeof(times[0]);

	for (int64_t i = 0; i < count; i++)
		sql_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = %s WHERE id = %d",
			    times[i], (int)put(test->db, "a", 0));
	test_execute(test->db, "DELETE FROM solid_queue_ready_executions");
	for (int batch = 1; batch <= count; batch++)
		assert_int_equal(count_all(test, NULL, batch), count);
	assert_int_equal(clear_finished(test, db_now(test->db) - CLOCK_HOUR, NULL, 1), count);
}

/* The same: neither is a time. */
DB_CASE_ONLY(a_finish_at_infinity_is_cleared, "postgresql")
{
	put_finished(test, 4);
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = CASE WHEN id < 3 THEN "
			       "'infinity' ELSE '-infinity' END::timestamp WHERE id < 4");
	assert_int_equal(count_all(test, NULL, 2), 4);
	assert_int_equal(clear_finished(test, db_now(test->db) - 2 * CLOCK_HOUR, NULL, 2), 3);
	assert_int_equal(rows_of(test, "jobs"), 1);
}

/* However old, whatever they are. */
DB_CASE(what_is_not_finished_stays)
{
	int64_t worker = register_worker(test->db, "worker-1");
	const struct new_job limited = { .class_name = "A", .concurrency_key = "k" };
	struct job_clear clear = { .db = test->db, .before = db_now(test->db), .batch = 10 };
	bool more;

	(void)put(test->db, "a", 0);
	(void)put(test->db, "a", 0);
	struct claim *claims = take_all(test, worker, 2);
	assert_true(settle_one(test->db, &claims[0], OUTCOME_FAILED));
	(void)put(test->db, "a", 0);
	(void)put_for_later(test->db, "A", NULL);
	(void)put_job(test->db, &limited);
	(void)put_job(test->db, &limited);
	test_execute(test->db, "UPDATE solid_queue_jobs SET created_at = '2001-01-01 00:00:00', "
			       "updated_at = '2001-01-01 00:00:00'");
	must(job_clear_next, &clear, &more);
	assert_int_equal(clear.deleted, 0);
	assert_false(more);
	assert_int_equal(rows_of(test, "jobs"), 6);
	test_invariant(test->db);
}

/* Pages whose jobs finished at one instant are counted once. */
DB_CASE(counting_changes_nothing)
{
	struct job_clear clear = { .db = test->db, .queue = "a", .arena = test->arena };
	bool more = true;

	put_finished(test, JOBS);
	clear.before = db_now(test->db);
	clear.batch = 300;
	while (more)
		must(job_clear_count, &clear, &more);
	assert_int_equal(clear.deleted, JOBS / 2);
	assert_int_equal(rows_of(test, "jobs"), JOBS);
}
