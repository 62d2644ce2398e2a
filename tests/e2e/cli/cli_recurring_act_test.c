/* dray recurring add, change, remove, pause, resume, run, history and what list says then. */
#include "queue/processes/process.h"
#include "tests/support/sites/cli.h"
#include "tests/support/sites/rails.h"

#define act(test, ...) test_cli((test), "recurring", __VA_ARGS__)

/* The only line of the list. */
#define assert_task(test, pattern) assert_json(act((test), "list", "--json"), 0, "[" pattern "]")

static struct test_result add(struct test_db *test)
{
	return act(test, "add", "report", "--schedule", "every day at 9am", "--class", "Report",
		   "--args", "{\"days\": 7}", "--queue", "slow", "--priority", "-3", "--time-zone",
		   "Europe/Madrid", "--overlap", "skip", "--jitter", "90s", "--misfire", "all",
		   "--reason", "asked for", "--json");
}

DB_CASE(test_add)
{
	assert_told("recurring.add_dry_run", EXIT_STOPPED,
		    act(test, "add", "report", "--schedule", "every day", "--class", "Report",
			"--dry-run"));
	assert_count(test, 0, "solid_queue_recurring_tasks");
	assert_json(add(test), 0,
		    "{'key': 'report', 'action': 'add', 'words': 'at 09:00 every day', 'zone': "
		    "'Europe/Madrid', 'changed': true, 'dry_run': false}");
	assert_task(test, "{'class': 'Report', 'queue': 'slow', 'from': 'added', 'paused': false, "
			  "'last_run_at': null, 'last_outcome': null, 'next_run_at': '...'}");
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE priority = -3 AND arguments = "
		     "'[{\"days\":7,\"_aj_symbol_keys\":[\"days\"]}]'");
	assert_told("recurring.added_already", EXIT_ERROR, add(test));
	struct test_result result =
		act(test, "next", "report", "-n", "1", "--after", "2026-11-21", "--json");
	assert_contains(result.output, "2026-11-21T08:00:00Z");
	assert_count(test, 1,
		     "dray_audit WHERE action = 'add task' AND target = 'task report' AND reason "
		     "= 'asked for'");
}

DB_CASE(test_change)
{
	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "change", "report"), EXIT_USAGE);
	assert_code(act(test, "change", "report", "--schedule", "every week", "--dry-run"),
		    EXIT_STOPPED);
	struct text said = { 0 };
	assert_refused(&said, act(test, "change", "report", "--schedule", "never"));
	assert_refused(&said, act(test, "change", "report", "--jitter", "2d"));
	assert_refused(&said, act(test, "change", "report", "--timeout", "1us"));
	assert_refused(&said, act(test, "change", "report", "--misfire", "maybe"));
	assert_refused(&said, act(test, "change", "report", "--args", "{"));
	assert_refused(&said, act(test, "change", "raport", "--schedule", "every hour"));
	test_said("recurring.change_refused", &said);
	assert_task(test, "{'schedule': 'every day at 9am'}");
	assert_json(act(test, "change", "report", "--schedule", "every hour", "--queue", "",
			"--enabled", "false", "--json"),
		    0, "{'schedule': 'every hour', 'zone': 'Europe/Madrid', 'next_run_at': null}");
	assert_task(test, "{'schedule': 'every hour', 'queue': null, 'next_run_at': null, "
			  "'enabled': false}");
	json_t *json = test_json(act(test, "change", "report", "--time-zone", "", "--json"));
	assert_string_not_equal(test_json_text(json, "zone"), "Europe/Madrid");
	json_decref(json);
	assert_count(test, 1, "dray_recurring_tasks WHERE settings LIKE '%\"time_zone\"%'");
}

static struct test_result add_command(struct test_db *test, const char *line)
{
	return act(test, "add", "backup", "--schedule", "every hour", "--command", line, "--json");
}

/* A command line is words for workers that have the class of them. */
DB_CASE(test_command)
{
	struct text said = { 0 };

	assert_refused(&said, add_command(test, "Report.send_all(7)"));
	assert_refused(&said, add_command(test, "bin/backup | gzip"));
	assert_refused(&said, add_command(test, " "));
	assert_refused(&said, act(test, "add", "backup", "--schedule", "every hour", "--command",
				  "a", "--class", "A"));
	assert_refused(&said, act(test, "add", "backup", "--schedule", "every hour", "--command",
				  "a", "--args", "[1]"));
	test_said("recurring.command_refused", &said);
	struct test_result result = add_command(test, "bin/backup --to 'the safe'");
	assert_code(result, EXIT_STOPPED);
	assert_wording("recurring.command_needs_class", result.errors);
	assert_count(test, 1,
		     "dray_recurring_own WHERE command IS NULL AND class_name = 'dray:command' "
		     "AND arguments = '[\"bin/backup\",\"--to\",\"the safe\"]'");
	assert_contains(act(test, "list", "--json").output,
			"\"command\": \"bin/backup --to 'the safe'\"");
	assert_code(act(test, "change", "backup", "--queue", "slow", "--json"), EXIT_STOPPED);
	assert_code(act(test, "change", "backup", "--class", "Backup", "--json"), EXIT_STOPPED);
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE class_name = 'Backup' AND arguments IS "
		     "NULL");
	assert_code(act(test, "change", "backup", "--command", "true", "--json"), EXIT_STOPPED);
	assert_code(act(test, "change", "backup", "--command", ""), EXIT_USAGE);
	assert_code(act(test, "run", "backup", "--json"), EXIT_STOPPED);
	assert_count(test, 1,
		     "solid_queue_jobs WHERE class_name = 'dray:command' AND queue_name = 'slow' "
		     "AND arguments LIKE '%[\"true\"]%'");
}

DB_CASE(test_pause)
{
	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "pause", "report", "--dry-run"), EXIT_STOPPED);
	assert_json(act(test, "pause", "report", "--reason", "it is wrong", "--json"), 0,
		    "{'changed': true}");
	assert_json(act(test, "pause", "report", "--reason", "it is wrong", "--json"), 0,
		    "{'changed': false}");
	assert_task(test, "{'paused': true, 'pause_reason': 'it is wrong', 'paused_by': '...', "
			  "'paused_at': '...', 'next_run_at': null}");
	assert_told("recurring.resumed", EXIT_STOPPED, act(test, "resume", "report"));
	assert_wording("recurring.resumed_again", act(test, "resume", "report").output);
	assert_code(act(test, "pause", "other"), EXIT_USAGE);
}

static void add_scheduler(struct test_db *test, const char *name, const char *metadata)
{
	struct process_row row = {
		.kind = "Scheduler", .name = name, .pid = 1, .hostname = "web", .metadata = metadata
	};

	must(process_register, test->db, &row);
}

/* Rails has no pauses of tasks: who believes that a task rests is told where it does not. */
DB_CASE(test_pause_where_rails_has_the_task)
{
	assert_code(add(test), EXIT_STOPPED);
	test_rails_task(test, "@daily", NULL, true);
	assert_json(act(test, "list", "--json"), 0,
		    "[{'key': 'report', 'from': 'added'}, {'key': 'theirs', 'from': 'Rails'}]");
	add_scheduler(test, "scheduler-0", "{\"recurring_schedule\":[\"theirs\",\"reports\"]}");
	add_scheduler(test, "scheduler-2",
		      "{\"software\":\"dray\",\"recurring_schedule\":[\"report\"]}");
	struct test_result result = act(test, "pause", "report", "--json");
	assert_string_equal(result.errors, "");
	assert_json(result, 0, "{'not_held_by': null}");
	add_scheduler(test, "scheduler-1", "{\"recurring_schedule\":[\"theirs\",\"report\"]}");
	result = act(test, "pause", "report", "--json");
	assert_wording("recurring.pause_not_held", result.errors);
	assert_json(result, 0, "{'not_held_by': 'scheduler-1'}");
	assert_wording("recurring.pause_not_held",
		       act(test, "pause", "report", "--dry-run").errors);
	assert_string_equal(act(test, "resume", "report").errors, "");
	test_execute(test->db, "UPDATE solid_queue_processes SET last_heartbeat_at = '2026-01-01' "
			       "WHERE name = 'scheduler-1'");
	assert_string_equal(act(test, "pause", "report").errors, "");
	struct text said = { 0 };
	assert_refused(&said, act(test, "pause", "theirs"));
	assert_refused(&said, act(test, "pause", "theirs", "--dry-run"));
	assert_refused(&said, act(test, "resume", "theirs"));
	assert_refused(&said, act(test, "remove", "theirs", "--yes"));
	test_said("recurring.theirs", &said);
}

/* A job at once, and what is known of it then. */
DB_CASE(test_run)
{
	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "run", "report", "--dry-run"), EXIT_STOPPED);
	assert_count(test, 0, "solid_queue_jobs");
	json_t *json = test_json(act(test, "run", "report", "--json"));
	json_int_t job = test_json_integer(json, "job_id");
	assert_true(job > 0);
	json_decref(json);
	assert_count(test, 1,
		     "solid_queue_jobs WHERE class_name = 'Report' AND queue_name = 'slow' AND "
		     "priority = -3");
	struct test_result history = act(test, "history", "report", "--json");
	assert_json(history, 0,
		    arena_printf(test->arena,
				 "[{'outcome': 'manual', 'state': 'waiting', 'job_id': %lld, "
				 "'occurrences': 1}]",
				 (long long)job));
	assert_null(strstr(history.output, "\"moments\""));
	assert_contains(act(test, "history", "report").output, "OCCURRENCE");
	test_execute(test->db, "UPDATE solid_queue_jobs SET finished_at = created_at");
	assert_json(act(test, "list", "--json"), 0,
		    arena_printf(test->arena, "[{'last_outcome': 'finished', 'last_job_id': %lld}]",
				 (long long)job));
	assert_json(act(test, "history", "report", "--before", "2026-01-01", "--json"), 0, "[]");
	assert_code(act(test, "history", "other"), EXIT_USAGE);
	assert_code(act(test, "run", "other"), EXIT_USAGE);
}

DB_CASE(test_remove_a_task)
{
	assert_code(add(test), EXIT_STOPPED);
	assert_code(act(test, "remove", "report", "--dry-run"), EXIT_STOPPED);
	struct text said = { 0 };
	assert_refused(&said, act(test, "remove", "report"));
	test_said("recurring.remove_unasked", &said);
	assert_count(test, 1, "dray_audit");
	assert_json(act(test, "remove", "report", "--yes", "--json"), 0, "{'action': 'remove'}");
	assert_code(act(test, "remove", "report", "--yes"), EXIT_USAGE);
	assert_json(test_cli(test, "audit", "--action", "remove task", "--json"), 0, "[{}]");
	assert_count(test, 2, "dray_audit");
}

DB_CASE(test_usage)
{
	assert_code(act(test, "add", "x", "--schedule", "every day"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "add", "--schedule", "every day", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "list", "--dry-run"), EXIT_USAGE);
	assert_code(act(test, "pause", "x", "--class", "A"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--enabled", "maybe"), EXIT_USAGE);
	assert_code(act(test, "add", "x", "--priority", "99999999999"), EXIT_USAGE);
}
