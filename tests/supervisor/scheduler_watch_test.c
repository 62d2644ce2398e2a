/*
 * What a scheduler looks after beside its occurrences, on every backend whose server is given: rows
 * that others have deleted, and whether its own timers advance.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "schedule/schedule.h"
#include "scheduler/scheduler.h"
#include "tests/support/query.h"
#include "tests/support/sites/deployment.h"

#define PATIENCE    (60 * CLOCK_SECOND)
#define OCCURRENCES "SELECT count(*) FROM solid_queue_recurring_executions"
#define OURS        "SELECT count(*) FROM solid_queue_recurring_tasks WHERE class_name = 'Test'"

static struct deployment deployment;
static struct config_scheduler settings;
static struct config_task task;
static struct role_context context;

static int open_deployment(void **state)
{
	struct schedule_request request = { .text = "every second" };
	struct error error = { 0 };

	(void)state;
	deployment_open(&deployment, deployment_backend);
	request.zones = zones_new(deployment.arena, NULL);
	task = (struct config_task){ .key = "tick",
				     .schedule = request.text,
				     .class = "Test",
				     .misfire = MISFIRE_ALL,
				     .misfire_limit = 1000,
				     .misfire_window = CLOCK_HOUR,
				     .enabled = true,
				     .starts = INT64_MIN,
				     .ends = CLOCK_NEVER };
	assert_int_equal(schedule_parse(deployment.arena, &request, &task.timer, NULL, &error),
			 STATUS_OK);
	settings = (struct config_scheduler){ .polling_interval = 50 * CLOCK_MILLISECOND,
					      .tasks = &task,
					      .task_count = 1 };
	deployment.config.scheduler = &settings;
	deployment.config.process.process_alive_threshold = 200 * CLOCK_MILLISECOND;
	context = (struct role_context){ .config = &deployment.config,
					 .db = deployment.db,
					 .name = "scheduler-test" };
	deployment_must(scheduler_role.start(&context, &error), &error, "start", __LINE__);
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	scheduler_role.close(&context);
	deployment_close(&deployment);
	return 0;
}

static int64_t count(const char *sql)
{
	return test_query_int(deployment.config.database.url, sql);
}

static enum status tick(void)
{
	struct error error = { 0 };
	int64_t wait = -1;

	return scheduler_role.tick(&context, &wait, &error);
}

static enum status last;

static void tick_until(bool (*condition)(void), const char *what)
{
	int64_t deadline = clock_monotonic() + PATIENCE;

	do {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, what);
		last = tick();
		clock_sleep(10 * CLOCK_MILLISECOND);
	} while (!condition());
}

static bool is_restored(void)
{
	return count(OURS) == 1;
}

static bool has_occurrences(void)
{
	return count(OCCURRENCES) > 0;
}

static bool advances(void)
{
	return scheduler_role.advances(&context);
}

static bool stands_still(void)
{
	return last == STATUS_FATAL && !advances();
}

static bool advances_again(void)
{
	return last == STATUS_OK && advances();
}

/* Rule 8: a scheduler of Rails deletes the static tasks it does not know; we leave theirs alone. */
static void test_deleted_rows_return(void **state)
{
	(void)state;
	deployment_execute(&deployment,
			   *deployment_backend == 'm'
				   ? "INSERT INTO solid_queue_recurring_tasks (`key`, schedule, "
				     "static, created_at, updated_at) VALUES ('theirs', '@daily', "
				     "1, '2026-01-01', '2026-01-01')"
				   : "INSERT INTO solid_queue_recurring_tasks (key, schedule, "
				     "static, created_at, updated_at) VALUES ('theirs', '@daily', "
				     "true, '2026-01-01', '2026-01-01')");
	tick_until(is_restored, "the first tick");
	for (int i = 0; i < 2; i++) {
		deployment_execute(&deployment, "DELETE FROM solid_queue_recurring_tasks WHERE "
						"class_name = 'Test'");
		tick_until(is_restored, "the row to return");
	}
	assert_int_equal(count("SELECT count(*) FROM solid_queue_recurring_tasks"), 2);
}

/* Refused again and again it says no more that it is alive. */
static void test_timers_that_stand_still_are_told(void **state)
{
	(void)state;
	task.overlap = OVERLAP_SKIP; /* it is asked about before each occurrence */
	tick_until(has_occurrences, "the first occurrence");
	deployment_execute(&deployment, "ALTER TABLE dray_recurring_runs RENAME TO elsewhere");
	tick_until(stands_still, "the standstill");
	context.quiet = true; /* who was asked to do nothing has a reason */
	assert_true(advances());
	context.quiet = false;
	deployment_execute(&deployment, "ALTER TABLE elsewhere RENAME TO dray_recurring_runs");
	tick_until(advances_again, "timers that advance again");
	assert_int_equal(count(OCCURRENCES), 1);
	assert_int_equal(count("SELECT count(*) FROM solid_queue_jobs"), count(OCCURRENCES));
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_deleted_rows_return),
		CASE(test_timers_that_stand_still_are_told),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
