/* What a recurring task may say: what is refused, and what is kept. */
#include "queue/recurring/task.h"
#include "tests/support/queue.h"

static const struct pause_note note = { .who = "me", .host = "here", .reason = "why not" };

static struct recurring_task task(const char *key, const char *schedule)
{
	return (struct recurring_task){ .key = key,
					.schedule = schedule,
					.class_name = "Test",
					.arguments = "[1]",
					.queue = "a" };
}

static void publish(struct test_db *test, const char *key)
{
	struct recurring_task published = task(key, "every hour");

	published.settings = recurring_options_write(
		test->arena, &(struct recurring_options){ .file = "config/recurring.yml" });
	must(recurring_publish, test->db, &published, 1, NULL);
}

static struct recurring_row find(struct test_db *test, const char *key)
{
	struct recurring_row row;

	must(recurring_find, test->db, test->arena, key, &row);
	return row;
}

/* A key is one task's, of dray or of Rails; a mistake changes nothing and leaves no line. */
DB_CASE(what_cannot_be_is_refused)
{
	static const struct {
		const char *key, *schedule, *class_name;
		struct recurring_options options;
		const char *says;
	} cases[] = {
		{ "x", "every weekdays", "A", { 0 }, "column 7" },
		{ "x", "every hour", "A", { .time_zone = "Europe/Madrit" }, "Europe/Madrid" },
		{ "x", "every hour", "A B", { 0 }, "the class" },
		{ "x", "every hour", NULL, { 0 }, "the class" },
		{ "x\n", "every hour", "A", { 0 }, "the key" },
		{ "", "every hour", "A", { 0 }, "the key" },
		{ "x", "every hour", "A", { .misfire = "never" }, "once, skip, all" },
		{ "x", "every hour", "A", { .misfire_window = 1 }, "10s to 6d" },
		{ "x", "every hour", "A", { .misfire_limit = -1 }, "10000" },
		{ "x", "every hour", "A", { .jitter = 2 * CLOCK_DAY }, "0s to 1d" },
		{ "x", "every hour", "A", { .start_at = "soon" }, "start_at is \"soon\"" },
		{ "x",
		  "every hour",
		  "A",
		  { .start_at = "2027-01-01", .end_at = "2026-01-01" },
		  "before" },
	};
	struct error error = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct recurring_task wrong = { .key = cases[i].key,
						      .schedule = cases[i].schedule,
						      .class_name = cases[i].class_name };
		assert_status(recurring_add(test->db, &wrong, &cases[i].options, &note, &error),
			      STATUS_INVALID, &error);
		assert_contains(error.text, cases[i].says);
	}
	assert_int_equal(rows_of(test, "recurring_tasks"), 0);
	publish(test, "a");
	const struct recurring_task again = task("a", "every day");
	assert_status(recurring_add(test->db, &again, &cases[0].options, &note, &error),
		      STATUS_CONFLICT, &error);
	assert_contains(error.text, "config/recurring.yml");
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_audit"), 0);
	assert_string_equal(find(test, "a").task.schedule, "every hour");
}

DB_CASE(arguments_are_stored_as_solid_queue_does)
{
	static const char *const cases[][2] = {
		{ "[1,\"x\"]", "[1,\"x\"]" },
		{ "[]", "[]" },
		{ "[\"\\u0000\",99999999999999999999]", "[\"\\u0000\",99999999999999999999]" },
		{ "[1,{\"a\":2}]", "[1,{\"a\":2,\"_aj_symbol_keys\":[\"a\"]}]" },
		{ "{\"a\":2,\"b\":[]}", "[{\"a\":2,\"b\":[],\"_aj_symbol_keys\":[\"a\",\"b\"]}]" },
		{ "[{\"_aj_globalid\":\"gid://x/Y/1\"}]", "[{\"_aj_globalid\":\"gid://x/Y/1\"}]" },
	};
	const char *stored;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		must(recurring_arguments_store, test->arena, cases[i][0], &stored);
		assert_string_equal(stored, cases[i][1]);
	}
	must_be(STATUS_INVALID, recurring_arguments_store, test->arena, "1", &stored);
}

/* Settings come back as they were. */
DB_CASE(options_survive)
{
	const struct recurring_options before = { .file = "a \"b\".yml",
						  .disabled = true,
						  .time_zone = "UTC",
						  .dst_gap = "skip",
						  .dst_overlap = "both",
						  .misfire = "all",
						  .misfire_limit = 7,
						  .misfire_window = CLOCK_HOUR,
						  .overlap = "queue",
						  .jitter = 1234567,
						  .start_at = "2026-01-01",
						  .end_at = "2027-01-01" };
	struct recurring_options after;
	const char *json = recurring_options_write(test->arena, &before);

	must(recurring_options_read, test->arena, json, &after);
	assert_string_equal(recurring_options_write(test->arena, &after), json);
	assert_string_equal(after.file, before.file);
	assert_int_equal(after.jitter, before.jitter);
	assert_true(after.disabled);
	must_be(STATUS_INVALID, recurring_options_read, test->arena, "[]", &after);
}
