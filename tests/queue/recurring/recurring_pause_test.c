/* Occurrences of recurring tasks that get no job: those of pauses, and runs of missed ones. */
#include "queue/manage/audit.h"
#include "queue/recurring/task.h"
#include "tests/support/limited.h"

#define OCCURRENCE (INT64_C(1795251600) * CLOCK_SECOND) /* 2026-11-21 09:00 */

static const struct pause_note note = { .who = "me", .host = "here", .reason = "why not" };

static void add(struct test_db *test, const char *key, const char *schedule)
{
	const struct recurring_task added = { .key = key,
					      .schedule = schedule,
					      .class_name = "Test" };
	const struct recurring_options options = { 0 };
	struct error error = { 0 };

	assert_ok(recurring_add(test->db, &added, &options, &note, &error), &error);
}

static struct recurring_row find(struct test_db *test, const char *key)
{
	struct recurring_row row;
	struct error error = { 0 };

	assert_ok(recurring_find(test->db, test->arena, key, &row, &error), &error);
	return row;
}

static struct enqueued fire(struct test_db *test, const char *key, int64_t at, int64_t since)
{
	const struct new_job job = { .class_name = "Test",
				     .queue = "a",
				     .task_key = key,
				     .run_at = at,
				     .task_since = since,
				     .task_dynamic = true };
	struct error error = { 0 };
	struct enqueued result;

	assert_ok(enqueue(test->db, &job, 1, &result, &error), &error);
	return result;
}

/* Paused, resumed and paused again before a late scheduler looks. */
TEST(a_pause_is_not_forgotten_by_the_next)
{
	struct test_db *test = *state;
	struct error error = { 0 };
	bool changed;

	add(test, "a", "every day");
	int64_t since = find(test, "a").since;
	assert_ok(recurring_pause(test->db, "a", &note, &changed, &error), &error);
	int64_t first = find(test, "a").paused_at + 1;
	assert_ok(recurring_resume(test->db, "a", &note, &changed, &error), &error);
	int64_t between = db_now(test->db);
	assert_ok(recurring_pause(test->db, "a", &note, &changed, &error), &error);
	assert_true(changed);
	assert_true(find(test, "a").paused_at > between);
	const struct recurring_skipped missed = { "a", first, first, 1, "missed" };
	assert_ok(recurring_skip(test->db, &missed, 1, &error), &error);
	assert_true(fire(test, "a", first, since).repeated);
	assert_true(fire(test, "a", find(test, "a").paused_at + 1, since).repeated);
	assert_int_equal(runs_of(test), 0);
	assert_true(fire(test, "a", between, since).id > 0);
	/* A clock that was ahead when it was resumed does not make it stand still. */
	assert_ok(recurring_resume(test->db, "a", &note, &changed, &error), &error);
	assert_true(fire(test, "a", first, since).repeated);
	test_execute(test->db,
		     "UPDATE dray_recurring_tasks SET resumed_at = '2100-01-01 00:00:00'");
	assert_true(fire(test, "a", db_now(test->db), since).id > 0);
}

/* Ten thousand missed occurrences are one row, which says so. */
TEST(a_run_of_missed_occurrences_is_one_row)
{
	struct test_db *test = *state;
	const struct recurring_page page = { .key = "a", .limit = 10 };
	struct recurring_run *list = NULL;
	struct error error = { 0 };
	size_t count = 0;

	int64_t last = OCCURRENCE + 9999 * CLOCK_MINUTE;
	const struct recurring_skipped missed = { "a", last, OCCURRENCE, 10000, "missed" };

	add(test, "a", "every minute");
	assert_ok(recurring_skip(test->db, &missed, 1, &error), &error);
	(void)fire(test, "a", last + CLOCK_MINUTE, find(test, "a").since);
	assert_ok(recurring_history(test->db, test->arena, &page, &list, &count, &error), &error);
	assert_int_equal(count, 2);
	assert_int_equal(list[0].occurrences, 1);
	assert_int_equal(list[0].first_at, last + CLOCK_MINUTE);
	assert_int_equal(list[1].run_at, last);
	assert_int_equal(list[1].occurrences, 10000);
	assert_int_equal(list[1].first_at, OCCURRENCE);
}
