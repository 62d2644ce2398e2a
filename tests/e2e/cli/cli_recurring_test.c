/*
 * dray recurring: explain, for people, as JSON, and what it says of what is no schedule; list and
 * next.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "common/process.h"
#include "tests/support/model/config_world.h"
#include "tests/support/sites/cli.h"

#define explain(world, ...) config_world_dray((world), "recurring", "explain", __VA_ARGS__)

CASE_WITH(test_people, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every weekday at 9am Europe/Madrid", "--after",
					    "2026-11-21T00:00:00Z", "-n", "2");
	assert_code(result, EXIT_STOPPED);
	assert_string_equal(result.output,
			    "SCHEDULE  every weekday at 9am Europe/Madrid\n"
			    "CRON      0 9 * * 1-5 Europe/Madrid\n"
			    "MEANS     at 09:00 from Monday to Friday\n"
			    "ZONE      Europe/Madrid\n"
			    "BECAUSE   the schedule names it\n"
			    "\n"
			    "NEXT                  THERE                    ZONE  CLOCKS\n"
			    "2026-11-23T08:00:00Z  Mon 2026-11-23 09:00:00  CET   -\n"
			    "2026-11-24T08:00:00Z  Tue 2026-11-24 09:00:00  CET   -\n");
	assert_string_equal(result.errors, "");
}

static void assert_next(json_t *json, const char *const *times)
{
	json_t *next = json_object_get(json, "next");
	size_t count = 0;
	for (; times[count]; count++)
		assert_string_equal(json_string_value(json_array_get(next, count)), times[count]);
	assert_int_equal(json_array_size(next), count);
}

CASE_WITH(test_machines, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "0 9 * * *", "--zone", "UTC", "--after",
					    "2026-11-20T09:00:00Z", "-n", "2", "--json");
	assert_code(result, EXIT_STOPPED);
	json_t *json = test_json(result);
	assert_string_equal(test_json_text(json, "cron"), "0 9 * * *");
	assert_string_equal(test_json_text(json, "zone_because"), "given by --zone");
	assert_next(json,
		    (const char *const[]){ "2026-11-21T09:00:00Z", "2026-11-22T09:00:00Z", NULL });
	json_decref(json);
}

/* Rails takes a schedule without a zone for another one than this host might. */
CASE_WITH(test_zone_of_the_host, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "0 9 * * *", "--json");
	assert_code(result, EXIT_STOPPED);
	json_t *json = test_json(result);
	assert_contains(test_json_text(json, "zone_because"), "this host's");
	assert_contains(test_json_text(json, "zone_because"), "beside Rails");
	json_decref(json);
}

/* The clocks go forward: by our rule, and by Solid Queue's. */
CASE_WITH(test_clocks, config_world_open, config_world_close)
{
	const char *const ours[] = { "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z", NULL };
	const char *const theirs[] = { "2026-03-09T06:30:00Z", "2026-03-10T06:30:00Z", NULL };
	struct test_result result = explain(*state, "30 2 * * * America/New_York", "--after",
					    "2026-03-08", "-n", "2", "--json");
	json_t *json = test_json(result);
	json_t *first = json_array_get(json_object_get(json, "runs"), 0);
	assert_next(json, ours);
	assert_string_equal(test_json_text(first, "mark"), "moved");
	json_decref(json);
	result = explain(*state, "30 2 * * * America/New_York", "--after", "2026-03-08", "-n", "2",
			 "--json", "--compatible");
	json = test_json(result);
	assert_next(json, theirs);
	json_decref(json);
}

CASE_WITH(test_configured, config_world_open, config_world_close)
{
	struct config_world *world = *state;
	config_world_write("config/queue.yml", "time_zone: Asia/Tokyo\n");
	struct test_result result =
		explain(world, "@noon", "--json", "-n", "1", "--after", "2026-11-21T00:00:00Z");
	json_t *json = test_json(result);
	assert_string_equal(test_json_text(json, "zone"), "Asia/Tokyo");
	assert_next(json, (const char *const[]){ "2026-11-21T03:00:00Z", NULL });
	json_decref(json);
	result = explain(world, "@noon", "--json", "-n", "1", "--zone", "Europe/Madrid");
	json = test_json(result);
	assert_string_equal(test_json_text(json, "zone"), "Europe/Madrid");
	json_decref(json);
	config_world_write("config/queue.yml", "scheduler: {strict: true}\n");
	assert_code(explain(world, "every 45 minutes"), EXIT_USAGE);
	assert_code(explain(world, "every 45 minutes", "--zone", "UTC"), EXIT_USAGE);
	assert_code(explain(world, "every 45 minutes", "--compatible"), EXIT_STOPPED);
}

CASE_WITH(test_refused, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every weekdays at 9am", "--json");
	assert_code(result, EXIT_USAGE);
	json_t *json = test_json(result);
	json_t *error = json_object_get(json, "error");
	test_json_null(json, "cron");
	assert_int_equal(test_json_integer(error, "column"), 7);
	assert_string_equal(test_json_text(error, "suggestion"), "every weekday at 9am");
	json_decref(json);
	assert_string_equal(result.errors,
			    "dray: column 7: \"weekdays\" is not understood here; did you mean "
			    "\"every weekday at 9am\"?\n");
	result = explain(*state, "every day\nat 25");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "dray: line 2, column 4: ");
	result = explain(*state, "every other day", "--compatible");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "an extension");
	result = explain(*state, "@daily", "--zone", "Europe/Madrit");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "did you mean Europe/Madrid?");
}

CASE_WITH(test_warned, config_world_open, config_world_close)
{
	struct test_result result = explain(*state, "every 45 minutes");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.errors, "dray: warning: column 1: 45 minutes do not fill an hour");
	result = explain(*state, "every 45 minutes", "--strict");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "45 minutes do not fill an hour");
}

/* A file with mistakes, maybe because of this very schedule, does not stop a search for them.
 */
CASE_WITH(test_a_faulty_file, config_world_open, config_world_close)
{
	struct config_world *world = *state;

	config_world_write("config/queue.yml", "time_zone: Asia/Tokyo\n");
	config_world_write("config/recurring.yml", "a: {class: A, schedule: evry day}\n");
	struct test_result result = explain(world, "evry day");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "did you mean \"every day\"?");
	result = explain(world, "every day");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "Asia/Tokyo");
	assert_contains(result.errors, "the configuration has mistakes");
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
	assert_contains(one.errors, "dray: warning: what ~ means depends on the task");
}

/* The tasks of recurring.yml. */
CASE_WITH(test_tasks, config_world_open, config_world_close)
{
	struct config_world *world = *state;

	config_world_write("config/recurring.yml",
			   "report: {class: A, schedule: every day at 9am Europe/Madrid}\n"
			   "off: {command: echo, schedule: every hour, enabled: false}\n"
			   "some: {class: A, schedule: every day, start_at: 2026-11-24T00:00:00Z, "
			   "end_at: 2026-11-25T12:00:00Z, time_zone: UTC}\n");
	struct test_result result = config_world_run(
		world, (const char *const[]){ "recurring", "next", "report", "-n", "2", "--after",
					      "2026-10-24", "--json", NULL });
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "\"2026-10-24T07:00:00Z\"");
	assert_contains(result.output, "\"2026-10-25T08:00:00Z\"");
	result = config_world_run(world,
				  (const char *const[]){ "recurring", "next", "some", "--after",
							 "2026-11-21", "--json", NULL });
	assert_null(strstr(result.output, "11-23T00"));
	assert_contains(result.output, "\"2026-11-24T00:00:00Z\"");
	assert_contains(result.output, "\"2026-11-25T00:00:00Z\"");
	assert_null(strstr(result.output, "11-26T00"));
	result = config_world_run(world, (const char *const[]){ "recurring", "next", "off", NULL });
	assert_contains(result.errors, "off is not enabled");
	assert_contains(result.errors, "cannot tell whether off is paused: ");
	result = config_world_run(world, (const char *const[]){ "db", "migrate", "--database",
								"sqlite3:other.yml", NULL });
	assert_code(result, EXIT_STOPPED);
	result = config_world_run(world,
				  (const char *const[]){ "recurring", "next", "reports",
							 "--database", "sqlite3:other.yml", NULL });
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "did you mean report?");
	result = config_world_run(world, (const char *const[]){ "recurring", "list", "--database",
								"sqlite3:other.yml", NULL });
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "report");
	assert_contains(result.output, "recurring:off");
	result = config_world_run(world,
				  (const char *const[]){ "recurring", "pause", "report",
							 "--database", "sqlite3:other.yml", NULL });
	assert_code(result, EXIT_ERROR);
	assert_contains(result.errors, "a scheduler of that file puts it there");
	(void)unlink("other.yml-wal");
	(void)unlink("other.yml-shm");
}

CASE_WITH(test_usage, config_world_open, config_world_close)
{
	assert_code(config_world_run(*state, (const char *const[]){ "recurring", NULL }),
		    EXIT_USAGE);
	assert_code(config_world_run(*state, (const char *const[]){ "recurring", "explain", NULL }),
		    EXIT_USAGE);
	assert_code(
		config_world_run(*state, (const char *const[]){ "recurring", "explan", "x", NULL }),
		EXIT_USAGE);
	assert_code(explain(*state, "@daily", "-n", "0"), EXIT_USAGE);
	assert_code(explain(*state, "@daily", "--after", "soon"), EXIT_USAGE);
}
