/*
 * The row that Rails' schedulers and Mission Control read has a schedule that their parser knows,
 * whatever the task's own says, which stays what it is for us; a task that has none such has no row
 * there (rule 18).
 */
#include "tests/support/jobs/recurring.h"

static const struct {
	const char *zone, *schedule, *rails;
} rows[] = {
	{ "UTC", "every day at 9am", "every day at 9am" },
	{ "Europe/Madrid", "every day at 9am", "0 9 * * * Europe/Madrid" },
	{ "UTC", "every 2 weeks", "0 0 * * 0%2" },
	{ "UTC", "every day at 00:40 and 15:20", NULL },
};

#define ROWS (sizeof(rows) / sizeof(rows[0]))

static int64_t number(struct test_db *test, const char *sql)
{
	return sql_number(test, "%s", sql);
}

static const char *rails_reads(struct test_db *test)
{
	char *text = arena_strdup(
		test->arena, sql_text(test, "SELECT schedule FROM solid_queue_recurring_tasks"));

	text[strcspn(text, "\n")] = '\0';
	return text;
}

static void assert_rails_reads(struct test_db *test, const char *wanted)
{
	const char *text = rails_reads(test);

	assert_string_equal(text, wanted ? wanted : "");
	assert_count(test, wanted ? 1 : 0, "solid_queue_recurring_tasks");
	assert_int_equal(number(test, "SELECT count(*) FROM dray_recurring_own"), wanted ? 0 : 1);
}

static const char *we_read(struct test_db *test, bool dynamic)
{
	struct recurring_changes changes;
	struct recurring_row *list;
	struct recurring_row row;
	size_t count;

	must(recurring_find, test->db, test->arena, "a", &row);
	must(recurring_rows, test->db, test->arena, &list, &count);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].task.schedule, row.task.schedule);
	must(recurring_changes, test->db, test->arena, true, &changes);
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

static enum status edit(struct arena *arena, struct recurring_task *edited, void *input,
			struct error *error)
{
	const struct wanted *wanted = input;

	(void)arena;
	(void)error;
	edited->schedule = wanted->schedule;
	edited->options.time_zone = wanted->zone;
	return STATUS_OK;
}

DB_CASE(what_is_added_or_changed_can_be_read_by_rails)
{
	for (size_t i = 0; i < ROWS; i++) {
		struct recurring_task added = task(i);
		size_t next = (i + 1) % ROWS;
		struct wanted wanted = { rows[next].schedule, rows[next].zone };

		added.options.time_zone = rows[i].zone;
		must(recurring_add, test->db, &added, &test_note);
		assert_rails_reads(test, rows[i].rails);
		assert_string_equal(we_read(test, true), rows[i].schedule);
		must(recurring_change, test->db, "a", edit, &wanted, &test_note);
		assert_rails_reads(test, rows[next].rails);
		assert_string_equal(we_read(test, true), rows[next].schedule);
		must(recurring_remove, test->db, "a", &test_note);
	}
}

/* As a scheduler publishes the tasks of a file; again, nothing is new. */
DB_CASE(what_is_published_can_be_read_by_rails)
{
	for (size_t i = 0; i < 2 * ROWS; i++) {
		struct recurring_task published = task(i / 2);
		published.rails = rows[i / 2].rails;
		published.own = !published.rails;
		published.options.file = "recurring.yml";
		must(recurring_publish, test->db, &published, 1, NULL);
		assert_rails_reads(test, rows[i / 2].rails);
		assert_string_equal(we_read(test, false), rows[i / 2].schedule);
	}
}

#define RAILS_TASK(key)                                                                            \
	"INSERT INTO solid_queue_recurring_tasks (" key ", schedule, class_name, static, "         \
	"created_at, updated_at) VALUES ('theirs', 'every 3 weeks', 'Test', false, "               \
	"'2026-01-01 00:00:00', '2026-01-01 00:00:00');"
#define OLD_ROW(key)                                                                               \
	"INSERT INTO solid_queue_recurring_tasks (" key ", schedule, class_name, static, "         \
	"created_at, updated_at) SELECT task_key, '0 0 29 2 4&', class_name, static, created_at, " \
	"updated_at FROM dray_recurring_own;"
#define OWN "every day at 00:40 and 15:20"

static void add_own(struct test_db *test)
{
	const struct recurring_task added = { .key = "a",
					      .schedule = OWN,
					      .class_name = "Test",
					      .queue = "low",
					      .arguments = "[1]",
					      .description = "two times",
					      .has_priority = true,
					      .priority = 3,
					      .options = { .time_zone = "Europe/Madrid" } };

	must(recurring_add, test->db, &added, &test_note);
}

/* What a person does to a task that Rails does not know. */
DB_CASE(a_task_of_our_own_is_one_like_any_other)
{
	const struct recurring_task again = { .key = "a", .schedule = "@daily", .class_name = "B" };
	struct recurring_row row;
	struct recurring_ran ran;
	const char *const *missing;
	size_t count;
	bool changed;

	add_own(test);
	must_be(STATUS_CONFLICT, recurring_add, test->db, &again, &test_note);
	assert_rails_reads(test, NULL);
	must(recurring_missing, test->db, test->arena, &missing, &count);
	assert_int_equal(count, 0);
	must(recurring_pause, test->db, "a", &test_note, &changed);
	assert_true(changed);
	must(recurring_find, test->db, test->arena, "a", &row);
	assert_true(row.ours && !row.is_static && row.paused_at > 0);
	assert_string_equal(row.task.class_name, "Test");
	assert_string_equal(row.task.queue, "low");
	assert_string_equal(row.task.arguments, "[1]");
	assert_string_equal(row.task.description, "two times");
	assert_int_equal(row.task.priority, 3);
	must(recurring_resume, test->db, "a", &test_note, &changed);
	must(recurring_run_now, test->db, "a", NULL, &test_note, &ran);
	assert_int_equal(rows_of(test, "jobs WHERE class_name = 'Test' AND priority = 3"), 1);
	must(recurring_remove, test->db, "a", &test_note);
	must_be(STATUS_NONE, recurring_find, test->db, test->arena, "a", &row);
	must_be(STATUS_NONE, recurring_remove, test->db, "a", &test_note);
}

/* What is no constant of Ruby is nothing for Rails to fire. */
DB_CASE(a_class_that_ruby_cannot_have_is_in_our_table)
{
	static const char *const classes[] = { "dray:command", "report", "A:B", "A::b", "A::", "" };

	for (size_t i = 0; classes[i][0] != '\0'; i++) {
		const struct recurring_task added = { .key = "a",
						      .schedule = "@daily",
						      .class_name = classes[i] };
		must(recurring_add, test->db, &added, &test_note);
		assert_rails_reads(test, NULL);
		must(recurring_remove, test->db, "a", &test_note);
	}
	const struct recurring_task added = { .key = "a",
					      .schedule = "@daily",
					      .class_name = "A::B_1::C" };
	must(recurring_add, test->db, &added, &test_note);
	assert_rails_reads(test, "@daily");
}

/* Tasks of a file come and go as others do; what was added at run time stays. */
DB_CASE(tasks_of_our_own_of_a_file_are_forgotten)
{
	const struct recurring_task published = {
		.key = "file", .schedule = OWN, .own = true, .command = "true"
	};
	struct recurring_row *list;
	size_t count;

	add_own(test);
	must(recurring_publish, test->db, &published, 1, NULL);
	must(recurring_rows, test->db, test->arena, &list, &count);
	assert_int_equal(count, 2);
	assert_true(!list[0].is_static && list[1].is_static);
	assert_string_equal(list[1].task.command, "true");
	must_be(STATUS_INVALID, recurring_remove, test->db, "file", &test_note);
	must(recurring_publish, test->db, NULL, 0, NULL);
	must(recurring_rows, test->db, test->arena, &list, &count);
	assert_int_equal(count, 1);
	assert_string_equal(list[0].task.key, "a");
}

/* An occurrence of a task is one job, as long as there is the task. */
DB_CASE(a_task_of_our_own_is_fired)
{
	int64_t first = db_now(test->db) / CLOCK_SECOND * CLOCK_SECOND;
	struct enqueued done;

	add_own(test);
	for (int i = 0; i < 3; i++) {
		const struct new_job job = { .class_name = "Test",
					     .task_key = "a",
					     .run_at = first + i * CLOCK_SECOND,
					     .task_dynamic = true };
		if (i == 2)
			must(recurring_remove, test->db, "a", &test_note);
		must(enqueue, test->db, &job, 1, &done);
		assert_true(done.repeated == (i == 2));
	}
	assert_int_equal(number(test, "SELECT count(*) FROM solid_queue_jobs"), 2);
}

/* Somebody has made it what Rails cannot read, or what never comes; Rails' own is let alone. */
DB_CASE(what_rails_cannot_read_is_mended)
{
	const struct recurring_task readable = { .key = "b",
						 .schedule = "every 2 weeks",
						 .class_name = "Test",
						 .options = { .time_zone = "UTC" } };
	struct recurring_row before;
	struct recurring_row after;
	size_t mended;

	test_execute(test->db, test->backend[0] == 'm' ? RAILS_TASK("`key`") : RAILS_TASK("key"));
	add_own(test);
	test_execute(test->db, test->backend[0] == 'm' ? OLD_ROW("`key`") : OLD_ROW("key"));
	test_execute(test->db, "DELETE FROM dray_recurring_own");
	must(recurring_add, test->db, &readable, &test_note);
	test_execute(test->db, "UPDATE solid_queue_recurring_tasks SET schedule = 'every 2 weeks' "
			       "WHERE schedule = '0 0 * * 0%2'");
	must(recurring_find, test->db, test->arena, "a", &before);
	must(recurring_mend, test->db, &mended);
	assert_int_equal(mended, 2);
	must(recurring_find, test->db, test->arena, "a", &after);
	assert_true(before.since == after.since);
	assert_string_equal(after.task.schedule, OWN);
	assert_int_equal(number(test, "SELECT count(*) FROM dray_recurring_own"), 1);
	assert_string_equal(
		sql_text(test,
			 "SELECT schedule FROM solid_queue_recurring_tasks ORDER BY schedule"),
		"0 0 * * 0%2\nevery 3 weeks\n");
	must(recurring_mend, test->db, &mended);
	assert_int_equal(mended, 0);
}

/* Rails has removed the task and added another one with its key: what we knew of it is history. */
DB_CASE(a_task_that_rails_made_anew_is_theirs)
{
	const struct recurring_task added = task(2);

	must(recurring_add, test->db, &added, &test_note);
	test_execute(test->db, "UPDATE solid_queue_recurring_tasks SET schedule = '@daily', "
			       "created_at = '2100-01-01 00:00:00'");
	assert_string_equal(we_read(test, true), "@daily");
}
