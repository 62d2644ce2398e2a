/* What a scheduler looks after besides: rows that others deleted, and its own timers. */

#include "scheduler/scheduler.h"
#include "tests/support/sites/deployment.h"
#include "tests/support/sites/rails.h"

#define OCCURRENCES "SELECT count(*) FROM solid_queue_recurring_executions"
#define OURS        "SELECT count(*) FROM solid_queue_recurring_tasks WHERE class_name = 'Test'"

static struct deployment *deployment;
static struct site *site;
static struct config_task *task;
static struct ticking ticking;

static void begin(void **state)
{
	deployment = deployment_open(*state);
	site = deployment->site;
	task = deployment_task(deployment, "tick", "every second");
	deployment->scheduler.polling_interval = 50 * CLOCK_MILLISECOND;
	deployment->config.process.process_alive_threshold = 200 * CLOCK_MILLISECOND;
	ticking = ticking_start(deployment, &scheduler_role, site->db);
}

static void finish(void)
{
	ticking_close(&ticking);
	deployment_close(deployment);
}

static enum status last; /* of the last tick */

static void tick(void)
{
	int64_t wait = -1;

	last = scheduler_role.tick(&ticking.context, &wait, &ticking.error);
}

static bool advances(void)
{
	return scheduler_role.advances(&ticking.context);
}

/* Rule 8: a scheduler of Rails deletes the static tasks it does not know; we leave theirs alone. */
TEST(test_deleted_rows_return)
{
	begin(state);
	test_rails_task(site->test, "@daily", NULL, true);
	site_until(site, (tick(), site_int(site, OURS) == 1), "the first tick");
	for (int i = 0; i < 2; i++) {
		sql_do(site, "DELETE FROM solid_queue_recurring_tasks WHERE class_name = 'Test'");
		site_until(site, (tick(), site_int(site, OURS) == 1), "the row to return");
	}
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_recurring_tasks"), 2);
	finish();
}

/* Refused again and again it says no more that it is alive. */
TEST(test_timers_that_stand_still_are_told)
{
	begin(state);
	task->overlap = OVERLAP_SKIP; /* it is asked about before each occurrence */
	site_until(site, (tick(), site_int(site, OCCURRENCES) > 0), "the first occurrence");
	test_execute(site->db, "ALTER TABLE dray_recurring_runs RENAME TO elsewhere");
	site_until(site, (tick(), last == STATUS_FATAL && !advances()), "the standstill");
	ticking.context.quiet = true; /* who was asked to do nothing has a reason */
	assert_true(advances());
	ticking.context.quiet = false;
	test_execute(site->db, "ALTER TABLE elsewhere RENAME TO dray_recurring_runs");
	site_until(site, (tick(), last == STATUS_OK && advances()), "timers that advance again");
	assert_int_equal(site_int(site, OCCURRENCES), 1);
	assert_count(site, site_int(site, OCCURRENCES), "solid_queue_jobs");
	finish();
}
