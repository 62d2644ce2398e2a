/* What a recurring task may say: what is refused, and what is kept. */
#include "tests/support/jobs/recurring.h"

/* A key is one task's, of dray or of Rails; a mistake changes nothing and leaves no line. */
DB_CASE(what_cannot_be_is_refused)
{
	static const struct {
		const char *key, *schedule, *class_name;
		struct recurring_options options;
	} cases[] = {
		{ "x", "every weekdays", "A", { 0 } },
		{ "x", "every hour", "A", { .time_zone = "Europe/Madrit" } },
		{ "x", "every hour", "A B", { 0 } },
		{ "x", "every hour", NULL, { 0 } },
		{ "x\n", "every hour", "A", { 0 } },
		{ "", "every hour", "A", { 0 } },
		{ "x", "every hour", "A", { .misfire = "never" } },
		{ "x", "every hour", "A", { .misfire_window = 1 } },
		{ "x", "every hour", "A", { .misfire_limit = -1 } },
		{ "x", "every hour", "A", { .jitter = 2 * CLOCK_DAY } },
		{ "x", "every hour", "A", { .late_after = 7 * CLOCK_DAY } },
		{ "x", "every hour", "A", { .failures_after = 1001 } },
		{ "x", "every hour", "A", { .timeout = 1 } },
		{ "x", "every hour", "A", { .start_at = "soon" } },
		{ "x", "every hour", "A", { .start_at = "2027-01-01", .end_at = "2026-01-01" } },
	};
	const char *said = "";

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct recurring_task wrong = { .key = cases[i].key,
						      .schedule = cases[i].schedule,
						      .class_name = cases[i].class_name,
						      .options = cases[i].options };
		struct error error = { 0 };
		assert_status(recurring_add(test->db, &wrong, &test_note, &error), STATUS_INVALID,
			      &error);
		said = arena_printf(test->arena, "%s%s\n", said, error.text);
	}
	assert_wording("recurring.cannot_be", said);
	assert_int_equal(rows_of(test, "recurring_tasks"), 0);
	publish_task(test, "a");
	const struct recurring_task again = task_of("a", "every day");
	must_say("recurring.key_of_a_file", STATUS_CONFLICT, recurring_add, test->db, &again,
		 &test_note);
	assert_int_equal(sql_number(test, "SELECT count(*) FROM dray_audit"), 0);
	assert_string_equal(find_task(test, "a").task.schedule, "every hour");
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
						  .timeout = 365 * CLOCK_DAY,
						  .start_at = "2026-01-01",
						  .end_at = "2027-01-01",
						  .late_after = 90 * CLOCK_SECOND,
						  .failures_after = 4 };
	struct recurring_options after;
	const char *json = recurring_options_write(test->arena, &before);

	must(recurring_options_read, test->arena, json, &after);
	assert_string_equal(recurring_options_write(test->arena, &after), json);
	assert_string_equal(after.file, before.file);
	assert_int_equal(after.jitter, before.jitter);
	assert_int_equal(after.timeout, before.timeout);
	assert_int_equal(after.late_after, before.late_after);
	assert_int_equal(after.failures_after, before.failures_after);
	assert_true(after.disabled);
	must_be(STATUS_INVALID, recurring_options_read, test->arena, "[]", &after);
}
