/*
 * Three schedulers under one clock that the test sets, on every backend whose server is given: days
 * on which the clocks of Madrid change go by in steps of a quarter of an hour, one scheduler being
 * frozen for half a day of them. db_now is the test's (see tests/CMakeLists.txt).
 */
#include "scheduler/scheduler.h"
#include "tests/support/sites/deployment.h"

#define SCHEDULERS 3
#define STEP       (15 * CLOCK_MINUTE)
#define DAY        96 /* steps */
#define STEPS      ((size_t)3 * DAY)
#define MARK       8 /* microseconds: no value comes twice */

static struct deployment *deployment;
static struct site *site;
static struct ticking schedulers[SCHEDULERS];
static int64_t now;

/* What the linker puts in db_now's place. */
int64_t test_now(struct db *db);

int64_t test_now(struct db *db)
{
	(void)db;
	now += MARK;
	return now;
}

/* Another one comes first in each step; the first one sleeps through the second half of a day. */
static void live_three_days(int64_t start)
{
	for (size_t step = 0; step < STEPS; step++) {
		int64_t time = start + (int64_t)step * STEP;
		now = time > now ? time : now;
		for (size_t i = 0; i < SCHEDULERS; i++) {
			size_t who = (step + i) % SCHEDULERS;
			if (who != 0 || step % DAY < DAY / 2)
				(void)ticking_tick(&schedulers[who]);
		}
	}
}

static void check(int64_t start, const char *const nights[3])
{
	struct db_rows rows =
		test_query(deployment->arena, site->url,
			   "SELECT run_at FROM solid_queue_recurring_executions WHERE task_key = "
			   "'nightly' ORDER BY run_at");
	struct db_rows hours =
		test_query(deployment->arena, site->url,
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
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_jobs"), 74);
	assert_int_equal(site_int(site, "SELECT count(*) FROM dray_recurring_runs"), 74);
}

static void run_days(struct test_db *test, const char *first, const char *const nights[3])
{
	int64_t start;

	assert_int_equal(clock_parse(first, &now), STATUS_OK);
	start = now;
	deployment = deployment_open(test);
	site = deployment->site;
	deployment_task(deployment, "hourly", "every hour")->misfire_window = CLOCK_DAY;
	deployment_task(deployment, "nightly", "every day at 2:30am Europe/Madrid")
		->misfire_window = CLOCK_DAY;
	deployment->scheduler.polling_interval = CLOCK_HOUR;
	for (size_t i = 0; i < SCHEDULERS; i++)
		schedulers[i] = ticking_start(deployment, &scheduler_role, test_db_open(site->url));
	live_three_days(start);
	for (size_t i = 0; i < SCHEDULERS; i++) {
		ticking_close(&schedulers[i]);
		db_close(schedulers[i].context.db);
	}
	check(start, nights);
	deployment_close(deployment);
}

/* 02:30 does not exist on the second night: it runs at 03:00. */
static void test_into_summer(void **state)
{
	static const char *const nights[] = { "2026-03-28 01:30", "2026-03-29 01:00",
					      "2026-03-30 00:30" };

	run_days(*state, "2026-03-28", nights);
}

/* 02:30 comes twice on the second night: it runs once. */
static void test_out_of_summer(void **state)
{
	static const char *const nights[] = { "2026-10-24 00:30", "2026-10-25 00:30",
					      "2026-10-26 01:30" };

	run_days(*state, "2026-10-24", nights);
}

TEST_MAIN()
{
	static const struct test_case cases[] = {
		TEST_ROW(test_into_summer),
		TEST_ROW(test_out_of_summer),
	};

	if (clock_parse("2026-01-01", &now) != STATUS_OK) /* for the migrations */
		return 1;
	return test_run_backends("scheduler clock", cases, sizeof(cases) / sizeof(cases[0]));
}
