/* When silence says nothing: the database's clock was set, or nobody could beat for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/clock.h"
#include "supervisor/healing.h"
#include "tests/support/deployment.h"

static struct deployment deployment;
static struct membership member;
static struct healing healing;

static void heal(void)
{
	struct error error = { 0 };

	deployment_must(healing_run(&healing, &member, &error), &error, "healing_run", __LINE__);
}

/* A member that heals, and the row of a worker that has been silent for long. */
static int set_up(void **state)
{
	struct error error = { 0 };
	struct process_row silent = {
		.kind = "Worker", .name = "worker-silent", .pid = 1, .hostname = "elsewhere"
	};

	(void)state;
	deployment_open(&deployment, "sqlite");
	membership_init(&member, &deployment.config, "Supervisor(fork)", "supervisor-test");
	deployment_must(membership_connect(&member, &error), &error, "connect", __LINE__);
	deployment_must(membership_register(&member, &error), &error, "register", __LINE__);
	healing_init(&healing, &deployment.config);
	healing_begin(&healing, false);
	heal();
	deployment_must(process_register(deployment.db, &silent, &error), &error, "row", __LINE__);
	deployment_execute(&deployment, "UPDATE solid_queue_processes SET last_heartbeat_at = "
					"'2026-01-01 00:00:00' WHERE name = 'worker-silent'");
	healing.at = clock_monotonic();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	healing_clear(&healing);
	membership_clear(&member);
	deployment_close(&deployment);
	return 0;
}

static void assert_judges_later(void)
{
	assert_int_equal(deployment_processes(&deployment, "Worker"), 1);
	assert_true(healing.judge_from > clock_monotonic());
	assert_true(healing.at == healing.judge_from);
	healing.judge_from = 0;
	healing.at = clock_monotonic();
	heal();
	assert_int_equal(deployment_processes(&deployment, "Worker"), 0);
}

static void test_the_silent_are_dead(void **state)
{
	(void)state;
	heal();
	assert_int_equal(deployment_processes(&deployment, "Worker"), 0);
}

static void test_nobody_is_dead_because_the_clock_was_set(void **state)
{
	(void)state;
	healing.clock -= CLOCK_HOUR; /* as if it had been an hour behind until now */
	heal();
	assert_judges_later();
}

static void test_nobody_is_dead_because_we_come_late(void **state)
{
	(void)state;
	healing.at -= deployment.config.process.process_alive_threshold;
	heal();
	assert_judges_later();
}

/* A third of a short threshold is late already. */
static void test_lateness_is_measured_by_the_threshold(void **state)
{
	(void)state;
	deployment.config.process.process_alive_threshold = 3 * CLOCK_SECOND;
	healing.at -= 2 * CLOCK_SECOND;
	heal();
	assert_judges_later();
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_the_silent_are_dead),
		CASE(test_nobody_is_dead_because_the_clock_was_set),
		CASE(test_nobody_is_dead_because_we_come_late),
		CASE(test_lateness_is_measured_by_the_threshold),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
