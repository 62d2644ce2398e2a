/* The dispatcher's acceptance cases: DI1, DI2 (its row), DI7, DI8 (when it waits). */
#include "dispatcher/dispatcher.h"
#include "tests/support/limited.h"
#include "tests/support/sites/deployment.h"

static struct deployment *deployment;
static struct site *site;

/* Scheduled, and due since the year 2026 began. */
static void add_due_jobs(int count)
{
	put_copies(site->test, &(struct new_job){ .class_name = "Later", .delay = CLOCK_HOUR },
		   (size_t)count);
	make_due(site->test);
	assert_int_equal(site_jobs_in(site, JOB_SCHEDULED), count);
}

static struct ticking start_dispatcher(int batch_size)
{
	deployment_dispatcher(deployment);
	deployment->config.dispatchers[0].batch_size = batch_size;
	return ticking_start(deployment, &dispatcher_role, site->db);
}

DEPLOYMENT_CASE(test_di7_full_batches_follow_each_other)
{
	struct ticking ticking = start_dispatcher(1);

	add_due_jobs(3);
	for (int i = 1; i <= 3; i++) {
		assert_int_equal(ticking_tick(&ticking), 0);
		assert_int_equal(site_jobs_in(site, JOB_READY), i);
	}
	assert_int_equal(ticking_tick(&ticking), 50 * CLOCK_MILLISECOND);
	ticking_close(&ticking);
}

/* SQLite: due, once times were looked at; zeros: due at once; infinity may be meant. */
DEPLOYMENT_CASE(test_a_time_that_is_none)
{
	static const struct {
		const char *time;
		enum job_state expected;
	} cases[] = { [DB_SQLITE] = { "no time", JOB_READY },
		      [DB_POSTGRESQL] = { "infinity", JOB_SCHEDULED },
		      [DB_MYSQL] = { "0000-00-00 00:00:00", JOB_READY } };
	struct ticking ticking = start_dispatcher(10);
	enum db_dialect dialect = db_dialect_of(site->db);
	char sql[128];

	add_due_jobs(1);
	if (dialect == DB_MYSQL)
		test_execute(site->db, "SET SESSION sql_mode = ''");
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE solid_queue_scheduled_executions SET scheduled_at = '%s'",
		       cases[dialect].time);
	test_execute(site->db, sql);
	for (int i = 0; i < 2; i++)
		(void)ticking_tick(&ticking);
	assert_int_equal(site_jobs_in(site, cases[dialect].expected), 1);
	ticking_close(&ticking);
}

DEPLOYMENT_CASE(test_di8_nothing_due_means_the_interval)
{
	struct ticking ticking = start_dispatcher(10);

	for (int i = 0; i < 3; i++)
		assert_int_equal(ticking_tick(&ticking), 50 * CLOCK_MILLISECOND);
	add_due_jobs(3);
	assert_int_equal(ticking_tick(&ticking), 50 * CLOCK_MILLISECOND); /* not a full batch */
	assert_int_equal(site_jobs_in(site, JOB_READY), 3);
	ticking.context.stopping = true;
	add_due_jobs(1);
	assert_int_equal(ticking_tick(&ticking), CLOCK_NEVER);
	assert_int_equal(site_jobs_in(site, JOB_SCHEDULED), 1);
	ticking_close(&ticking);
}

/* Who was ready vanishes with the semaphore: the next of the key wait for nobody. */
static void lose_the_ready_jobs(void)
{
	lose_ready(site->test);
	test_execute(site->db, "DELETE FROM dray_slots");
	test_execute(site->db, "DELETE FROM solid_queue_semaphores");
	assert_int_equal(site_jobs_in(site, JOB_READY), 0);
}

static bool admits_one(struct ticking *ticking)
{
	(void)ticking_tick(ticking);
	return site_jobs_in(site, JOB_READY) == 1;
}

/* One look at the limits is followed by the next, for as long as the dispatcher lives. */
DEPLOYMENT_CASE(test_limits_are_looked_after_again_and_again)
{
	struct ticking ticking = start_dispatcher(10);

	deployment->config.dispatchers[0].concurrency_maintenance_interval = CLOCK_SECOND / 10;
	put_blocked(site->test, 1, 4);
	for (int round = 0; round < 3; round++) {
		lose_the_ready_jobs();
		site_until(site, admits_one(&ticking), "a job that is let in");
	}
	ticking_close(&ticking);
}

/* IN17, LS2: a look that lets somebody in says so in one line; one that does not says nothing. */
DEPLOYMENT_CASE(test_in17_ls2_who_is_let_in_is_told)
{
	put_blocked(site->test, 2, 4);
	lose_the_ready_jobs();
	deployment_dispatcher(deployment);
	deployment->config.dispatchers[0].concurrency_maintenance_interval = CLOCK_SECOND / 10;
	deployment_start(deployment, NULL);
	site_await_log(site, "limits.healed", 1);
	site_await_jobs(site, JOB_READY, 2);
	clock_sleep(CLOCK_SECOND / 2);
	(void)site_stop(site, SIGTERM);
	assert_int_equal(site_logged(site, "limits.healed"), 1);
	assert_int_equal(site_logged(site, "admitted=2"), 1);
}

/* A slot leaks: that must be seen twice, and the second look does not wait for the interval. */
DEPLOYMENT_CASE(test_a_doubt_is_looked_at_again_soon)
{
	struct ticking ticking = start_dispatcher(10);

	put_blocked(site->test, 1, 2);
	lose_ready(site->test);
	assert_int_equal(value_of(site->test, "k"), 0);
	assert_true(deployment->config.dispatchers[0].concurrency_maintenance_interval >=
		    CLOCK_MINUTE);
	(void)ticking_tick(&ticking);
	assert_int_equal(site_jobs_in(site, JOB_READY), 0);
	site_until(site, admits_one(&ticking), "a job that is let in");
	ticking_close(&ticking);
}

DEPLOYMENT_CASE(test_di1_di2_what_it_says_of_itself)
{
	struct ticking ticking = start_dispatcher(10);
	struct text metadata = { 0 };
	struct text title = { 0 };

	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_string_equal(text_string(&metadata), "\"polling_interval\":0.05,\"batch_size\":10,"
						    "\"concurrency_maintenance_interval\":600");
	assert_string_equal(text_string(&title), "dispatcher every 0.05s, 0 dispatched");
	deployment->config.dispatchers[0].concurrency_maintenance_interval =
		250 * CLOCK_MILLISECOND;
	text_clear(&metadata);
	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_non_null(
		strstr(text_string(&metadata), "\"concurrency_maintenance_interval\":0.25"));
	deployment->config.dispatchers[0].concurrency_maintenance = false;
	text_clear(&metadata);
	dispatcher_role.describe(&ticking.context, &metadata, &title);
	assert_string_equal(text_string(&metadata), "\"polling_interval\":0.05,\"batch_size\":10");
	text_free(&metadata);
	text_free(&title);
	ticking_close(&ticking);
}
