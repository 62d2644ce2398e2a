/* dray recurring: explain, list and next, for people and as JSON. */
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"

#define explain(world, ...) config_world_dray((world), "recurring", "explain", __VA_ARGS__)

CASE_WITH(test_people, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every weekday at 9am Europe/Madrid", "--after",
					    "2026-11-21T00:00:00Z", "-n", "2");
	assert_code(result, EXIT_STOPPED);
	assert_wording("explain.people", result.output);
	assert_string_equal(result.errors, "");
}

CASE_WITH(test_machines, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "0 9 * * *", "--zone", "UTC", "--after",
					    "2026-11-20T09:00:00Z", "-n", "2", "--json");
	assert_json(result, EXIT_STOPPED,
		    "{'cron': '0 9 * * *', 'zone_because': 'given by --zone', 'next': "
		    "['2026-11-21T09:00:00Z', '2026-11-22T09:00:00Z']}");
}

/* Rails takes a schedule without a zone for another one than this host might. */
CASE_WITH(test_zone_of_the_host, config_world_open, config_world_close)
{
	assert_json(explain(*state, "0 9 * * *", "--json"), EXIT_STOPPED,
		    "{'zone_because': '...this host...beside Rails...'}");
}

/* The clocks go forward: by our rule, and by Solid Queue's. */
CASE_WITH(test_clocks, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "30 2 * * * America/New_York", "--after",
					    "2026-03-08", "-n", "2", "--json");
	assert_json(result, EXIT_STOPPED,
		    "{'next': ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'], 'runs': [{'mark': "
		    "'moved'}, {}]}");
	result = explain(*state, "30 2 * * * America/New_York", "--after", "2026-03-08", "-n", "2",
			 "--json", "--compatible");
	assert_json(result, EXIT_STOPPED,
		    "{'next': ['2026-03-09T06:30:00Z', '2026-03-10T06:30:00Z']}");
}

WORLD_CASE(test_configured)
{
	config_world_write("config/queue.yml", "time_zone: Asia/Tokyo\n");
	struct test_result result =
		explain(world, "@noon", "--json", "-n", "1", "--after", "2026-11-21T00:00:00Z");
	assert_json(result, EXIT_STOPPED,
		    "{'zone': 'Asia/Tokyo', 'next': ['2026-11-21T03:00:00Z']}");
	assert_json(explain(world, "@noon", "--json", "-n", "1", "--zone", "Europe/Madrid"),
		    EXIT_STOPPED, "{'zone': 'Europe/Madrid'}");
	config_world_write("config/queue.yml", "scheduler: {strict: true}\n");
	assert_code(explain(world, "every 45 minutes"), EXIT_USAGE);
	assert_code(explain(world, "every 45 minutes", "--zone", "UTC"), EXIT_USAGE);
	assert_code(explain(world, "every 45 minutes", "--compatible"), EXIT_STOPPED);
}

CASE_WITH(test_refused, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every weekdays at 9am", "--json");
	assert_json(result, EXIT_USAGE,
		    "{'cron': null, 'error': {'column': 7, 'suggestion': 'every weekday at 9am'}}");
	struct text said = { 0 };
	assert_refused(&said, explain(*state, "every weekdays at 9am"));
	assert_refused(&said, explain(*state, "every day\nat 25"));
	assert_refused(&said, explain(*state, "every other day", "--compatible"));
	assert_refused(&said, explain(*state, "@daily", "--zone", "Europe/Madrit"));
	assert_refused(&said, explain(*state, "every 45 minutes", "--strict"));
	test_said("explain.refused", &said);
}

CASE_WITH(test_warned, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every 45 minutes");
	assert_code(result, EXIT_STOPPED);
	assert_wording("explain.warned", result.errors);
}

/* A file with mistakes, maybe for this very schedule, does not stop a search for them. */
WORLD_CASE(test_a_faulty_file)
{
	config_world_write("config/queue.yml", "time_zone: Asia/Tokyo\n");
	config_world_write("config/recurring.yml", "a: {class: A, schedule: evry day}\n");
	assert_json(explain(world, "evry day", "--json"), EXIT_USAGE,
		    "{'error': {'suggestion': 'every day'}}");
	struct test_result result = explain(world, "every day");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "Asia/Tokyo");
	assert_wording("explain.faulty_file", result.errors);
}

/* ~ by a task's key. */
CASE_WITH(test_key, config_world_open, config_world_close)
{
	struct test_result one = explain(*state, "~ ~ * * *", "--key", "reports", "--json");
	struct test_result two = explain(*state, "~ ~ * * *", "--key", "mail", "--json");
	json_t *first = test_json(one);
	json_t *second = test_json(two);
	assert_string_not_equal(test_json_text(first, "cron"), test_json_text(second, "cron"));
	json_decref(first);
	json_decref(second);
	assert_string_equal(one.errors, "");
	one = explain(*state, "~ ~ * * *");
	assert_wording("explain.key", one.errors);
}

/* The tasks of recurring.yml. */
WORLD_CASE(test_tasks)
{
	config_world_write("config/recurring.yml",
			   "report: {class: A, schedule: every day at 9am Europe/Madrid}\n"
			   "off: {command: echo, schedule: every hour, enabled: false}\n"
			   "some: {class: A, schedule: every day, start_at: 2026-11-24T00:00:00Z, "
			   "end_at: 2026-11-25T12:00:00Z, time_zone: UTC}\n");
	struct test_result result = config_world_dray(world, "recurring", "next", "report", "-n",
						      "2", "--after", "2026-10-24", "--json");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "\"2026-10-24T07:00:00Z\"");
	assert_contains(result.output, "\"2026-10-25T08:00:00Z\"");
	result = config_world_dray(world, "recurring", "next", "some", "--after", "2026-11-21",
				   "--json");
	assert_null(strstr(result.output, "11-23T00"));
	assert_contains(result.output, "\"2026-11-24T00:00:00Z\"");
	assert_contains(result.output, "\"2026-11-25T00:00:00Z\"");
	assert_null(strstr(result.output, "11-26T00"));
	result = config_world_dray(world, "recurring", "next", "off");
	assert_wording("recurring.next_disabled", result.errors);
	result = config_world_dray(world, "db", "migrate", "--database", "sqlite3:other.yml");
	assert_code(result, EXIT_STOPPED);
	assert_told("recurring.mistyped", EXIT_USAGE,
		    config_world_dray(world, "recurring", "next", "reports", "--database",
				      "sqlite3:other.yml"));
	result = config_world_dray(world, "recurring", "list", "--database", "sqlite3:other.yml");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "report");
	assert_contains(result.output, "recurring:off");
	assert_told("recurring.pause_too_early", EXIT_ERROR,
		    config_world_dray(world, "recurring", "pause", "report", "--database",
				      "sqlite3:other.yml"));
}

CASE_WITH(test_usage, config_world_open, config_world_close)
{
	assert_code(config_world_dray(*state, "recurring"), EXIT_USAGE);
	assert_code(config_world_dray(*state, "recurring", "explain"), EXIT_USAGE);
	assert_code(config_world_dray(*state, "recurring", "explan", "x"), EXIT_USAGE);
	assert_code(explain(*state, "@daily", "-n", "0"), EXIT_USAGE);
	assert_code(explain(*state, "@daily", "--after", "soon"), EXIT_USAGE);
}
