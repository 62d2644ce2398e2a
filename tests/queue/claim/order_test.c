/* The order of due jobs: when due, priority, age (solid-queue.md, 2.6). The ended are nobody's. */
#include "tests/support/limited.h"

#include "db/operations.h"

#define DUE "'2026-01-01 00:00:00'"

static int64_t put_later(struct test_db *test, const char *class_name, int priority)
{
	const struct new_job job = { .class_name = class_name,
				     .arguments = "[]",
				     .has_priority = true,
				     .priority = priority,
				     .delay = CLOCK_HOUR };

	return put_job(test->db, &job);
}

static void set_due(struct test_db *test, const char *when, int64_t job)
{
	sql_execute(test->db,
		    "UPDATE solid_queue_scheduled_executions SET scheduled_at = %s WHERE job_id = "
		    "%" PRId64,
		    when, job);
}

/* One by one, the jobs become ready in this order. */
static void assert_dispatched(struct test_db *test, const int64_t jobs[], size_t count)
{
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(dispatch_due(test, 1), 1);
		assert_int_equal(state_of(test, jobs[i]), JOB_READY);
	}
}

DB_CASE(due_jobs_become_ready_in_order)
{
	int64_t late = put_later(test, "Plain", 0);
	int64_t idle = put_later(test, "Plain", 7);
	int64_t urgent = put_later(test, "Plain", -1);
	int64_t younger = put_later(test, "Plain", 7);
	const int64_t order[] = { urgent, idle, younger, late };

	test_execute(test->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = " DUE);
	set_due(test, "'2026-01-01 00:00:01'", late);
	assert_dispatched(test, order, 4);
}

static int64_t put_limited_later(struct test_db *test, int priority)
{
	const struct new_job job = { .class_name = "Limited",
				     .arguments = "[]",
				     .has_priority = true,
				     .priority = priority,
				     .concurrency_key = "k",
				     .delay = CLOCK_HOUR };

	return put_job(test->db, &job);
}

/* Of one key, who is due first gets the slot. */
DB_CASE(limited_jobs_too)
{
	declare(test, "Limited", 4, LIMIT_BLOCK);
	int64_t late = put_limited_later(test, 0);
	int64_t idle = put_limited_later(test, 7);
	int64_t urgent = put_limited_later(test, -1);
	int64_t younger = put_limited_later(test, 7);
	const int64_t order[] = { urgent, idle, younger, late };
	test_execute(test->db, "UPDATE solid_queue_scheduled_executions SET scheduled_at = " DUE);
	set_due(test, "'2026-01-01 00:00:01'", late);
	assert_dispatched(test, order, 4);
}

/* A stray row of a job that has finished meanwhile does not make it one that may be discarded. */
DB_CASE(what_has_finished_stays)
{
	struct error error = { 0 };
	struct db_rows rows;
	int64_t id = put(test->db, "a", 0);

	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = " DUE);
	enum status status =
		db_query(test->db, test->arena,
			 DB_CALL(discard, .jobs = P_IDS(&id, 1), .audit = P_INT(0)), &rows, &error);
	assert_true(status == STATUS_OK || status == STATUS_NONE);
	assert_int_equal(status == STATUS_OK ? rows.count : 0, 0);
	assert_int_equal(rows_of(test, "jobs"), 1);
}
