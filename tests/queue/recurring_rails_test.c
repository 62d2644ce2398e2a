/*
 * The row that Rails' schedulers and Mission Control read has a schedule that their parser knows,
 * whatever the task's own says, which stays what it is for us (rule 18).
 */
#include "queue/recurring_task.h"
#include "tests/support/queue.h"

static const struct pause_note note = { .who = "me", .host = "here" };

static const struct {
	const char *zone, *schedule, *rails;
} rows[] = {
	{ "UTC", "every day at 9am", "every day at 9am" },
	{ "Europe/Madrid", "every day at 9am", "0 9 * * * Europe/Madrid" },
	{ "UTC", "every 2 weeks", "0 0 * * 0%2" },
	{ "UTC", "every day at 00:40 and 15:20", SCHEDULE_RAILS_NEVER },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static const char *rails_reads(struct test_db *test)
{
	char *text = arena_strdup(test->arena, test_query_text(test->arena, test->url,
							       "SELECT schedule FROM "
							       "solid_queue_recurring_tasks"));

	text[strcspn(text, "\n")] = '\0';
	return text;
}

static const char *we_read(struct test_db *test, bool dynamic)
{
	struct recurring_changes changes;
	struct recurring_row *list;
	struct recurring_row row;
	struct error error = { 0 };
	size_t count;

	assert_ok(recurring_find(test->db, test->arena, "a", &row, &error), &error);
	assert_ok(recurring_rows(test->db, test->arena, &list, &count, &error), &error);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].task.schedule, row.task.schedule);
	assert_ok(recurring_changes(test->db, test->arena, true, &changes, &error), &error);
	assert_int_equal(changes.dynamic_count, dynamic ? 1 : 0);
	if (dynamic)
		assert_string_equal(changes.dynamic[0].task.schedule, row.task.schedule);
	return row.task.schedule;
}

static struct recurring_task task(size_t i)
{
	return (struct recurring_task){ .key = "a",
					.schedule = rows[i].schedule,
					.class_name = "Test" };
}

struct wanted {
	const char *schedule, *zone;
};

static enum status edit(struct arena *arena, struct recurring_task *edited,
			struct recurring_options *options, void *input, struct error *error)
{
	const struct wanted *wanted = input;

	(void)arena;
	(void)error;
	edited->schedule = wanted->schedule;
	options->time_zone = wanted->zone;
	return STATUS_OK;
}

static void what_is_added_or_changed_can_be_read_by_rails(void **state)
{
	struct test_db *test = *state;
	struct error error = { 0 };

	for (size_t i = 0; i < ROWS; i++) {
		const struct recurring_task added = task(i);
		const struct recurring_options options = { .time_zone = rows[i].zone };
		size_t next = (i + 1) % ROWS;
		struct wanted wanted = { rows[next].schedule, rows[next].zone };

		assert_ok(recurring_add(test->db, &added, &options, &note, &error), &error);
		assert_string_equal(rails_reads(test), rows[i].rails);
		assert_string_equal(we_read(test, true), rows[i].schedule);
		assert_ok(recurring_change(test->db, "a", edit, &wanted, &note, &error), &error);
		assert_string_equal(rails_reads(test), rows[next].rails);
		assert_string_equal(we_read(test, true), rows[next].schedule);
		assert_ok(recurring_remove(test->db, "a", &note, &error), &error);
	}
}

/* As a scheduler publishes the tasks of a file; again, nothing is new. */
static void what_is_published_can_be_read_by_rails(void **state)
{
	struct test_db *test = *state;
	struct error error = { 0 };

	for (size_t i = 0; i < 2 * ROWS; i++) {
		struct recurring_task published = task(i / 2);
		published.rails = rows[i / 2].rails;
		published.settings = "{\"file\":\"recurring.yml\"}";
		assert_ok(recurring_publish(test->db, &published, 1, NULL, &error), &error);
		assert_string_equal(rails_reads(test), rows[i / 2].rails);
		assert_string_equal(we_read(test, false), rows[i / 2].schedule);
	}
}

/* Rails has removed the task and added another one with its key: what we knew of it is history. */
static void a_task_that_rails_made_anew_is_theirs(void **state)
{
	struct test_db *test = *state;
	const struct recurring_task added = task(2);
	const struct recurring_options options = { 0 };
	struct error error = { 0 };

	assert_ok(recurring_add(test->db, &added, &options, &note, &error), &error);
	test_execute(test->db, "UPDATE solid_queue_recurring_tasks SET schedule = '@daily', "
			       "created_at = '2100-01-01 00:00:00'");
	assert_string_equal(we_read(test, true), "@daily");
}

int main(void)
{
	static const struct test_case cases[] = {
		TEST(what_is_added_or_changed_can_be_read_by_rails),
		TEST(what_is_published_can_be_read_by_rails),
		TEST(a_task_that_rails_made_anew_is_theirs),
	};

	return test_run_backends("recurring rails", cases, sizeof(cases) / sizeof(cases[0]));
}
