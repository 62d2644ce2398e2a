/* What is told about a pause, when it ends by itself, and what others do to the same queue. */
#include "db/operations.h"
#include "queue/pauses/pause.h"
#include "tests/support/queue.h"

static void pause_with(struct test_db *test, const char *name, const struct pause_note *note)
{
	bool changed;

	must(pause_queues, test->db, &name, 1, note, &changed);
}

static int64_t notes(struct test_db *test)
{
	return sql_number(test, "SELECT count(*) FROM dray_pauses");
}

DB_CASE(who_and_why_and_until_when)
{
	const struct pause_note note = { "deploy", "alice", "host-1",
					 db_now(test->db) + CLOCK_HOUR };

	pause_with(test, "mail", &note);
	const struct queue_row *row = queue_row_of(test, "mail");
	assert_true(row->paused);
	assert_string_equal(row->note.reason, "deploy");
	assert_string_equal(row->note.who, "alice");
	assert_string_equal(row->note.host, "host-1");
	assert_int_equal(row->note.ends_at, note.ends_at);
	assert_true(row->paused_at > 0 && row->paused_at < note.ends_at);
}

/* It stays paused since when it was; the reason and the end are the new ones. */
DB_CASE(pausing_again_changes_the_note)
{
	const struct pause_note first = { "deploy", "alice", "host-1",
					  db_now(test->db) + CLOCK_HOUR };
	const struct pause_note second = { .who = "bob" };

	pause_with(test, "mail", &first);
	int64_t since = queue_row_of(test, "mail")->paused_at;
	pause_with(test, "mail", &second);
	const struct queue_row *row = queue_row_of(test, "mail");
	assert_int_equal(row->paused_at, since);
	assert_string_equal(row->note.who, "bob");
	assert_null(row->note.reason);
	assert_int_equal(row->note.ends_at, 0);
	assert_int_equal(notes(test), 1);
}

DB_CASE(a_pause_ends_at_its_time)
{
	const struct pause_note later = { .ends_at = db_now(test->db) + CLOCK_HOUR };
	const struct pause_note over = { .ends_at = db_now(test->db) - 1 };
	const struct pause_note open = { 0 };
	int64_t next = 0;

	pause_with(test, "later", &later);
	pause_with(test, "over", &over);
	pause_with(test, "open", &open);
	put(test->db, "over", 0);
	(void)take_all(test, register_worker(test->db, "w"), 0);
	assert_int_equal(sweep_pauses(test, &next), 1);
	assert_true(next > CLOCK_HOUR - 10 * CLOCK_MINUTE && next <= CLOCK_HOUR);
	assert_false(queue_row_of(test, "over")->paused);
	assert_true(queue_row_of(test, "later")->paused);
	assert_true(queue_row_of(test, "open")->paused);
	assert_int_equal(notes(test), 2);
	(void)take_all(test, register_worker(test->db, "w2"), 1);
	assert_int_equal(sweep_pauses(test, &next), 0);
}

/* It was over when a sweep looked, and somebody has prolonged it since: the sweep ends nothing. */
DB_CASE(a_pause_that_was_prolonged_stays)
{
	const struct pause_note over = { .ends_at = db_now(test->db) - 1 };
	const struct pause_note later = { .who = "bob", .ends_at = over.ends_at + CLOCK_HOUR };
	struct db_rows rows;

	pause_with(test, "mail", &over);
	int64_t since = queue_row_of(test, "mail")->paused_at;
	int64_t looked_at = db_now(test->db);
	pause_with(test, "mail", &later);
	must_be(STATUS_NONE, db_query, test->db, test->arena,
		DB_CALL(pause_end, .kind = P_TEXT("queue"), .name = P_TEXT("mail"),
			.since = P_TIME(since), .now = P_TIME(looked_at)),
		&rows);
	assert_true(queue_row_of(test, "mail")->paused);
	assert_string_equal(queue_row_of(test, "mail")->note.who, "bob");
	assert_int_equal(rows_of(test, "pauses"), 1);
}

DB_CASE(nothing_is_to_end)
{
	int64_t next = 0;

	assert_int_equal(sweep_pauses(test, &next), 0);
	assert_true(next == INT64_MAX);
}

static void rails_resume(struct test_db *test)
{
	test_execute(test->db, "DELETE FROM solid_queue_pauses WHERE queue_name = 'mail'");
}

static void rails_pause(struct test_db *test)
{
	test_execute(test->db, "INSERT INTO solid_queue_pauses (queue_name, created_at) VALUES "
			       "('mail', '2026-01-01 00:00:00')");
}

/* Somebody else's pause is never told with our reason, nor ended at our time. */
DB_CASE(what_rails_has_resumed_and_paused_is_its_own)
{
	const struct pause_note over = { "deploy", "alice", NULL, db_now(test->db) - 1 };
	int64_t next;

	pause_with(test, "mail", &over);
	rails_resume(test);
	rails_pause(test);
	assert_null(queue_row_of(test, "mail")->note.who);
	assert_int_equal(sweep_pauses(test, &next), 0);
	assert_true(queue_row_of(test, "mail")->paused);
	assert_int_equal(notes(test), 0);
}

DB_CASE(what_rails_has_resumed_is_forgotten)
{
	const struct pause_note later = { .ends_at = db_now(test->db) + CLOCK_HOUR };
	int64_t next;

	pause_with(test, "mail", &later);
	rails_resume(test);
	assert_int_equal(sweep_pauses(test, &next), 0);
	assert_true(next == INT64_MAX);
	assert_int_equal(notes(test), 0);
	assert_null(queue_row_of(test, "mail"));
}

/* What Rails paused stays paused since then when we say why. */
DB_CASE(a_note_on_what_rails_has_paused)
{
	const struct pause_note note = { .reason = "deploy", .who = "alice" };
	const char *name = "mail";
	bool changed = true;

	rails_pause(test);
	must(pause_queues, test->db, &name, 1, &note, &changed);
	assert_false(changed);
	assert_string_equal(queue_row_of(test, "mail")->note.who, "alice");
	must(resume_queues, test->db, &name, 1, &note, &changed);
	assert_true(changed);
	assert_int_equal(notes(test), 0);
	assert_null(queue_row_of(test, "mail"));
}

DB_CASE(many_at_once)
{
	static const char *const names[] = { "a", "b", "c" };
	const struct pause_note note = { .who = "alice" };
	bool changed[3];

	pause_with(test, "b", &note);
	must(pause_queues, test->db, names, 3, &note, changed);
	assert_true(changed[0] && !changed[1] && changed[2]);
	assert_int_equal(rows_of(test, "pauses"), 3);
	must(resume_queues, test->db, names + 1, 1, &note, changed);
	must(resume_queues, test->db, names, 3, &note, changed);
	assert_true(changed[0] && !changed[1] && changed[2]);
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_int_equal(notes(test), 0);
	must(pause_queues, test->db, names, 0, &note, changed);
	must(resume_queues, test->db, names, 0, &note, changed);
}
