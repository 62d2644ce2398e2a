/* Recurring tasks through libdray, as a program sees them. */
#include "tests/library/client.h"

static void add(struct dray_client *client)
{
	const struct dray_recurring task =
		DRAY_RECURRING(.key = "report", .schedule = "every day at 9am",
			       .class_name = "Report", .arguments = "{\"days\": 7}",
			       .time_zone = "Europe/Madrid", .queue = "slow", .misfire = "all",
			       .late_after = 60000000, .failures_after = 2, .jitter = 1000000,
			       .timeout = 90000000, .priority = 3);
	struct dray_error error = { 0 };

	expect(dray_recurring_add(client, &task, &error), DRAY_STATUS_OK, &error);
}

CLIENT_CASE(a_task_is_added_and_changed)
{
	struct dray_recurring task =
		DRAY_RECURRING(.key = "report", .schedule = "every hour", .queue = "", .jitter = -1,
			       .timeout = -1, .late_after = -1, .failures_after = -1,
			       .enabled = -1);

	add(client);
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE NOT static AND class_name = 'Report' AND "
		     "queue_name = 'slow' AND priority = 3");
	assert_count(test, 1,
		     "dray_recurring_tasks WHERE settings LIKE '%Europe/Madrid%' AND settings LIKE "
		     "'%jitter%' AND settings LIKE '%timeout%' AND settings LIKE "
		     "'%late_after%' AND settings LIKE '%failures_after%'");
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_OK, error);
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE schedule = '0 * * * * Europe/Madrid' AND "
		     "class_name = 'Report' AND queue_name IS NULL AND priority = 3 AND arguments "
		     "LIKE '%days%'");
	assert_count(test, 1,
		     "dray_recurring_tasks WHERE settings LIKE '%Europe/Madrid%' AND "
		     "settings LIKE '%false%' AND settings NOT LIKE '%jitter%' AND "
		     "settings NOT LIKE '%timeout%' AND settings NOT LIKE '%_after%'");
	task.arguments = "";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_OK, error);
	assert_count(test, 1, "solid_queue_recurring_tasks WHERE arguments IS NULL");
}

/* RK16: the words of a command are arguments of a class of its own, which another class does not
 * keep. */
CLIENT_CASE(a_task_has_a_command)
{
	struct dray_recurring task = DRAY_RECURRING(.key = "report", .command = "bin/report 'a b'",
						    .schedule = "every hour");

	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_OK, error);
	assert_count(test, 1,
		     "dray_recurring_own WHERE class_name = 'dray:command' AND arguments = "
		     "'[\"bin/report\",\"a b\"]' AND command IS NULL");
	task.arguments = "[1]";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_INVALID, error);
	task.arguments = NULL;
	task.command = "Report.all.each { |r| r.send }";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "Ruby source");
	task.command = "bin/\xff";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_INVALID, error);
	task.command = NULL;
	task.class_name = "Report";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_OK, error);
	assert_count(test, 1,
		     "solid_queue_recurring_tasks WHERE class_name = 'Report' AND "
		     "arguments IS NULL");
}

CLIENT_CASE(mistakes_change_nothing)
{
	struct dray_recurring task =
		DRAY_RECURRING(.key = "x", .schedule = "every weekdays", .class_name = "A");
	struct dray_recurring unmade = { .key = "x" };

	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_INVALID, error);
	assert_contains(error->text, "column 7");
	task.schedule = "every day";
	task.time_zone = "Europe/Madrit";
	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_INVALID, error);
	task.time_zone = NULL;
	task.arguments = "{";
	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_INVALID, error);
	task.arguments = NULL;
	task.key = NULL;
	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_INVALID, error);
	expect(dray_recurring_add(client, &unmade, error), DRAY_STATUS_INVALID, error);
	expect(dray_recurring_add(client, NULL, error), DRAY_STATUS_INVALID, error);
	task.key = "x";
	expect(dray_recurring_change(client, &task, error), DRAY_STATUS_NONE, error);
	expect(dray_recurring_remove(client, "x", error), DRAY_STATUS_NONE, error);
	expect(dray_recurring_remove(client, NULL, error), DRAY_STATUS_INVALID, error);
	expect(dray_recurring_pause(client, "x", NULL, error), DRAY_STATUS_NONE, error);
	expect(dray_recurring_resume(client, "x", error), DRAY_STATUS_NONE, error);
	expect(dray_recurring_run(client, "x", NULL, error), DRAY_STATUS_NONE, error);
	assert_count(test, 0, "solid_queue_recurring_tasks");
	assert_count(test, 0, "dray_audit");
	add(client);
	task.key = "report";
	expect(dray_recurring_add(client, &task, error), DRAY_STATUS_CONFLICT, error);
	assert_string_equal(error->text, "there is a task called report already");
}

CLIENT_CASE(a_task_is_paused_run_and_removed)
{
	int64_t job = 0;

	add(client);
	expect(dray_recurring_pause(client, "report", "why not", error), DRAY_STATUS_OK, error);
	expect(dray_recurring_pause(client, "report", "why not", error), DRAY_STATUS_OK, error);
	assert_count(test, 1,
		     "dray_recurring_tasks WHERE paused_at IS NOT NULL AND resumed_at IS NULL AND "
		     "pause_reason = 'why not'");
	expect(dray_recurring_run(client, "report", &job, error), DRAY_STATUS_OK, error);
	assert_true(job > 0);
	assert_count(test, 1,
		     "solid_queue_jobs WHERE queue_name = 'slow' AND priority = 3 AND class_name = "
		     "'Report' AND arguments LIKE '%dray_timeout\":90%'");
	assert_count(test, 1, "dray_recurring_runs WHERE outcome = 'manual'");
	expect(dray_recurring_resume(client, "report", error), DRAY_STATUS_OK, error);
	expect(dray_recurring_resume(client, "report", error), DRAY_STATUS_OK, error);
	expect(dray_recurring_remove(client, "report", error), DRAY_STATUS_OK, error);
	assert_count(test, 0, "solid_queue_recurring_tasks");
}
