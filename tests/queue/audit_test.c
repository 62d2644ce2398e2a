/* The audit trail counts what was done, in the transaction that does it. */
#include "queue/manage/audit.h"
#include "queue/manage/manage.h"
#include "tests/support/queue.h"

static int64_t begin_line(struct test_db *test)
{
	struct audit audit = { .action = "act", .target = "jobs" };

	must(audit_begin, test->db, &audit);
	return audit.id;
}

static int64_t counted(struct test_db *test, int64_t line)
{
	return sql_number(test, "SELECT count FROM dray_audit WHERE id = %" PRId64, line);
}

/* Jobs 1 to 6: two failed, two scheduled, two ready. */
static void put_two_of_each(struct test_db *test)
{
	put(test->db, "a", 0);
	put(test->db, "a", 0);
	struct claim *claims = take_all(test, register_worker(test->db, "w"), 2);
	for (size_t i = 0; i < 2; i++)
		assert_true(settle_one(test->db, &claims[i], OUTCOME_FAILED));
	put_for_later(test->db, "Test", NULL);
	put_for_later(test->db, "Test", NULL);
	put(test->db, "b", 0);
	put(test->db, "b", 0);
}

static void assert_counts(struct test_db *test, struct action action, int64_t expected)
{
	const int64_t ids[] = { 1, 2, 3, 4, 5, 6, 77 };

	action.db = test->db;
	action.arena = test->arena;
	action.audit = begin_line(test);
	must(action_ids, &action, ids, 7);
	assert_int_equal(action.done, expected);
	assert_int_equal(counted(test, action.audit), expected);
}

DB_CASE(of_actions)
{
	put_two_of_each(test);
	assert_counts(test, (struct action){ .kind = ACTION_RETRY }, 2);
	assert_counts(test, (struct action){ .kind = ACTION_RETRY }, 0);
	assert_counts(test, (struct action){ .kind = ACTION_RUN_NOW }, 2);
	assert_counts(test, (struct action){ .kind = ACTION_ARRANGE, .queue = "c" }, 6);
	assert_counts(test, (struct action){ .kind = ACTION_CANCEL }, 6);
	assert_counts(test, (struct action){ .kind = ACTION_DISCARD }, 0);
}

DB_CASE(of_discarded_jobs)
{
	put_two_of_each(test);
	assert_counts(test, (struct action){ .kind = ACTION_DISCARD }, 6);
}

DB_CASE(of_cleared_jobs)
{
	bool more;

	for (int i = 0; i < 5; i++)
		put(test->db, "a", 0);
	finish_jobs(test, register_worker(test->db, "w"), 5);
	struct job_clear clear = { .db = test->db,
				   .before = db_now(test->db) + CLOCK_DAY,
				   .batch = 2,
				   .audit = begin_line(test) };
	do
		must(job_clear_next, &clear, &more);
	while (more);
	assert_int_equal(clear.deleted, 5);
	assert_int_equal(counted(test, clear.audit), 5);
}

DB_CASE(of_dead_processes)
{
	struct loss_policy policy = test_policy;
	const struct prune prune = prune_after(CLOCK_HOUR, CLOCK_HOUR, 0);

	put(test->db, "a", 0);
	take_all(test, register_worker(test->db, "dead-1"), 1);
	register_worker(test->db, "dead-2");
	set_heartbeats(test, "2026-01-01 00:00:00");
	policy.audit = begin_line(test);
	assert_int_equal(prune_dead(test, &prune, &policy).processes, 2);
	assert_int_equal(counted(test, policy.audit), 2);
}
