/* Occurrences of recurring tasks that get no job: those of pauses, and runs of missed ones. */
#include "queue/manage/audit.h"
#include "tests/support/jobs/recurring.h"
#include "tests/support/limited.h"

/* Paused, resumed and paused again before a late scheduler looks. */
DB_CASE(a_pause_is_not_forgotten_by_the_next)
{
	bool changed;

	add_task(test, "a", "every day");
	int64_t since = find_task(test, "a").since;
	must(recurring_pause, test->db, "a", &test_note, &changed);
	int64_t first = find_task(test, "a").paused_at + 1;
	must(recurring_resume, test->db, "a", &test_note, &changed);
	int64_t between = db_now(test->db);
	must(recurring_pause, test->db, "a", &test_note, &changed);
	assert_true(changed);
	assert_true(find_task(test, "a").paused_at > between);
	const struct recurring_skipped missed = { "a", first, first, 1, "missed" };
	must(recurring_skip, test->db, &missed, 1);
	assert_true(fire_task(test, "a", first, since).repeated);
	assert_true(fire_task(test, "a", find_task(test, "a").paused_at + 1, since).repeated);
	assert_int_equal(runs_of(test), 0);
	assert_true(fire_task(test, "a", between, since).id > 0);
	/* A clock that was ahead when it was resumed does not make it stand still. */
	must(recurring_resume, test->db, "a", &test_note, &changed);
	assert_true(fire_task(test, "a", first, since).repeated);
	sql_do(test, "UPDATE dray_recurring_tasks SET resumed_at = '2100-01-01 00:00:00'");
	assert_true(fire_task(test, "a", db_now(test->db), since).id > 0);
}

/* Ten thousand missed occurrences are one row, which says so. */
DB_CASE(a_run_of_missed_occurrences_is_one_row)
{
	const struct recurring_page page = { .key = "a", .limit = 10 };
	struct recurring_run *list = NULL;
	size_t count = 0;

	int64_t last = OCCURRENCE + 9999 * CLOCK_MINUTE;
	const struct recurring_skipped missed = { "a", last, OCCURRENCE, 10000, "missed" };

	add_task(test, "a", "every minute");
	must(recurring_skip, test->db, &missed, 1);
	(void)fire_task(test, "a", last + CLOCK_MINUTE, find_task(test, "a").since);
	must(recurring_history, test->db, test->arena, &page, &list, &count);
	assert_int_equal(count, 2);
	assert_int_equal(list[0].occurrences, 1);
	assert_int_equal(list[0].first_at, last + CLOCK_MINUTE);
	assert_int_equal(list[1].run_at, last);
	assert_int_equal(list[1].occurrences, 10000);
	assert_int_equal(list[1].first_at, OCCURRENCE);
}
