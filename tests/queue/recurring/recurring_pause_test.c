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

	must(recurring_add, test->db, &added, &options, &note);
}

static struct recurring_row find(struct test_db *test, const char *key)
{
	struct recurring_row row;

	must(recurring_find, test->db, test->arena, key, &row);
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
	struct enqueued result;

	must(enqueue, test->db, &job, 1, &result);
	return result;
}

/* Paused, resumed and paused again before a late scheduler looks. */
DB_CASE(a_pause_is_not_forgotten_by_the_next)
{
	bool changed;

	add(test, "a", "every day");
	int64_t since = find(test, "a").since;
	must(recurring_pause, test->db, "a", &note, &changed);
	int64_t first = find(test, "a").paused_at + 1;
	must(recurring_resume, test->db, "a", &note, &changed);
	int64_t between = db_now(test->db);
	must(recurring_pause, test->db, "a", &note, &changed);
	assert_true(changed);
	assert_true(find(test, "a").paused_at > between);
	const struct recurring_skipped missed = { "a", first, first, 1, "missed" };
	must(recurring_skip, test->db, &missed, 1);
	assert_true(fire(test, "a", first, since).repeated);
	assert_true(fire(test, "a", find(test, "a").paused_at + 1, since).repeated);
	assert_int_equal(runs_of(test), 0);
	assert_true(fire(test, "a", between, since).id > 0);
	/* A clock that was ahead when it was resumed does not make it stand still. */
	must(recurring_resume, test->db, "a", &note, &changed);
	assert_true(fire(test, "a", first, since).repeated);
	test_execute(test->db,
		     "UPDATE dray_recurring_tasks SET resumed_at = '2100-01-01 00:00:00'");
	assert_true(fire(test, "a", db_now(test->db), since).id > 0);
}

/* Ten thousand missed occurrences are one row, which says so. */
DB_CASE(a_run_of_missed_occurrences_is_one_row)
{
	const struct recurring_page page = { .key = "a", .limit = 10 };
	struct recurring_run *list = NULL;
	size_t count = 0;

	int64_t last = OCCURRENCE + 9999 * CLOCK_MINUTE;
	const struct recurring_skipped missed = { "a", last, OCCURRENCE, 10000, "missed" };

	add(test, "a", "every minute");
	must(recurring_skip, test->db, &missed, 1);
	(void)fire(test, "a", last + CLOCK_MINUTE, find(test, "a").since);
	must(recurring_history, test->db, test->arena, &page, &list, &count);
	assert_int_equal(count, 2);
	assert_int_equal(list[0].occurrences, 1);
	assert_int_equal(list[0].first_at, last + CLOCK_MINUTE);
	assert_int_equal(list[1].run_at, last);
	assert_int_equal(list[1].occurrences, 10000);
	assert_int_equal(list[1].first_at, OCCURRENCE);
}
