/* What is told about a pause, when it ends by itself, and what others do to the same queue. */
#include "queue/pauses/pause.h"
#include "tests/support/queue.h"

static void pause_queue(struct test_db *test, const char *name, const struct pause_note *note)
{
	struct error error = { 0 };
	bool changed;

	assert_ok(pause_queues(test->db, &name, 1, note, &changed, &error), &error);
}

/* Returns how many were ended. */
static size_t sweep(struct test_db *test, int64_t *next)
{
	struct error error = { 0 };
	struct pause_row *ended;
	size_t count;

	assert_ok(pause_sweep(test->db, test->arena, &ended, &count, next, &error), &error);
	return count;
}

static int64_t notes(struct test_db *test)
{
	return test_query_int(test->url, "SELECT count(*) FROM dray_pauses");
}

TEST(who_and_why_and_until_when)
{
	struct test_db *test = *state;
	const struct pause_note note = { "deploy", "alice", "host-1",
					 db_now(test->db) + CLOCK_HOUR };

	pause_queue(test, "mail", &note);
	const struct queue_row *row = queue_row_of(test, "mail");
	assert_true(row->paused);
	assert_string_equal(row->note.reason, "deploy");
	assert_string_equal(row->note.who, "alice");
	assert_string_equal(row->note.host, "host-1");
	assert_int_equal(row->note.ends_at, note.ends_at);
	assert_true(row->paused_at > 0 && row->paused_at < note.ends_at);
}

/* It stays paused since when it was; the reason and the end are the new ones. */
TEST(pausing_again_changes_the_note)
{
	struct test_db *test = *state;
	const struct pause_note first = { "deploy", "alice", "host-1",
					  db_now(test->db) + CLOCK_HOUR };
	const struct pause_note second = { .who = "bob" };

	pause_queue(test, "mail", &first);
	int64_t since = queue_row_of(test, "mail")->paused_at;
	pause_queue(test, "mail", &second);
	const struct queue_row *row = queue_row_of(test, "mail");
	assert_int_equal(row->paused_at, since);
	assert_string_equal(row->note.who, "bob");
	assert_null(row->note.reason);
	assert_int_equal(row->note.ends_at, 0);
	assert_int_equal(notes(test), 1);
}

TEST(a_pause_ends_at_its_time)
{
	struct test_db *test = *state;
	const struct pause_note later = { .ends_at = db_now(test->db) + CLOCK_HOUR };
	const struct pause_note over = { .ends_at = db_now(test->db) - 1 };
	const struct pause_note open = { 0 };
	int64_t next = 0;

	pause_queue(test, "later", &later);
	pause_queue(test, "over", &over);
	pause_queue(test, "open", &open);
	put(test->db, "over", 0);
	(void)take_all(test, register_worker(test->db, "w"), 0);
	assert_int_equal(sweep(test, &next), 1);
	assert_true(next > CLOCK_HOUR - 10 * CLOCK_MINUTE && next <= CLOCK_HOUR);
	assert_false(queue_row_of(test, "over")->paused);
	assert_true(queue_row_of(test, "later")->paused);
	assert_true(queue_row_of(test, "open")->paused);
	assert_int_equal(notes(test), 2);
	(void)take_all(test, register_worker(test->db, "w2"), 1);
	assert_int_equal(sweep(test, &next), 0);
}

/* It was over when a sweep looked, and somebody has prolonged it since: the sweep ends nothing. */
TEST(a_pause_that_was_prolonged_stays)
{
	struct test_db *test = *state;
	const struct pause_note over = { .ends_at = db_now(test->db) - 1 };
	const struct pause_note later = { .who = "bob", .ends_at = over.ends_at + CLOCK_HOUR };
	struct error error = { 0 };
	struct db_rows rows;

	pause_queue(test, "mail", &over);
	int64_t since = queue_row_of(test, "mail")->paused_at;
	int64_t looked_at = db_now(test->db);
	pause_queue(test, "mail", &later);
	const struct db_value values[] = { DB_P_TEXT("kind", "queue"), DB_P_TEXT("name", "mail"),
					   DB_P_TIME("since", since), DB_P_TIME("now", looked_at) };
	assert_status(db_query(test->db, test->arena, "pause_end", values, 4, &rows, &error),
		      STATUS_NONE, &error);
	assert_true(queue_row_of(test, "mail")->paused);
	assert_string_equal(queue_row_of(test, "mail")->note.who, "bob");
	assert_int_equal(rows_of(test, "pauses"), 1);
}

TEST(nothing_is_to_end)
{
	struct test_db *test = *state;
	int64_t next = 0;

	assert_int_equal(sweep(test, &next), 0);
	assert_true(next == INT64_MAX);
}

static void rails_resume(struct test_db *test)
{
	test_execute(test->db, "DELETE FROM solid_queue_pauses WHERE queue_name = 'mail'");
}

static void rails_pause(struct test_db *test)
{
	test_execute(test->db, "INSERT INTO solid_queue_pauses (queue_name, created_at)"
			       " VALUES ('mail', '2026-01-01 00:00:00')");
}

/* Somebody else's pause is never told with our reason, nor ended at our time. */
TEST(what_rails_has_resumed_and_paused_is_its_own)
{
	struct test_db *test = *state;
	const struct pause_note over = { "deploy", "alice", NULL, db_now(test->db) - 1 };
	int64_t next;

	pause_queue(test, "mail", &over);
	rails_resume(test);
	rails_pause(test);
	assert_null(queue_row_of(test, "mail")->note.who);
	assert_int_equal(sweep(test, &next), 0);
	assert_true(queue_row_of(test, "mail")->paused);
	assert_int_equal(notes(test), 0);
}

TEST(what_rails_has_resumed_is_forgotten)
{
	struct test_db *test = *state;
	const struct pause_note later = { .ends_at = db_now(test->db) + CLOCK_HOUR };
	int64_t next;

	pause_queue(test, "mail", &later);
	rails_resume(test);
	assert_int_equal(sweep(test, &next), 0);
	assert_true(next == INT64_MAX);
	assert_int_equal(notes(test), 0);
	assert_null(queue_row_of(test, "mail"));
}

/* What Rails paused stays paused since then when we say why. */
TEST(a_note_on_what_rails_has_paused)
{
	struct test_db *test = *state;
	const struct pause_note note = { .reason = "deploy", .who = "alice" };
	const char *name = "mail";
	struct error error = { 0 };
	bool changed = true;

	rails_pause(test);
	assert_ok(pause_queues(test->db, &name, 1, &note, &changed, &error), &error);
	assert_false(changed);
	assert_string_equal(queue_row_of(test, "mail")->note.who, "alice");
	assert_ok(resume_queues(test->db, &name, 1, &note, &changed, &error), &error);
	assert_true(changed);
	assert_int_equal(notes(test), 0);
	assert_null(queue_row_of(test, "mail"));
}

TEST(many_at_once)
{
	static const char *const names[] = { "a", "b", "c" };
	struct test_db *test = *state;
	const struct pause_note note = { .who = "alice" };
	struct error error = { 0 };
	bool changed[3];

	pause_queue(test, "b", &note);
	assert_ok(pause_queues(test->db, names, 3, &note, changed, &error), &error);
	assert_true(changed[0] && !changed[1] && changed[2]);
	assert_int_equal(rows_of(test, "pauses"), 3);
	assert_ok(resume_queues(test->db, names + 1, 1, &note, changed, &error), &error);
	assert_ok(resume_queues(test->db, names, 3, &note, changed, &error), &error);
	assert_true(changed[0] && !changed[1] && changed[2]);
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_int_equal(notes(test), 0);
	assert_ok(pause_queues(test->db, names, 0, &note, changed, &error), &error);
	assert_ok(resume_queues(test->db, names, 0, &note, changed, &error), &error);
}
