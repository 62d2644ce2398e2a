/* When silence says nothing: the database's clock was set, or nobody could beat for a while. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

#include "common/clock.h"
#include "process/healing.h"
#include "queue/pauses/pause.h"
#include "tests/support/query.h"
#include "tests/support/sites/deployment.h"

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
	struct process_row silent = { .kind = "Worker",
				      .name = "worker-silent",
				      .pid = 1,
				      .hostname = "elsewhere",
				      .metadata = "{\"heartbeat_interval\": 0.1}" };

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
	healing.late_at = healing.at - CLOCK_HOUR;
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

/* The silent worker was last heard so many seconds ago. */
static void silent_for(int64_t seconds)
{
	char time[CLOCK_TEXT_SIZE];
	char sql[200];

	clock_format(db_now(member.db) - seconds * CLOCK_SECOND, time);
	(void)snprintf(sql, sizeof(sql),
		       "UPDATE solid_queue_processes SET last_heartbeat_at = '%s'"
		       " WHERE name = 'worker-silent'",
		       time);
	deployment_execute(&deployment, sql);
}

/* We come so many seconds too late. */
static void come_late(int64_t seconds)
{
	healing.at = clock_monotonic() - seconds * CLOCK_SECOND;
	healing.looked_at = healing.at;
	healing.late_at -= seconds * CLOCK_SECOND; /* so long ago, too */
	heal();
}

static void assert_alive(bool alive)
{
	assert_int_equal(deployment_processes(&deployment, "Worker"), alive ? 1 : 0);
}

static int64_t count_jobs(const char *class_name)
{
	char sql[100];

	(void)snprintf(sql, sizeof(sql),
		       "SELECT count(*) FROM solid_queue_jobs WHERE class_name = '%s'", class_name);
	return test_query_int(deployment.config.database.url, sql);
}

static void test_the_silent_are_dead(void **state)
{
	(void)state;
	heal();
	assert_alive(false);
}

/* A minute's look clears what was kept for long enough, and goes on soon while there is more. */
static void test_old_finished_jobs_are_cleared(void **state)
{
	struct error error = { 0 };

	(void)state;
	deployment_execute(&deployment,
			   "WITH RECURSIVE n (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM n WHERE "
			   "n < 1200) INSERT INTO solid_queue_jobs (queue_name, class_name, "
			   "arguments, priority, finished_at, created_at, updated_at) SELECT 'a', "
			   "CASE WHEN n <= 1100 THEN 'Old' ELSE 'Waiting' END, '{}', 0, CASE WHEN "
			   "n <= 1100 THEN '2026-01-01 00:00:00' END, '2026-01-01 00:00:00', "
			   "'2026-01-01 00:00:00' FROM n");
	deployment_execute(
		&deployment,
		"INSERT INTO solid_queue_jobs (queue_name, class_name, arguments, "
		"priority, finished_at, created_at, updated_at) VALUES ('a', 'New', '{}',"
		" 0, '2999-01-01 00:00:00', '2026-01-01 00:00:00', "
		"'2026-01-01 00:00:00')");
	deployment_execute(
		&deployment,
		"INSERT INTO solid_queue_ready_executions (job_id, queue_name, priority, "
		"created_at) SELECT id, queue_name, priority, created_at FROM "
		"solid_queue_jobs WHERE finished_at IS NULL");
	int64_t looks = 0;
	do {
		healing.clear_at = clock_monotonic();
		deployment_must(healing_tend(&healing, &member, &error), &error, "tend", __LINE__);
		looks++;
	} while (count_jobs("Old") > 0 && looks < 100);
	assert_int_equal(count_jobs("Old"), 0);
	assert_int_equal(count_jobs("Waiting"), 100);
	assert_int_equal(count_jobs("New"), 1);
	assert_true(healing_due(&healing) <= healing.clear_at);
}

static void test_nobody_is_dead_because_the_clock_was_set(void **state)
{
	(void)state;
	silent_for(3610);
	healing.clock -= CLOCK_HOUR; /* as if it had been an hour behind until now */
	heal();
	assert_alive(true);
	/* Had it been alive, it would have been heard meanwhile. */
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

static void test_nobody_is_dead_because_we_come_late(void **state)
{
	(void)state;
	silent_for(70);
	come_late(60);
	assert_alive(true);
	heal();
	assert_alive(true);
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

/* All that nobody saw since our last look is forgiven, not only what we are late by. */
static void test_nobody_is_dead_for_what_was_not_seen(void **state)
{
	(void)state;
	silent_for(130);
	healing.at = clock_monotonic() - CLOCK_MINUTE;
	healing.looked_at = healing.at - 40 * CLOCK_SECOND;
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(true);
}

/* Others need not have come back between two outages, if we did. */
static void test_nobody_is_dead_because_we_come_late_again(void **state)
{
	(void)state;
	silent_for(70);
	come_late(60);
	silent_for(133);
	come_late(60);
	assert_alive(true);
}

/* Rows of other software have five minutes, so they get as long to be heard again. */
static void test_slow_hearts_get_longer(void **state)
{
	(void)state;
	deployment_execute(&deployment, "UPDATE solid_queue_processes SET metadata = NULL");
	silent_for(360);
	come_late(310);
	healing.late_at -= CLOCK_MINUTE;
	heal();
	assert_alive(true);
	healing.late_at -= 5 * CLOCK_MINUTE;
	heal();
	assert_alive(false);
}

static void test_who_was_dead_before_is_dead(void **state)
{
	(void)state;
	silent_for(150);
	come_late(60);
	assert_alive(false);
}

/* A third of a short threshold is late already; the dead are found however often we come late. */
static void test_on_a_busy_host_the_dead_are_found(void **state)
{
	(void)state;
	deployment.config.process.process_alive_threshold = 9 * CLOCK_SECOND;
	for (int64_t age = 6; age <= 15; age += 3) {
		silent_for(age);
		come_late(4);
		assert_alive(true);
	}
	silent_for(40);
	come_late(4);
	assert_alive(false);
}

/* Being asked to hurry does not hide that we are late. */
static void test_hurry_is_late_as_well(void **state)
{
	(void)state;
	silent_for(70);
	healing.at -= CLOCK_MINUTE;
	healing.looked_at -= CLOCK_MINUTE;
	healing_begin(&healing, false);
	heal();
	assert_alive(true);
}

static size_t pauses(void)
{
	struct arena *arena = arena_new();
	struct error error = { 0 };
	struct pause_row *rows;
	size_t count = 0;

	deployment_must(pause_list(deployment.db, arena, &rows, &count, &error), &error, "pauses",
			__LINE__);
	arena_free(arena);
	return count;
}

/* Between two healings a timed pause is waited for, and ended at its instant. */
static void test_a_pause_ends_between_two_healings(void **state)
{
	const char *queue = "mail";
	struct pause_note note = { .who = "alice", .ends_at = db_now(member.db) + CLOCK_HOUR };
	int64_t before = clock_monotonic();
	struct error error = { 0 };
	bool changed;

	(void)state;
	deployment_must(pause_queues(deployment.db, &queue, 1, &note, &changed, &error), &error,
			"pause", __LINE__);
	heal();
	assert_true(healing.pauses_at > before); /* others may come before it */
	assert_true(healing.pauses_at < CLOCK_NEVER);
	note.ends_at = db_now(member.db) + CLOCK_SECOND / 10;
	deployment_must(pause_queues(deployment.db, &queue, 1, &note, &changed, &error), &error,
			"pause", __LINE__);
	heal();
	int64_t healed_at = healing.looked_at;
	assert_true(healing_due(&healing) == healing.pauses_at);
	healing.at = CLOCK_NEVER; /* however slow this machine is */
	while (pauses() > 0) {
		struct timespec wait = { 0, 10000000 };
		(void)nanosleep(&wait, NULL);
		deployment_must(healing_tend(&healing, &member, &error), &error, "tend", __LINE__);
	}
	assert_true(healing.looked_at == healed_at);
	deployment_must(resume_queues(deployment.db, &queue, 1, &note, &changed, &error), &error,
			"resume", __LINE__);
	assert_false(changed);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_the_silent_are_dead),
		CASE(test_old_finished_jobs_are_cleared),
		CASE(test_nobody_is_dead_because_the_clock_was_set),
		CASE(test_nobody_is_dead_because_we_come_late),
		CASE(test_nobody_is_dead_for_what_was_not_seen),
		CASE(test_nobody_is_dead_because_we_come_late_again),
		CASE(test_slow_hearts_get_longer),
		CASE(test_who_was_dead_before_is_dead),
		CASE(test_on_a_busy_host_the_dead_are_found),
		CASE(test_hurry_is_late_as_well),
		CASE(test_a_pause_ends_between_two_healings),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
