/*
 * The dispatcher's acceptance cases on every backend whose server is given: DI1 (its row, with
 * DI2), DI6 (two of them), DI7 and DI8 (when it waits).
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "dispatcher/dispatcher.h"
#include "queue/enqueue/enqueue.h"
#include "tests/support/limited.h"
#include "tests/support/sites/deployment.h"
#include "tests/support/wait.h"

static struct deployment deployment;

static int open_deployment(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	return 0;
}

static int close_deployment(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

/* Scheduled, and due since the year 2026 began. */
static void add_due_jobs(int count)
{
	struct new_job job = { .class_name = "Later", .delay = CLOCK_HOUR };
	struct enqueued enqueued;
	struct error error;

	for (int i = 0; i < count; i++)
		assert_int_equal(enqueue(deployment.db, &job, 1, &enqueued, &error), STATUS_OK);
	deployment_execute(&deployment, "UPDATE solid_queue_scheduled_executions "
					"SET scheduled_at = '2026-01-01 00:00:00'");
	assert_int_equal(deployment_jobs(&deployment, JOB_SCHEDULED), count);
}

static void test_di6_two_dispatchers_move_each_job_once(void **state)
{
	(void)state;
	add_due_jobs(15);
	deployment_dispatcher(&deployment);
	deployment_dispatcher(&deployment);
	deployment_start(&deployment, NULL);
	deployment_await_jobs(&deployment, JOB_READY, 15);
	assert_int_equal(deployment_jobs(&deployment, JOB_SCHEDULED), 0);
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
}

struct ticking {
	struct role_context context;
	struct error error;
};

static struct ticking start_dispatcher(int batch_size)
{
	struct ticking ticking = { .context = { .config = &deployment.config,
						.db = deployment.db,
						.name = "dispatcher-test" } };

	deployment_dispatcher(&deployment);
	deployment.config.dispatchers[0].batch_size = batch_size;
	assert_int_equal(dispatcher_role.start(&ticking.context, &ticking.error), STATUS_OK);
	return ticking;
}

static int64_t tick(struct ticking *ticking)
{
	int64_t wait = -1;

	assert_int_equal(dispatcher_role.tick(&ticking->context, &wait, &ticking->error),
			 STATUS_OK);
	return wait;
}

static void test_di7_full_batches_follow_each_other(void **state)
{
	(void)state;
	struct ticking ticking = start_dispatcher(1);

	add_due_jobs(3);
	for (int i = 1; i <= 3; i++) {
		assert_int_equal(tick(&ticking), 0);
		assert_int_equal(deployment_jobs(&deployment, JOB_READY), i);
	}
	assert_int_equal(tick(&ticking), 50 * CLOCK_MILLISECOND);
	dispatcher_role.close(&ticking.context);
}

/*
 * No time at all: due in SQLite, once the dispatcher has looked at times; a date of zeros is due at
 * once, and infinity may be meant.
 */
static void test_a_time_that_is_none(void **state)
{
	static const struct {
		const char *time;
		enum job_state expected;
	} cases[] = { [DB_SQLITE] = { "no time", JOB_READY },
		      [DB_POSTGRESQL] = { "infinity", JOB_SCHEDULED },
		      [DB_MYSQL] = { "0000-00-00 00:00:00", JOB_READY } };
	(void)state;
	struct ticking ticking = start_dispatcher(10);
	enum db_dialect dialect = db_dialect_of(deployment.db);
	char sql[128];

	add_due_jobs(1);
	if (dialect == DB_MYSQL)
		deployment_execute(&deployment, "SET SESSION sql_mode = ''");
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE solid_queue_scheduled_executions SET scheduled_at = '%s'",
		       cases[dialect].time);
	deployment_execute(&deployment, sql);
	for (int i = 0; i < 2; i++)
		(void)tick(&ticking);
	assert_int_equal(deployment_jobs(&deployment, cases[dialect].expected), 1);
	dispatcher_role.close(&ticking.context);
}

static void test_di8_nothing_due_means_the_interval(void **state)
{
	(void)state;
	struct ticking ticking = start_dispatcher(10);

	for (int i = 0; i < 3; i++)
		assert_int_equal(tick(&ticking), 50 * CLOCK_MILLISECOND);
	add_due_jobs(3);
	assert_int_equal(tick(&ticking), 50 * CLOCK_MILLISECOND); /* not a full batch */
	assert_int_equal(deployment_jobs(&deployment, JOB_READY), 3);
	ticking.context.stopping = true;
	add_due_jobs(1);
	assert_int_equal(tick(&ticking), CLOCK_NEVER);
	assert_int_equal(deployment_jobs(&deployment, JOB_SCHEDULED), 1);
	dispatcher_role.close(&ticking.context);
}

/* Who was ready vanishes with the semaphore: the next of the key wait for nobody. */
static void lose_the_ready_jobs(void)
{
	deployment_execute(&deployment, "DELETE FROM solid_queue_jobs WHERE id IN"
					" (SELECT job_id FROM solid_queue_ready_executions)");
	deployment_execute(&deployment, "DELETE FROM dray_slots");
	deployment_execute(&deployment, "DELETE FROM solid_queue_semaphores");
	assert_int_equal(deployment_jobs(&deployment, JOB_READY), 0);
}

static bool admits_one(void *data)
{
	(void)tick(data);
	return deployment_jobs(&deployment, JOB_READY) == 1;
}

/* One look at the limits is followed by the next, for as long as the dispatcher lives. */
static void test_limits_are_looked_after_again_and_again(void **state)
{
	(void)state;
	struct test_db test = { .backend = deployment.backend,
				.url = deployment.config.database.url,
				.db = deployment.db,
				.arena = deployment.arena };
	struct ticking ticking = start_dispatcher(10);

	deployment.config.dispatchers[0].concurrency_maintenance_interval = CLOCK_SECOND / 10;
	declare(&test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 4; i++)
		put_limited(&test, "Limited", "k");
	for (int round = 0; round < 3; round++) {
		lose_the_ready_jobs();
		assert_true(test_wait_until(admits_one, &ticking, 30 * CLOCK_SECOND));
	}
	dispatcher_role.close(&ticking.context);
}

/* IN17, LS2: a look that lets somebody in says so in one line; one that finds nothing says nothing.
 */
static void test_in17_ls2_who_is_let_in_is_told(void **state)
{
	(void)state;
	struct test_db test = { .backend = deployment.backend,
				.url = deployment.config.database.url,
				.db = deployment.db,
				.arena = deployment.arena };

	declare(&test, "Limited", 2, LIMIT_BLOCK);
	for (int i = 0; i < 4; i++)
		put_limited(&test, "Limited", "k");
	lose_the_ready_jobs();
	deployment_dispatcher(&deployment);
	deployment.config.dispatchers[0].concurrency_maintenance_interval = CLOCK_SECOND / 10;
	deployment_start(&deployment, NULL);
	deployment_await_log(&deployment, "limits.healed");
	deployment_await_jobs(&deployment, JOB_READY, 2);
	clock_sleep(CLOCK_SECOND / 2);
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
	assert_int_equal(deployment_logged(&deployment, "limits.healed"), 1);
	assert_int_equal(deployment_logged(&deployment, "admitted=2"), 1);
}

/* A slot leaks: that must be seen twice, and the second look does not wait for the interval. */
static void test_a_doubt_is_looked_at_again_soon(void **state)
{
	(void)state;
	struct test_db test = { .backend = deployment.backend,
				.url = deployment.config.database.url,
				.db = deployment.db,
				.arena = deployment.arena };
	struct ticking ticking = start_dispatcher(10);

	declare(&test, "Limited", 1, LIMIT_BLOCK);
	for (int i = 0; i < 2; i++)
		put_limited(&test, "Limited", "k");
	deployment_execute(&deployment, "DELETE FROM solid_queue_jobs WHERE id IN"
					" (SELECT job_id FROM solid_queue_ready_executions)");
	assert_int_equal(value_of(&test, "k"), 0);
	assert_true(deployment.config.dispatchers[0].concurrency_maintenance_interval >=
		    CLOCK_MINUTE);
	(void)tick(&ticking);
	assert_int_equal(deployment_jobs(&deployment, JOB_READY), 0);
	assert_true(test_wait_until(admits_one, &ticking, 30 * CLOCK_SECOND));
	dispatcher_role.close(&ticking.context);
}

static void test_di1_di2_what_it_says_of_itself(void **state)
{
	(void)state;
	struct ticking ticking = start_dispatcher(10);
	struct text metadata = { 0 };
	struct text title = { 0 };

	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_string_equal(text_string(&metadata), "\"polling_interval\":0.05,\"batch_size\":10,"
						    "\"concurrency_maintenance_interval\":600");
	assert_string_equal(text_string(&title), "dispatcher every 0.05s, 0 dispatched");
	deployment.config.dispatchers[0].concurrency_maintenance_interval = 250 * CLOCK_MILLISECOND;
	text_clear(&metadata);
	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_non_null(
		strstr(text_string(&metadata), "\"concurrency_maintenance_interval\":0.25"));
	deployment.config.dispatchers[0].concurrency_maintenance = false;
	text_clear(&metadata);
	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_string_equal(text_string(&metadata), "\"polling_interval\":0.05,\"batch_size\":10");
	text_free(&metadata);
	text_free(&title);
	dispatcher_role.close(&ticking.context);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, open_deployment, close_deployment)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_di1_di2_what_it_says_of_itself),
		CASE(test_di6_two_dispatchers_move_each_job_once),
		CASE(test_di7_full_batches_follow_each_other),
		CASE(test_di8_nothing_due_means_the_interval),
		CASE(test_a_time_that_is_none),
		CASE(test_limits_are_looked_after_again_and_again),
		CASE(test_a_doubt_is_looked_at_again_soon),
		CASE(test_in17_ls2_who_is_let_in_is_told),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
