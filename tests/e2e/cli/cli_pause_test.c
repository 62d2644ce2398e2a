/* dray pause and resume on every database. */
#include "common/process.h"
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

TEST(test_pause_and_resume)
{
	struct test_db *test = *state;

	put(test->db, "mail", 0);
	struct test_result result = test_cli(test, "pause", "mail");
	assert_code(result, 0);
	assert_string_equal(result.output, "queue mail is now paused\n");
	assert_string_equal(result.errors, "");
	assert_string_equal(test_query_text(test->arena, test->url,
					    "SELECT queue_name FROM solid_queue_pauses"),
			    "mail\n");
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	assert_string_equal(test_cli(test, "pause", "mail").output,
			    "queue mail was already paused\n");
	json_t *json = test_json(test_cli(test, "resume", "mail", "--json"));
	assert_string_equal(test_json_text(json, "queue"), "mail");
	assert_true(json_is_false(json_object_get(json, "paused")));
	assert_true(json_is_true(json_object_get(json, "changed")));
	json_decref(json);
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_string_equal(test_cli(test, "resume", "mail").output, "queue mail was not paused\n");
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

TEST(test_a_pause_with_a_reason_and_an_end)
{
	struct test_db *test = *state;

	put(test->db, "mail", 0);
	json_t *json = test_json(
		test_cli(test, "pause", "mail", "--reason", "it moves", "--for", "2h", "--json"));
	int64_t until;
	assert_ok(clock_parse(test_json_text(json, "until"), &until), NULL);
	int64_t left = until - db_now(test->db);
	assert_true(left > CLOCK_HOUR && left <= 2 * CLOCK_HOUR);
	json_t *queues = test_json(test_cli(test, "queues", "--json"));
	const json_t *mail = json_array_get(queues, 0);
	assert_string_equal(test_json_text(mail, "pause_reason"), "it moves");
	assert_string_equal(test_json_text(mail, "paused_until"), test_json_text(json, "until"));
	assert_true(json_is_string(json_object_get(mail, "paused_by")));
	assert_true(json_is_string(json_object_get(mail, "paused_on")));
	assert_true(json_is_string(json_object_get(mail, "paused_at")));
	json_decref(queues);
	json_decref(json);
	assert_contains(test_cli(test, "queues").output, "it moves");
	test_execute(test->db, "UPDATE solid_queue_pauses SET created_at = '2026-01-01 00:00:00'");
	assert_contains(test_cli(test, "queues").output, "other software");
}

TEST(test_pausing_by_pattern)
{
	struct test_db *test = *state;

	put(test->db, "report_a", 0);
	put(test->db, "report_b", 0);
	put(test->db, "mail", 0);
	struct test_result result = test_cli(test, "pause", "report_*");
	assert_code(result, 0);
	assert_string_equal(result.output, "pattern report_* is now paused\n"
					   "queue report_a is now paused\n"
					   "queue report_b is now paused\n");
	assert_string_equal(result.errors, "");
	assert_int_equal(rows_of(test, "pauses"), 2);
	json_t *json = test_json(test_cli(test, "pause", "--all", "--json"));
	assert_int_equal(json_array_size(json), 4);
	assert_string_equal(test_json_text(json_array_get(json, 0), "pattern"), "*");
	assert_string_equal(test_json_text(json_array_get(json, 1), "queue"), "mail");
	assert_true(json_is_false(json_object_get(json_array_get(json, 2), "changed")));
	json_decref(json);
	assert_string_equal(test_cli(test, "resume", "report_*").output,
			    "pattern report_* is no longer paused\n"
			    "queue report_a is no longer paused\n"
			    "queue report_b is no longer paused\n");
	assert_string_equal(test_cli(test, "resume", "--all").output,
			    "pattern * is no longer paused\n"
			    "queue mail is no longer paused\n");
	assert_string_equal(test_cli(test, "resume", "--all").output, "pattern * was not paused\n");
	json = test_json(test_cli(test, "resume", "x*", "--json"));
	assert_int_equal(json_array_size(json), 1);
	assert_true(json_is_false(json_object_get(json_array_get(json, 0), "changed")));
	json_decref(json);
	assert_int_equal(rows_of(test, "pauses"), 0);
}

/* Those that appear later, until the pattern is resumed; what is resumed by name stays so. */
TEST(test_a_pattern_holds_for_later_queues)
{
	struct test_db *test = *state;
	int64_t worker = register_worker(test->db, "worker-1");

	assert_code(test_cli(test, "pause", "report_*", "--reason", "month's end"), 0);
	const char *id =
		arena_printf(test->arena, "%lld", (long long)put(test->db, "report_new", 0));
	put(test->db, "report_two", 0);
	(void)take_all(test, worker, 0);
	json_t *json = test_json(test_cli(test, "queues", "--json"));
	const json_t *row = json_array_get(json, 0);
	assert_string_equal(test_json_text(row, "name"), "report_new");
	assert_true(json_is_true(json_object_get(row, "paused")));
	assert_string_equal(test_json_text(row, "pause_reason"), "month's end");
	json_decref(json);
	assert_contains(test_cli(test, "why", id).output, "month's end");
	assert_contains(test_cli(test, "pause").output, "report_*");
	assert_string_equal(test_cli(test, "resume", "report_new").output,
			    "queue report_new is no longer paused\n");
	(void)take_all(test, worker, 1);
	put(test->db, "report_new", 0);
	(void)take_all(test, worker, 1);
	assert_string_equal(test_cli(test, "resume", "report_*").output,
			    "pattern report_* is no longer paused\n");
	(void)take_all(test, worker, 1);
}

TEST(test_wrong_pauses_change_nothing)
{
	static const struct {
		const char *words[4];
		const char *message;
	} wrong[] = {
		{ { "pause", "--for", "1h" }, "missing QUEUE" },
		{ { "resume" }, "missing QUEUE" },
		{ { "pause", "a", "--all" }, "give only one queue, pattern, class or process" },
		{ { "pause", "a", "b" }, "give only one queue, pattern, class or process" },
		{ { "pause", "a", "--class=B" }, "give only one queue, pattern, class or process" },
		{ { "pause", "--class=" }, "the name of the class is empty" },
		{ { "pause", "a*b" }, "\"*\" is allowed only at the end" },
		{ { "pause", "" }, "the name of the queue is empty" },
		{ { "pause", "a\xff" }, "the queue is not UTF-8" },
		{ { "resume", "a\xff" }, "the queue is not UTF-8" },
		{ { "pause", "--class=\xff" }, "the class is not UTF-8" },
		{ { "pause", "--process=\xed\xa0\x80" }, "the process is not UTF-8" },
		{ { "pause", "a", "--reason=\xff" }, "--reason: not UTF-8" },
		{ { "pause", "a", "--for", "soon" }, "is not a duration" },
		{ { "pause", "a", "--for", "10ms" }, "--for: must be from 1s" },
		{ { "resume", "a", "--for", "1h" }, "--for" },
	};
	struct test_db *test = *state;

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		const char *const *words = wrong[i].words;
		struct test_result result =
			test_cli(test, words[0], words[1], words[1] ? words[2] : NULL,
				 words[1] && words[2] ? words[3] : NULL);
		assert_code(result, EXIT_USAGE);
		assert_contains(result.errors, wrong[i].message);
	}
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM dray_pauses"), 0);
}

#define LONGEST 255 /* characters of a name */

/* Names are counted in characters, as in the tables, and one too many is one too many. */
TEST(test_names_of_any_length)
{
	static const char euro[] = "\xe2\x82\xac";
	struct test_db *test = *state;
	char name[(LONGEST + 1) * 3 + 1] = "";

	for (size_t i = 0; i <= LONGEST; i++)
		memcpy(name + i * 3, euro, sizeof(euro));
	struct test_result result = test_cli(test, "pause", name);
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "the queue is longer than 255 characters");
	name[(size_t)LONGEST * 3] = '\0';
	assert_code(test_cli(test, "pause", name), 0);
	assert_code(test_cli(test, "pause", "--class", name, "--quiet"), 0);
	json_t *list = test_json(test_cli(test, "pause", "--json"));
	assert_int_equal(json_array_size(list), 2);
	for (size_t i = 0; i < 2; i++)
		assert_string_equal(test_json_text(json_array_get(list, i), "name"), name);
	json_decref(list);
	put(test->db, name, 0);
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	assert_code(test_cli(test, "resume", "--class", name), 0);
	assert_code(test_cli(test, "resume", name), 0);
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

/* A mistake is one line that a terminal does not obey, whatever the words in it hold. */
TEST(test_mistakes_are_one_line)
{
	struct test_db *test = *state;
	struct test_result result = test_cli(test, "pause", "--class", "a\nb\x1b[31m");

	assert_code(result, 0);
	assert_string_equal(result.errors,
			    "dray: warning: class \"a b [31m\" is not in the configuration\n");
	result = test_cli(test, "why", "a\nb\x1b[31m");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "\"a b [31m\" is neither");
	result = test_cli(test, "pause",
			  "a\nb\x1b[31m\xc2\x9b"
			  "31m",
			  "--quiet");
	assert_code(result, 0);
	result = test_cli(test, "resume",
			  "a\nb\x1b[31m\xc2\x9b"
			  "31m");
	assert_string_equal(result.output, "queue a b?[31m\\u009b31m is no longer paused\n");
}

TEST(test_pause_a_class)
{
	struct test_db *test = *state;
	struct test_result result =
		test_cli(test, "pause", "--class", "Test", "--reason", "bad input");

	put(test->db, "mail", 0);
	assert_code(result, 0);
	assert_string_equal(result.output, "class Test is now paused\n");
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	json_t *json = test_json(test_cli(test, "pause", "--json"));
	const json_t *row = json_array_get(json, 0);
	assert_int_equal(json_array_size(json), 1);
	assert_string_equal(test_json_text(row, "kind"), "class");
	assert_string_equal(test_json_text(row, "name"), "Test");
	assert_string_equal(test_json_text(row, "reason"), "bad input");
	assert_true(json_is_string(json_object_get(row, "since")));
	assert_true(json_is_null(json_object_get(row, "until")));
	json_decref(json);
	json = test_json(test_cli(test, "resume", "--class", "Test", "--json"));
	assert_string_equal(test_json_text(json, "class"), "Test");
	assert_true(json_is_true(json_object_get(json, "changed")));
	json_decref(json);
	assert_string_equal(test_cli(test, "resume", "--class", "Test").output,
			    "class Test was not paused\n");
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

TEST(test_pause_a_process)
{
	struct test_db *test = *state;
	int64_t worker = register_worker(test->db, "worker-1");
	struct test_result result = test_cli(test, "pause", "--process", "worker-2");

	put(test->db, "mail", 0);
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors,
			"there is no worker \"worker-2\": did you mean \"worker-1\"?");
	result =
		test_cli(test, "pause", "--process", "worker-1", "--for", "1h", "--reason", "slow");
	assert_code(result, 0);
	assert_contains(result.output, "process worker-1 is now paused until ");
	(void)take_all(test, worker, 0);
	json_t *json = test_json(test_cli(test, "processes", "--json"));
	const json_t *row = json_array_get(json, 0);
	assert_true(json_is_true(json_object_get(row, "paused")));
	assert_string_equal(test_json_text(row, "pause_reason"), "slow");
	assert_true(json_is_string(json_object_get(row, "paused_until")));
	json_decref(json);
	assert_contains(test_cli(test, "pause").output, "worker-1");
	assert_string_equal(test_cli(test, "resume", "--process", "worker-1").output,
			    "process worker-1 is no longer paused\n");
	(void)take_all(test, worker, 1);
	json = test_json(test_cli(test, "audit", "--json"));
	assert_int_equal(json_array_size(json), 2);
	json_decref(json);
}

TEST(test_pausing_the_unknown)
{
	struct test_db *test = *state;

	put(test->db, "mail", 0);
	struct test_result result = test_cli(test, "pause", "mial");
	assert_code(result, 0);
	assert_string_equal(result.errors, "dray: warning: no queue \"mial\" is known: "
					   "did you mean \"mail\"?\n");
	assert_int_equal(rows_of(test, "pauses"), 1);
	result = test_cli(test, "resume", "mail");
	assert_string_equal(result.errors, "");
	result = test_cli(test, "resume", "other");
	assert_code(result, 0);
	assert_string_equal(result.errors, "dray: warning: no queue \"other\" is known\n");
}
