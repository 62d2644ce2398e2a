/* dray recurring: explain, list and next, for people and as JSON. */
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"

#define explain(world, ...) config_world_dray((world), "recurring", "explain", __VA_ARGS__)

WORLD_CASE(test_people)
{
	struct test_result result = explain(world, "every weekday at 9am Europe/Madrid", "--after",
					    "2026-11-21T00:00:00Z", "-n", "2");
	assert_code(result, EXIT_STOPPED);
	assert_wording("explain.people", result.output);
	assert_string_equal(result.errors, "");
}

WORLD_CASE(test_machines)
{
	struct test_result result = explain(world, "0 9 * * *", "--zone", "UTC", "--after",
					    "2026-11-20T09:00:00Z", "-n", "2", "--json");
	assert_json(result, EXIT_STOPPED,
		    "{'cron': '0 9 * * *', 'zone_because': 'given by --zone', 'next': "
		    "['2026-11-21T09:00:00Z', '2026-11-22T09:00:00Z']}");
}

/* Rails takes a schedule without a zone for another one than this host might. */
WORLD_CASE(test_zone_of_the_host)
{
	assert_json(explain(world, "0 9 * * *", "--json"), EXIT_STOPPED,
		    "{'zone_because': '...this host...beside Rails...'}");
}

/* The clocks go forward: by our rule, and by Solid Queue's. */
WORLD_CASE(test_clocks)
{
	struct test_result result = explain(world, "30 2 * * * America/New_York", "--after",
					    "2026-03-08", "-n", "2", "--json");
	assert_json(result, EXIT_STOPPED,
		    "{'next': ['2026-03-08T07:00:00Z', '2026-03-09T06:30:00Z'], 'runs': [{'mark': "
		    "'moved'}, {}]}");
	result = explain(world, "30 2 * * * America/New_York", "--after", "2026-03-08", "-n", "2",
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

WORLD_CASE(test_refused)
{
	struct test_result result = explain(world, "every weekdays at 9am", "--json");
	assert_json(result, EXIT_USAGE,
		    "{'cron': null, 'error': {'column': 7, 'suggestion': 'every weekday at 9am'}}");
	struct text said = { 0 };
	assert_refused(&said, explain(world, "every weekdays at 9am"));
	assert_refused(&said, explain(world, "every day\nat 25"));
	assert_refused(&said, explain(world, "every other day", "--compatible"));
	assert_refused(&said, explain(world, "@daily", "--zone", "Europe/Madrit"));
	assert_refused(&said, explain(world, "every 45 minutes", "--strict"));
	test_said("explain.refused", &said);
}

WORLD_CASE(test_warned)
{
	struct test_result result = explain(world, "every 45 minutes");
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
WORLD_CASE(test_key)
{
	struct test_result one = explain(world, "~ ~ * * *", "--key", "reports", "--json");
	struct test_result two = explain(world, "~ ~ * * *", "--key", "mail", "--json");
	json_t *first = test_json(one);
	json_t *second = test_json(two);
	assert_string_not_equal(test_json_text(first, "cron"), test_json_text(second, "cron"));
	json_decref(first);
	json_decref(second);
	assert_string_equal(one.errors, "");
	one = explain(world, "~ ~ * * *");
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

WORLD_CASE(test_usage)
{
	assert_code(config_world_dray(world, "recurring"), EXIT_USAGE);
	assert_code(config_world_dray(world, "recurring", "explain"), EXIT_USAGE);
	assert_code(config_world_dray(world, "recurring", "explan", "x"), EXIT_USAGE);
	assert_code(explain(world, "@daily", "-n", "0"), EXIT_USAGE);
	assert_code(explain(world, "@daily", "--after", "soon"), EXIT_USAGE);
}
