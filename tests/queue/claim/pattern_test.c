/* Pauses of all queues whose names begin alike, also of those that appear later. */
#include "queue/pauses/pause.h"
#include "tests/support/jobs/poller.h"

static const struct poller_queues chosen = { "report_new", "rep*" };

static const struct pause_note deploy = { .reason = "deploy", .who = "alice" };

static bool pause_all(struct test_db *test, const char *pattern, const struct pause_note *note)
{
	bool changed;

	must(pattern_pause, test->db, pattern, note, &changed);
	return changed;
}

static bool resume_all(struct test_db *test, const char *pattern)
{
	bool changed;

	must(pattern_resume, test->db, pattern, &deploy, &changed);
	return changed;
}

static size_t sweep(struct test_db *test)
{
	int64_t next;

	return sweep_pauses(test, &next);
}

static bool rails_sees(struct test_db *test, const char *queue)
{
	return sql_number(test, "SELECT count(*) FROM solid_queue_pauses WHERE queue_name = '%s'",
			  queue) == 1;
}

/* However a worker chooses, and whether or not it knows that something is paused. */
DB_CASE(pa_a_pattern_holds_for_later_queues)
{
	struct poller worker;

	for (size_t i = 0; i < CHOICES; i++) {
		open_poller(&worker, test, i, &chosen);
		assert_int_equal(poll_once(&worker), 0);
		assert_true(pause_all(test, "report_*", &deploy));
		assert_false(pause_all(test, "report_*", &deploy));
		put(test->db, "report_new", 0);
		for (int round = 0; round < 3; round++)
			assert_int_equal(poll_once(&worker), 0);
		worker.claim.idle = false;
		assert_int_equal(poll_once(&worker), 0);
		assert_true(queue_row_of(test, "report_new")->paused);
		assert_string_equal(queue_row_of(test, "report_new")->note.reason, "deploy");
		assert_true(resume_all(test, "report_*"));
		assert_false(resume_all(test, "report_*"));
		worker.claim.idle = false;
		assert_int_equal(poll_once(&worker), 1);
		test_execute(test->db, "DELETE FROM solid_queue_jobs");
	}
	test_invariant(test->db);
}

/* Also past jobs of a paused class, and between those of other queues. */
DB_CASE(pa_a_pattern_and_a_paused_class)
{
	const struct pause_note note = { .who = "alice" };
	struct poller worker;
	bool changed;

	open_poller(&worker, test, 0, &chosen);
	assert_true(pause_all(test, "report_*", &deploy));
	put(test->db, "report_new", 0);
	put(test->db, "reports", 0);
	put(test->db, "mail", 0);
	assert_int_equal(poll_once(&worker), 2);
	must(pause_other, test->db, PAUSE_CLASS, "Other", &note, &changed);
	put(test->db, "mail", 0);
	assert_int_equal(poll_once(&worker), 1);
	assert_int_equal(rows_of(test, "ready_executions"), 1);
	assert_true(resume_all(test, "*"));
	assert_int_equal(poll_once(&worker), 1);
	test_invariant(test->db);
}

/* The queues that there are get Solid Queue's row, once each. */
DB_CASE(rails_sees_what_a_pattern_pauses)
{
	pause_all(test, "report_*", &deploy);
	put(test->db, "report_new", 0);
	put(test->db, "mail", 0);
	assert_false(rails_sees(test, "report_new"));
	assert_int_equal(sweep(test), 0);
	assert_true(rails_sees(test, "report_new"));
	assert_false(rails_sees(test, "mail"));
	assert_string_equal(queue_row_of(test, "report_new")->note.who, "alice");
	assert_int_equal(sweep(test), 0);
	assert_int_equal(rows_of(test, "pauses"), 1);
}

/* By dray or Rails, before and after Rails could see it, and however often the rest is swept. */
DB_CASE(a_queue_of_a_pattern_is_resumed_by_name)
{
	struct poller worker;

	open_poller(&worker, test, 0, &chosen);
	pause_all(test, "report_*", &deploy);
	put(test->db, "report_new", 0);
	put(test->db, "report_rails", 0);
	put(test->db, "report_rest", 0);
	assert_true(resume_queue(test, "report_new"));
	assert_false(resume_queue(test, "report_new"));
	assert_int_equal(sweep(test), 0);
	sql_do(test, "DELETE FROM solid_queue_pauses WHERE queue_name = 'report_rails'");
	assert_int_equal(sweep(test), 0);
	assert_false(rails_sees(test, "report_new") || rails_sees(test, "report_rails"));
	assert_int_equal(poll_once(&worker), 2);
	put(test->db, "report_new", 0);
	assert_int_equal(poll_once(&worker), 1);
	assert_false(pause_all(test, "report_*", &deploy));
	put(test->db, "report_new", 0);
	assert_int_equal(poll_once(&worker), 0);
	assert_true(resume_all(test, "report_*"));
	assert_int_equal(poll_once(&worker), 1);
	assert_true(resume_queue(test, "report_rest"));
	assert_int_equal(poll_once(&worker), 1);
	assert_int_equal(sweep(test), 0);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 0);
}

/* A queue that Rails has paused too is not ended with the pattern. */
DB_CASE(a_pattern_ends_at_its_time)
{
	const struct pause_note over = { .who = "alice", .ends_at = db_now(test->db) - 1 };
	const struct pause_note later = { .who = "alice",
					  .ends_at = db_now(test->db) + CLOCK_HOUR };
	struct poller worker;

	open_poller(&worker, test, 0, &chosen);
	pause_all(test, "report_*", &later);
	put(test->db, "report_new", 0);
	put(test->db, "report_rails", 0);
	test_execute(test->db, "INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES "
			       "('report_rails', '2026-01-01 00:00:00')");
	assert_int_equal(sweep(test), 0);
	assert_int_equal(queue_row_of(test, "report_new")->note.ends_at, later.ends_at);
	assert_null(queue_row_of(test, "report_rails")->note.who);
	test_execute(test->db, "UPDATE dray_pauses SET ends_at = created_at");
	assert_int_equal(sweep(test), 2);
	assert_int_equal(poll_once(&worker), 1);
	assert_true(rails_sees(test, "report_rails"));
	pause_all(test, "*", &over);
	assert_int_equal(sweep(test), 1);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 0);
}

/* Letter by letter, and a wider pattern ends those within it. */
DB_CASE(what_a_pattern_matches)
{
	static const struct pause_row rows[] = {
		{ .kind = "class", .name = "a*" },    { .kind = "pattern", .name = "a*" },
		{ .kind = "pattern", .name = "ab*" }, { .kind = "queue", .name = "abc" },
		{ .kind = "pattern", .name = "ä_*" },
	};

	assert_ptr_equal(pattern_pausing(rows, 5, "a"), &rows[1]);
	assert_ptr_equal(pattern_pausing(rows, 5, "abd"), &rows[2]);
	assert_null(pattern_pausing(rows, 5, "abc"));
	assert_true(pattern_matches_any(rows, 5, "abc"));
	assert_null(pattern_pausing(rows, 5, "b"));
	pause_all(test, "ab*", &deploy);
	pause_all(test, "ä_*", &deploy);
	put(test->db, "ä_1", 0);
	put(test->db, "äx1", 0);
	(void)take_all(test, register_worker(test->db, "w"), 1);
	assert_true(resume_all(test, "a*"));
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 1);
	assert_true(resume_all(test, "*"));
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_pauses"), 0);
}
