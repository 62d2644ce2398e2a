/* dray pause and resume on every database. */
#include "tests/support/queue.h"
#include "tests/support/sites/cli.h"

DB_CASE(test_pause_and_resume)
{
	put(test->db, "mail", 0);
	assert_told("pause.done", 0, test_cli(test, "pause", "mail"));
	assert_query(test, "mail\n", "SELECT queue_name FROM solid_queue_pauses");
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	assert_wording("pause.again", test_cli(test, "pause", "mail").output);
	assert_json(test_cli(test, "resume", "mail", "--json"), 0,
		    "{'queue': 'mail', 'paused': false, 'changed': true}");
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_wording("resume.again", test_cli(test, "resume", "mail").output);
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

DB_CASE(test_a_pause_with_a_reason_and_an_end)
{
	put(test->db, "mail", 0);
	json_t *json = test_json(
		test_cli(test, "pause", "mail", "--reason", "it moves", "--for", "2h", "--json"));
	int64_t until;
	assert_ok(clock_parse(test_json_text(json, "until"), &until), NULL);
	int64_t left = until - db_now(test->db);
	assert_true(left > CLOCK_HOUR && left <= 2 * CLOCK_HOUR);
	assert_json(test_cli(test, "queues", "--json"), 0,
		    arena_printf(test->arena,
				 "[{'pause_reason': 'it moves', 'paused_until': '%s', 'paused_by': "
				 "'...', 'paused_on': '...', 'paused_at': '...'}]",
				 test_json_text(json, "until")));
	json_decref(json);
	assert_contains(test_cli(test, "queues").output, "it moves");
	test_execute(test->db, "UPDATE solid_queue_pauses SET created_at = '2026-01-01 00:00:00'");
	assert_contains(test_cli(test, "queues").output, "other software");
}

DB_CASE(test_pausing_by_pattern)
{
	put(test->db, "report_a", 0);
	put(test->db, "report_b", 0);
	put(test->db, "mail", 0);
	assert_told("pause.pattern", 0, test_cli(test, "pause", "report_*"));
	assert_int_equal(rows_of(test, "pauses"), 2);
	assert_json(test_cli(test, "pause", "--all", "--json"), 0,
		    "[{'pattern': '*'}, {'queue': 'mail'}, {'changed': false}, {}]");
	assert_wording("resume.pattern", test_cli(test, "resume", "report_*").output);
	assert_json(test_cli(test, "resume", "--all", "--json"), 0,
		    "[{'pattern': '*', 'changed': true}, {'queue': 'mail', 'changed': true}]");
	assert_json(test_cli(test, "resume", "--all", "--json"), 0,
		    "[{'pattern': '*', 'changed': false}]");
	assert_json(test_cli(test, "resume", "x*", "--json"), 0, "[{'changed': false}]");
	assert_int_equal(rows_of(test, "pauses"), 0);
}

/* Those that appear later, until the pattern is resumed; what is resumed by name stays so. */
DB_CASE(test_a_pattern_holds_for_later_queues)
{
	int64_t worker = register_worker(test->db, "worker-1");

	assert_code(test_cli(test, "pause", "report_*", "--reason", "the month ends"), 0);
	const char *id =
		arena_printf(test->arena, "%lld", (long long)put(test->db, "report_new", 0));
	put(test->db, "report_two", 0);
	(void)take_all(test, worker, 0);
	assert_json(
		test_cli(test, "queues", "--json"), 0,
		"[{'name': 'report_new', 'paused': true, 'pause_reason': 'the month ends'}, {}]");
	assert_contains(test_cli(test, "why", id).output, "the month ends");
	assert_contains(test_cli(test, "pause").output, "report_*");
	assert_code(test_cli(test, "resume", "report_new"), 0);
	(void)take_all(test, worker, 1);
	put(test->db, "report_new", 0);
	(void)take_all(test, worker, 1);
	assert_code(test_cli(test, "resume", "report_*"), 0);
	(void)take_all(test, worker, 1);
}

DB_CASE(test_wrong_pauses_change_nothing)
{
	static const char *const wrong[][5] = {
		{ "pause", "--for", "1h" },
		{ "resume" },
		{ "pause", "a", "--all" },
		{ "pause", "a", "b" },
		{ "pause", "a", "--class=B" },
		{ "pause", "--class=" },
		{ "pause", "a*b" },
		{ "pause", "" },
		{ "pause", "a\xff" },
		{ "resume", "a\xff" },
		{ "pause", "--class=\xff" },
		{ "pause", "--process=\xed\xa0\x80" },
		{ "pause", "a", "--reason=\xff" },
		{ "pause", "a", "--for", "soon" },
		{ "pause", "a", "--for", "10ms" },
		{ "resume", "a", "--for", "1h" },
	};
	struct text said = { 0 };

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_refused(&said, test_cli_arguments(test, NULL, wrong[i]));
	test_said("pause.refused", &said);
	assert_int_equal(rows_of(test, "pauses"), 0);
	assert_int_equal(test_query_int(test->url, "SELECT count(*) FROM dray_pauses"), 0);
}

#define LONGEST 255 /* characters of a name */

/* Names are counted in characters, as in the tables, and one too many is one too many. */
DB_CASE(test_names_of_any_length)
{
	static const char euro[] = "\xe2\x82\xac";
	char name[(LONGEST + 1) * 3 + 1] = "";

	for (size_t i = 0; i <= LONGEST; i++)
		memcpy(name + i * 3, euro, sizeof(euro));
	struct text said = { 0 };
	assert_refused(&said, test_cli(test, "pause", name));
	test_said("pause.long_name", &said);
	name[(size_t)LONGEST * 3] = '\0';
	assert_code(test_cli(test, "pause", name), 0);
	assert_code(test_cli(test, "pause", "--class", name, "--quiet"), 0);
	assert_json(test_cli(test, "pause", "--json"), 0,
		    arena_printf(test->arena, "[{'name': '%s'}, {'name': '%s'}]", name, name));
	put(test->db, name, 0);
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	assert_code(test_cli(test, "resume", "--class", name), 0);
	assert_code(test_cli(test, "resume", name), 0);
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

/* A mistake is one line that a terminal does not obey, whatever the words in it hold. */
DB_CASE(test_mistakes_are_one_line)
{
	assert_told("pause.odd_class", 0, test_cli(test, "pause", "--class", "a\nb\x1b[31m"));
	struct test_result result = test_cli(test, "pause",
					     "a\nb\x1b[31m\xc2\x9b"
					     "31m",
					     "--quiet");
	assert_code(result, 0);
	result = test_cli(test, "resume",
			  "a\nb\x1b[31m\xc2\x9b"
			  "31m");
	assert_wording("resume.odd_queue", result.output);
}

DB_CASE(test_pause_a_class)
{
	assert_told("pause.class", 0,
		    test_cli(test, "pause", "--class", "Test", "--reason", "bad input"));
	put(test->db, "mail", 0);
	(void)take_all(test, register_worker(test->db, "worker-1"), 0);
	assert_json(test_cli(test, "pause", "--json"), 0,
		    "[{'kind': 'class', 'name': 'Test', 'reason': 'bad input', 'since': '...', "
		    "'until': null}]");
	assert_json(test_cli(test, "resume", "--class", "Test", "--json"), 0,
		    "{'class': 'Test', 'changed': true}");
	assert_json(test_cli(test, "resume", "--class", "Test", "--json"), 0, "{'changed': false}");
	(void)take_all(test, register_worker(test->db, "worker-2"), 1);
}

DB_CASE(test_pause_a_process)
{
	int64_t worker = register_worker(test->db, "worker-1");
	struct text said = { 0 };

	put(test->db, "mail", 0);
	assert_refused(&said, test_cli(test, "pause", "--process", "worker-2"));
	test_said("pause.no_process", &said);
	struct test_result result =
		test_cli(test, "pause", "--process", "worker-1", "--for", "1h", "--reason", "slow");
	assert_code(result, 0);
	assert_wording("pause.process", result.output);
	(void)take_all(test, worker, 0);
	assert_json(test_cli(test, "processes", "--json"), 0,
		    "[{'paused': true, 'pause_reason': 'slow', 'paused_until': '...'}]");
	assert_contains(test_cli(test, "pause").output, "worker-1");
	assert_code(test_cli(test, "resume", "--process", "worker-1"), 0);
	(void)take_all(test, worker, 1);
	assert_json(test_cli(test, "audit", "--json"), 0, "[{}, {}]");
}

DB_CASE(test_pausing_the_unknown)
{
	put(test->db, "mail", 0);
	assert_told("pause.mistyped_queue", 0, test_cli(test, "pause", "mial"));
	assert_int_equal(rows_of(test, "pauses"), 1);
	assert_string_equal(test_cli(test, "resume", "mail").errors, "");
	assert_told("resume.unknown_queue", 0, test_cli(test, "resume", "other"));
}
