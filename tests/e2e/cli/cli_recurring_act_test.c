/* dray recurring add, change, remove, pause, resume, run, history and what list says then. */
#include <string.h>

#include "common/process.h"
#include "queue/processes/process.h"
#include "tests/support/query.h"
#include "tests/support/sites/cli.h"

#define act(test, ...) test_cli((test), "recurring", __VA_ARGS__)

static json_t *json_of(struct test_result result)
{
	assert_code(result, EXIT_STOPPED);
	return test_json(result);
}

/* The only line of the list. */
static json_t *only_task(struct test_db *test, json_t **list)
{
	*list = json_of(act(test, "list", "--json"));
	assert_int_equal(json_array_size(*list), 1);
	return json_array_get(*list, 0);
}

static int64_t count(struct test_db *test, const char *sql)
{
	return test_query_int(test->url, sql);
}

static struct test_result add(struct test_db *test)
{
	return act(test, "add", "report", "--schedule", "every day at 9am", "--class", "Report",
		   "--args", "{\"days\": 7}", "--queue", "slow", "--priority", "-3", "--time-zone",
		   "Europe/Madrid", "--overlap", "skip", "--jitter", "90s", "--misfire", "all",
		   "--reason", "asked for", "--json");
}

TEST(test_add)
{
	struct test_db *test = *state;
	json_t *list;
	struct test_result result = act(test, "add", "report", "--schedule", "every day", "--class",
					"Report", "--dry-run");
	assert_code(result, EXIT_STOPPED);
	assert_contains(result.output, "would be added");
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_recurring_tasks"), 0);
	json_t *json = json_of(add(test));
	assert_string_equal(test_json_text(json, "key"), "report");
	assert_string_equal(test_json_text(json, "action"), "add");
	assert_string_equal(test_json_text(json, "words"), "at 09:00 every day");
	assert_string_equal(test_json_text(json, "zone"), "Europe/Madrid");
	assert_true(json_is_true(json_object_get(json, "changed")));
	assert_true(json_is_false(json_object_get(json, "dry_run")));
	json_decref(json);
	json_t *task = only_task(test, &list);
	assert_string_equal(test_json_text(task, "class"), "Report");
	assert_string_equal(test_json_text(task, "queue"), "slow");
	assert_string_equal(test_json_text(task, "from"), "added");
	assert_true(json_is_false(json_object_get(task, "paused")));
	test_json_null(task, "last_run_at");
	test_json_null(task, "last_outcome");
	assert_true(json_is_string(json_object_get(task, "next_run_at")));
	json_decref(list);
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_recurring_tasks WHERE "
				     "priority = -3 AND arguments = "
				     "'[{\"days\":7,\"_aj_symbol_keys\":[\"days\"]}]'"),
			 1);
	result = add(test);
	assert_code(result, EXIT_ERROR);
	assert_string_equal(result.errors, "dray: there is a task called report already\n");
	result = act(test, "next", "report", "-n", "1", "--after", "2026-11-21", "--json");
	assert_contains(result.output, "2026-11-21T08:00:00Z");
	assert_int_equal(count(test, "SELECT count(*) FROM dray_audit WHERE action = 'add task' "
				     "AND target = 'task report' AND reason = 'asked for'"),
			 1);
}

TEST(test_change)
{
	struct test_db *test = *state;
	json_t *list;

	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "change", "report"), EXIT_USAGE);
	assert_code(act(test, "change", "report", "--schedule", "every week", "--dry-run"),
		    EXIT_STOPPED);
	struct test_result result = act(test, "change", "report", "--schedule", "never");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "schedule: column 1");
	assert_code(act(test, "change", "report", "--jitter", "2d"), EXIT_USAGE);
	assert_code(act(test, "change", "report", "--misfire", "maybe"), EXIT_USAGE);
	assert_code(act(test, "change", "report", "--args", "{"), EXIT_USAGE);
	json_t *task = only_task(test, &list);
	assert_string_equal(test_json_text(task, "schedule"), "every day at 9am");
	json_decref(list);
	json_t *json = json_of(act(test, "change", "report", "--schedule", "every hour", "--queue",
				   "", "--enabled", "false", "--json"));
	assert_string_equal(test_json_text(json, "schedule"), "every hour");
	assert_string_equal(test_json_text(json, "zone"), "Europe/Madrid");
	test_json_null(json, "next_run_at");
	json_decref(json);
	task = only_task(test, &list);
	assert_string_equal(test_json_text(task, "schedule"), "every hour");
	test_json_null(task, "queue");
	test_json_null(task, "next_run_at");
	assert_true(json_is_false(json_object_get(task, "enabled")));
	json_decref(list);
	json = json_of(act(test, "change", "report", "--time-zone", "", "--json"));
	assert_string_not_equal(test_json_text(json, "zone"), "Europe/Madrid");
	json_decref(json);
	assert_int_equal(count(test, "SELECT count(*) FROM dray_recurring_tasks "
				     "WHERE settings LIKE '%\"time_zone\"%'"),
			 1);
	result = act(test, "change", "raport", "--schedule", "every hour");
	assert_code(result, EXIT_USAGE);
	assert_string_equal(result.errors,
			    "dray: no task is called raport: did you mean report?\n");
}

static struct test_result add_command(struct test_db *test, const char *line)
{
	return act(test, "add", "backup", "--schedule", "every hour", "--command", line, "--json");
}

/* A command line is words for workers that have the class of them. */
TEST(test_command)
{
	struct test_db *test = *state;
	json_t *list;

	struct test_result result = add_command(test, "Report.send_all(7)");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "the command is Ruby source");
	result = add_command(test, "bin/backup | gzip");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "needs a shell");
	assert_code(add_command(test, " "), EXIT_USAGE);
	assert_code(act(test, "add", "backup", "--schedule", "every hour", "--command", "a",
			"--class", "A"),
		    EXIT_USAGE);
	assert_code(act(test, "add", "backup", "--schedule", "every hour", "--command", "a",
			"--args", "[1]"),
		    EXIT_USAGE);
	result = add_command(test, "bin/backup --to 'the safe'");
	json_decref(json_of(result));
	assert_contains(result.errors, "dray:command");
	assert_int_equal(count(test, "SELECT count(*) FROM dray_recurring_own WHERE command "
				     "IS NULL AND class_name = 'dray:command' AND arguments = "
				     "'[\"bin/backup\",\"--to\",\"the safe\"]'"),
			 1);
	json_t *task = only_task(test, &list);
	assert_string_equal(test_json_text(task, "command"), "bin/backup --to 'the safe'");
	json_decref(list);
	json_decref(json_of(act(test, "change", "backup", "--queue", "slow", "--json")));
	json_decref(json_of(act(test, "change", "backup", "--class", "Backup", "--json")));
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_recurring_tasks WHERE "
				     "class_name = 'Backup' AND arguments IS NULL"),
			 1);
	json_decref(json_of(act(test, "change", "backup", "--command", "true", "--json")));
	assert_code(act(test, "change", "backup", "--command", ""), EXIT_USAGE);
	json_decref(json_of(act(test, "run", "backup", "--json")));
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_jobs WHERE class_name = "
				     "'dray:command' AND queue_name = 'slow' AND arguments LIKE "
				     "'%[\"true\"]%'"),
			 1);
}

TEST(test_pause)
{
	struct test_db *test = *state;
	json_t *list;

	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "pause", "report", "--dry-run"), EXIT_STOPPED);
	json_t *json = json_of(act(test, "pause", "report", "--reason", "it is wrong", "--json"));
	assert_true(json_is_true(json_object_get(json, "changed")));
	json_decref(json);
	json = json_of(act(test, "pause", "report", "--reason", "it is wrong", "--json"));
	assert_true(json_is_false(json_object_get(json, "changed")));
	json_decref(json);
	json_t *task = only_task(test, &list);
	assert_true(json_is_true(json_object_get(task, "paused")));
	assert_string_equal(test_json_text(task, "pause_reason"), "it is wrong");
	assert_true(json_is_string(json_object_get(task, "paused_by")));
	assert_true(json_is_string(json_object_get(task, "paused_at")));
	test_json_null(task, "next_run_at");
	json_decref(list);
	struct test_result result = act(test, "resume", "report");
	assert_code(result, EXIT_STOPPED);
	assert_string_equal(result.output, "task report resumed\n");
	result = act(test, "resume", "report");
	assert_string_equal(result.output, "task report was not paused\n");
	assert_code(act(test, "pause", "other"), EXIT_USAGE);
}

/* A task that Rails has put there, and dray has not. */
static void add_theirs(struct test_db *test)
{
	test_execute(test->db,
		     test->backend[0] == 'm'
			     ? "INSERT INTO solid_queue_recurring_tasks (`key`, schedule, static, "
			       "created_at, updated_at) VALUES ('theirs', '@daily', 1, "
			       "'2026-01-01', '2026-01-01')"
			     : "INSERT INTO solid_queue_recurring_tasks (key, schedule, static, "
			       "created_at, updated_at) VALUES ('theirs', '@daily', true, "
			       "'2026-01-01', '2026-01-01')");
}

static void add_scheduler(struct test_db *test, const char *name, const char *metadata)
{
	struct process_row row = {
		.kind = "Scheduler", .name = name, .pid = 1, .hostname = "web", .metadata = metadata
	};
	struct error error = { 0 };

	assert_ok(process_register(test->db, &row, &error), &error);
}

/* Rails knows of no pauses of tasks: who believes that a task rests is to know where it does not.
 */
TEST(test_pause_where_rails_has_the_task)
{
	struct test_db *test = *state;
	static const char said[] = "dray: warning: the pause does not hold in scheduler-1: ";

	assert_code(add(test), EXIT_STOPPED);
	add_theirs(test);
	add_scheduler(test, "scheduler-0", "{\"recurring_schedule\":[\"theirs\",\"reports\"]}");
	add_scheduler(test, "scheduler-2",
		      "{\"software\":\"dray\",\"recurring_schedule\":[\"report\"]}");
	struct test_result result = act(test, "pause", "report", "--json");
	assert_string_equal(result.errors, "");
	json_t *json = json_of(result);
	test_json_null(json, "not_held_by");
	json_decref(json);
	add_scheduler(test, "scheduler-1", "{\"recurring_schedule\":[\"theirs\",\"report\"]}");
	result = act(test, "pause", "report", "--json");
	assert_contains(result.errors, said);
	json = json_of(result);
	assert_string_equal(test_json_text(json, "not_held_by"), "scheduler-1");
	json_decref(json);
	assert_contains(act(test, "pause", "report", "--dry-run").errors, said);
	assert_string_equal(act(test, "resume", "report").errors, "");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '2026-01-01' "
			       "WHERE name = 'scheduler-1'");
	assert_string_equal(act(test, "pause", "report").errors, "");
	result = act(test, "pause", "theirs");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "theirs is a task of a Rails application alone");
	assert_contains(result.errors, "dray can neither pause nor resume it");
	assert_code(act(test, "pause", "theirs", "--dry-run"), EXIT_USAGE);
	assert_code(act(test, "resume", "theirs"), EXIT_USAGE);
}

/* A job at once, and what is known of it then. */
TEST(test_run)
{
	struct test_db *test = *state;
	json_t *list;

	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "run", "report", "--dry-run"), EXIT_STOPPED);
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_jobs"), 0);
	json_t *json = json_of(act(test, "run", "report", "--json"));
	json_int_t job = test_json_integer(json, "job_id");
	assert_true(job > 0);
	json_decref(json);
	assert_int_equal(count(test, "SELECT count(*) FROM solid_queue_jobs WHERE class_name = "
				     "'Report' AND queue_name = 'slow' AND priority = -3"),
			 1);
	json = json_of(act(test, "history", "report", "--json"));
	assert_int_equal(json_array_size(json), 1);
	json_t *run = json_array_get(json, 0);
	assert_string_equal(test_json_text(run, "outcome"), "manual");
	assert_string_equal(test_json_text(run, "state"), "waiting");
	assert_int_equal(test_json_integer(run, "job_id"), job);
	assert_int_equal(test_json_integer(run, "occurrences"), 1);
	assert_null(json_object_get(run, "moments"));
	json_decref(json);
	assert_contains(act(test, "history", "report").output, "OCCURRENCE");
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
	json_t *task = only_task(test, &list);
	assert_string_equal(test_json_text(task, "last_outcome"), "finished");
	assert_int_equal(test_json_integer(task, "last_job_id"), job);
	json_decref(list);
	json = json_of(act(test, "history", "report", "--before", "2026-01-01", "--json"));
	assert_int_equal(json_array_size(json), 0);
	json_decref(json);
	assert_code(act(test, "history", "other"), EXIT_USAGE);
	assert_code(act(test, "run", "other"), EXIT_USAGE);
}

TEST(test_remove)
{
	struct test_db *test = *state;

	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "remove", "report", "--dry-run"), EXIT_STOPPED);
	struct test_result unasked = act(test, "remove", "report");
	assert_code(unasked, EXIT_USAGE);
	assert_contains(unasked.errors, "--yes");
	assert_int_equal(count(test, "SELECT count(*) FROM dray_audit"), 1);
	json_t *json = json_of(act(test, "remove", "report", "--yes", "--json"));
	assert_string_equal(test_json_text(json, "action"), "remove");
	json_decref(json);
	assert_code(act(test, "remove", "report", "--yes"), EXIT_USAGE);
	json = json_of(test_cli(test, "audit", "--action", "remove task", "--json"));
	assert_int_equal(json_array_size(json), 1);
	json_decref(json);
	assert_int_equal(count(test, "SELECT count(*) FROM dray_audit"), 2);
	add_theirs(test);
	struct test_result result = act(test, "remove", "theirs", "--yes");
	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, "recurring.yml of a Rails application");
}

TEST(test_usage)
{
	struct test_db *test = *state;

	assert_code(act(test, "add", "x", "--schedule", "every day"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "add", "--schedule", "every day", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "list", "--dry-run"), EXIT_USAGE);
	assert_code(act(test, "pause", "x", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--enabled", "maybe"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--priority", "99999999999"), EXIT_USAGE);
}
