/* unknown_classes: auto, no other software in sight: unknown jobs are put back as they were. */
#include "queue/claim/claim.h"

#include "tests/support/jobs/poller.h"
#include "tests/support/limited.h"
#include "tests/support/torn.h"

static const struct poller_queues chosen = { "default", "def*" };

static void open_worker(struct poller *worker, struct test_db *test, size_t choice)
{
	static const char *const known[] = { "Test" };

	open_poller(worker, test, choice, &chosen);
	worker->claim.unknown.known = known;
	worker->claim.unknown.known_count = 1;
}

/* What the tables say of jobs that are not claimed, and of all slots. */
static const char *waiting(struct test_db *test)
{
	return sql_text(
		test,
		"SELECT 1, job_id, queue_name, priority, created_at FROM "
		"solid_queue_ready_executions UNION SELECT 2, job_id, concurrency_key, priority, "
		"created_at FROM solid_queue_blocked_executions UNION SELECT 3, job_id, "
		"concurrency_key, position, created_at FROM dray_slots ORDER BY 1, 2");
}

/* Three, of which one waits for a slot; the others became ready at times of their own. */
static void put_unknown(struct test_db *test)
{
	declare(test, "New", 2, LIMIT_BLOCK);
	put_many(test, "New", "k", 3);
	sql_do(test, "UPDATE solid_queue_ready_executions SET created_at = '2026-01-02 "
		     "03:04:05.600000';UPDATE solid_queue_ready_executions SET created_at = "
		     "'2026-01-01 00:00:00.000001' WHERE job_id IN (SELECT max(job_id) FROM "
		     "dray_slots)");
}

DB_CASE(unknown_jobs_are_put_back_as_they_were)
{
	for (size_t choice = 0; choice < CHOICES; choice++) {
		struct poller worker;

		put_unknown(test);
		const char *before = waiting(test);
		int64_t mine = put(test->db, "default", 0);
		open_worker(&worker, test, choice);
		assert_int_equal(poll_once(&worker), 1);
		assert_int_equal(worker.claims[0].job.id, mine);
		assert_int_equal(worker.claim.unknown.put_back, 2);
		assert_string_equal(worker.claim.unknown.class, "New");
		assert_string_equal(waiting(test), before);
		assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_losses"), 0);
		assert_slots_add_up(test);
		(void)put(test->db, "default", 9); /* from now on they are passed over */
		worker.claim.unknown.put_back = 0;
		assert_int_equal(poll_once(&worker), 1);
		assert_int_equal(worker.claim.unknown.put_back, 0);
		sql_do(test, "DELETE FROM solid_queue_jobs; DELETE FROM dray_slots;DELETE FROM "
			     "solid_queue_semaphores;DELETE FROM solid_queue_processes");
	}
}

/* What the gate of limits does to jobs without a slot, it does not do to these. */
DB_CASE(unknown_jobs_do_not_come_to_the_gate)
{
	struct poller worker;

	put_unknown(test);
	test_execute(test->db, "DELETE FROM dray_slots");
	const char *before = waiting(test);
	open_worker(&worker, test, 0);
	assert_int_equal(poll_once(&worker), 0);
	assert_string_equal(waiting(test), before);
}

/* The minute is over each time. */
DB_CASE(every_class_is_claimed_again_once_they_are_gone)
{
	struct poller worker;

	put_unknown(test);
	open_worker(&worker, test, 0);
	assert_int_equal(poll_once(&worker), 0);
	assert_non_null(worker.claim.only_classes);
	worker.claim.unknown.until = 0;
	assert_int_equal(poll_once(&worker), 0);
	assert_non_null(worker.claim.only_classes);
	assert_int_equal(discard_ready(test, NULL), 2);
	assert_int_equal(poll_once(&worker), 0);
	assert_non_null(worker.claim.only_classes);
	worker.claim.unknown.until = 0;
	assert_int_equal(poll_once(&worker), 0); /* the third, which has a slot by now */
	assert_int_equal(worker.claim.unknown.job, 3);
	assert_int_equal(discard_ready(test, NULL), 1);
	worker.claim.unknown.until = 0;
	(void)put(test->db, "default", 0);
	assert_int_equal(poll_once(&worker), 1);
	assert_null(worker.claim.only_classes);
	test_invariant(test->db);
}

/* Also while a class is paused, which it has none of. */
DB_CASE(a_row_without_a_job_goes_also_then)
{
	for (size_t choice = 0; choice < CHOICES; choice++) {
		struct poller worker;
		bool changed;

		put_unknown(test);
		open_worker(&worker, test, choice);
		assert_int_equal(poll_once(&worker), 0);
		assert_non_null(worker.claim.only_classes);
		must(pause_other, test->db, PAUSE_CLASS, "Other", &(struct pause_note){ 0 },
		     &changed);
		torn_unguard(test);
		sql_execute(test->db, "DELETE FROM solid_queue_jobs WHERE id = %" PRId64,
			    put(test->db, "default", 0));
		(void)put(test->db, "default", 0);
		assert_int_equal(poll_once(&worker), 1);
		assert_non_null(worker.claim.only_classes);
		assert_int_equal(
			sql_number(test, "SELECT count(*) FROM solid_queue_ready_executions"), 2);
		sql_do(test,
		       "DELETE FROM solid_queue_ready_executions;DELETE FROM solid_queue_jobs; "
		       "DELETE FROM dray_slots;DELETE FROM solid_queue_semaphores;DELETE FROM "
		       "solid_queue_processes;DELETE FROM dray_pauses");
	}
}
