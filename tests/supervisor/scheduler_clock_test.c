/*
 * Three schedulers under one clock that the test sets, on every backend whose server is given: days
 * on which the clocks of Madrid change go by in steps of a quarter of an hour, one scheduler being
 * frozen for half a day of them. db_now is the test's (see tests/CMakeLists.txt).
 */
#include <setjmp.h>
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

#define SCHEDULERS 3
#define STEP       (15 * CLOCK_MINUTE)
#define DAY        96 /* steps */
#define STEPS      ((size_t)3 * DAY)
#define MARK       8 /* microseconds: no value comes twice */

static struct deployment deployment;
static struct config_scheduler settings;
static struct config_task tasks[2];
static struct role_context contexts[SCHEDULERS];
static int64_t now;

/* What the linker puts in db_now's place. */
int64_t test_now(struct db *db);

int64_t test_now(struct db *db)
{
	(void)db;
	now += MARK;
	return now;
}

static void add_task(const char *key, const char *text)
{
	const struct schedule_request request = { .text = text,
						  .key = key,
						  .zones = zones_new(deployment.arena, NULL) };
	struct config_task *task = &tasks[settings.task_count++];
	struct error error = { 0 };

	*task = (struct config_task){ .key = key,
				      .schedule = text,
				      .class = "Test",
				      .misfire = MISFIRE_ALL,
				      .misfire_limit = 1000,
				      .misfire_window = CLOCK_DAY,
				      .enabled = true,
				      .starts = INT64_MIN,
				      .ends = CLOCK_NEVER };
	assert_int_equal(schedule_parse(deployment.arena, &request, &task->timer, NULL, &error),
			 STATUS_OK);
}

static void set_now(const char *text)
{
	assert_int_equal(clock_parse(text, &now), STATUS_OK);
}

static int open_deployment(void **state)
{
	(void)state;
	set_now("2026-01-01");
	deployment_open(&deployment, deployment_backend);
	settings = (struct config_scheduler){ .polling_interval = CLOCK_HOUR, .tasks = tasks };
	add_task("hourly", "every hour");
	add_task("nightly", "every day at 2:30am Europe/Madrid");
	deployment.config.scheduler = &settings;
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static void start_schedulers(void)
{
	struct error error = { 0 };

	for (size_t i = 0; i < SCHEDULERS; i++) {
		struct role_context *context = &contexts[i];
		*context = (struct role_context){ .config = &deployment.config, .name = "test" };
		deployment_must(db_open(&context->db, deployment.config.database.url, NULL, &error),
				&error, "db_open", __LINE__);
		deployment_must(scheduler_role.start(context, &error), &error, "start", __LINE__);
	}
}

static void stop_schedulers(void)
{
	for (size_t i = 0; i < SCHEDULERS; i++) {
		scheduler_role.close(&contexts[i]);
		db_close(contexts[i].db);
	}
}

/* Another one comes first in each step; the first one sleeps through the second half of a day. */
static void live_three_days(int64_t start)
{
	struct error error = { 0 };
	int64_t wait;

	for (size_t step = 0; step < STEPS; step++) {
		int64_t time = start + (int64_t)step * STEP;
		now = time > now ? time : now;
		for (size_t i = 0; i < SCHEDULERS; i++) {
			size_t who = (step + i) % SCHEDULERS;
			if (who != 0 || step % DAY < DAY / 2)
				deployment_must(scheduler_role.tick(&contexts[who], &wait, &error),
						&error, "tick", __LINE__);
		}
	}
}

static int64_t count(const char *sql)
{
	return test_query_int(deployment.config.database.url, sql);
}

static void check(int64_t start, const char *const nights[3])
{
	struct db_rows rows =
		test_query(deployment.arena, deployment.config.database.url,
			   "SELECT run_at FROM solid_queue_recurring_executions WHERE task_key = "
			   "'nightly' ORDER BY run_at");
	struct db_rows hours =
		test_query(deployment.arena, deployment.config.database.url,
			   "SELECT run_at FROM solid_queue_recurring_executions WHERE task_key = "
			   "'hourly' ORDER BY run_at");

	assert_int_equal(rows.count, 3);
	for (size_t i = 0; i < 3; i++) {
		int64_t expected = 0;
		assert_int_equal(clock_parse(nights[i], &expected), STATUS_OK);
		assert_int_equal(db_time(&rows, i, 0), expected);
	}
	assert_int_equal(hours.count, 71); /* the first hour was there before the schedulers */
	for (size_t i = 0; i < hours.count; i++)
		assert_int_equal(db_time(&hours, i, 0), start + (int64_t)(i + 1) * CLOCK_HOUR);
	assert_int_equal(count("SELECT count(*) FROM solid_queue_jobs"), 74);
	assert_int_equal(count("SELECT count(*) FROM dray_recurring_runs"), 74);
}

static void run_days(const char *first, const char *const nights[3])
{
	int64_t start;

	set_now(first);
	start = now;
	start_schedulers();
	live_three_days(start);
	stop_schedulers();
	check(start, nights);
}

/* 02:30 does not exist on the second night: it runs at 03:00. */
static void test_into_summer(void **state)
{
	static const char *const nights[] = { "2026-03-28 01:30", "2026-03-29 01:00",
					      "2026-03-30 00:30" };

	(void)state;
	run_days("2026-03-28", nights);
}

/* 02:30 comes twice on the second night: it runs once. */
static void test_out_of_summer(void **state)
{
	static const char *const nights[] = { "2026-10-24 00:30", "2026-10-25 00:30",
					      "2026-10-26 01:30" };

	(void)state;
	run_days("2026-10-24", nights);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_into_summer),
		CASE(test_out_of_summer),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
