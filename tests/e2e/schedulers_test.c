/*
 * Several `dray scheduler` on one database, each a real process: one is frozen for a while, one has
 * its host's clock an hour off, the database's clock is set (which with SQLite is the host's), and
 * its server crashes in the middle of a firing. In the end every second from the first to the last
 * has one job. The seconds are real ones.
 */
#include "db/driver.h"
#include "tests/support/servers/server.h"
#include "tests/support/sites/site.h"

#define SCHEDULERS  3
#define OCCURRENCES "SELECT count(*) FROM solid_queue_recurring_executions"

struct trio {
	struct site *site;
	struct test_running all[SCHEDULERS];
};

static void configure(struct site *site)
{
	site_queue_yml(site, "process_heartbeat_interval: 0.3\n"
			     "log: {level: debug}\n"
			     "scheduler: {polling_interval: 0.2}\n");
	site_write(site, "config/recurring.yml",
		   "tick: {class: Log, schedule: every second, misfire: all, "
		   "misfire_limit: 1000}\n");
}

static void set_clock(const struct site *site, int64_t seconds_ahead)
{
	int fd = open(site_path(site, "clock"), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(pwrite(fd, &seconds_ahead, sizeof(seconds_ahead), 0),
			 (ssize_t)sizeof(seconds_ahead));
	close(fd);
}

/* One whose host has the clock that was set. */
static struct test_running start_by_clock(struct site *site)
{
	const char *preload = "LD_PRELOAD=" SET_CLOCK;

	return site_spawn(site, "/usr/bin/env",
			  (const char *[]){ preload,
					    arena_printf(site->arena, "CLOCK_AHEAD=%s",
							 site_path(site, "clock")),
					    getenv("DRAY_BINARY"), "scheduler", NULL });
}

static size_t told(struct site *site, const struct test_running *scheduler, const char *event)
{
	return test_count_text(test_command_errors(site->arena, scheduler), event);
}

/* Occurrences that it enqueued, or found enqueued. */
static void await_told(struct trio *trio, size_t index, size_t more)
{
	const struct test_running *who = &trio->all[index];
	size_t wanted = told(trio->site, who, "\"recurring.") + more;

	test_until(told(trio->site, who, "\"recurring.") >= wanted,
		   arena_printf(trio->site->arena, "occurrences of scheduler %zu: %s", index,
				test_command_errors(trio->site->arena, who)));
}

static void stop_one(struct trio *trio, size_t index)
{
	site_stop_other(trio->site, &trio->all[index]);
	trio->all[index].pid = 0;
}

static void stop(struct trio *trio)
{
	for (size_t i = 0; i < SCHEDULERS; i++)
		if (trio->all[i].pid != 0)
			stop_one(trio, i);
}

static int64_t instant(struct site *site, const char *sql)
{
	struct db_rows rows = test_query(site->arena, site->url, sql);

	return db_time(&rows, 0, 0);
}

/* The first is the one after the task became known. */
static void assert_every_second_once(struct site *site, int64_t seconds_ahead)
{
	int64_t occurrences = site_int(site, OCCURRENCES);
	int64_t since = instant(site, "SELECT since FROM dray_recurring_tasks");
	int64_t last = instant(site, "SELECT max(run_at) FROM solid_queue_recurring_executions");
	int64_t first = since / CLOCK_SECOND * CLOCK_SECOND + CLOCK_SECOND;

	assert_number(site, occurrences,
		      "SELECT count(DISTINCT run_at) FROM dray_recurring_runs WHERE outcome = "
		      "'enqueued'");
	assert_int_equal(site_int(site, "SELECT count(*) FROM solid_queue_jobs"), occurrences);
	assert_count(site, occurrences, "solid_queue_ready_executions");
	assert_int_equal((last - first) / CLOCK_SECOND + 1, occurrences);
	assert_true(last <= db_now(site->db) + seconds_ahead * CLOCK_SECOND);
}

/* SC1, SC5. With SQLite the host's clock is the database's, and there is no other one. */
SITE_CASE_REAL(test_three_schedulers, NULL)
{
	struct trio trio = { .site = site };
	bool sqlite = strcmp(site->test->backend, "sqlite") == 0;

	configure(site);
	set_clock(site, 3600);
	for (size_t i = 0; i < SCHEDULERS; i++)
		trio.all[i] =
			i == 0 && !sqlite ? start_by_clock(site) : site_launch(site, "scheduler");
	for (size_t i = 0; i < SCHEDULERS; i++)
		await_told(&trio, i, 1);
	assert_int_equal(told(site, &trio.all[0], "\"clock.skewed\"") > 0, !sqlite);
	(void)site_await_row(site, "Scheduler", "\"recurring_schedule\":[\"tick\"]", 0);
	site_freeze(site, trio.all[1].pid);
	site_await_least(site, OCCURRENCES, site_int(site, OCCURRENCES) + 2);
	assert_int_equal(kill(trio.all[1].pid, SIGCONT), 0);
	await_told(&trio, 1, 3);
	stop(&trio);
	assert_every_second_once(site, 0);
}

#define TASKS "SELECT count(*) FROM solid_queue_recurring_tasks"

/* A deployment with another file: the old scheduler's tasks stay in the database as long as it. */
SITE_CASE_REAL(test_two_files, NULL)
{
	struct trio trio = { .site = site };

	configure(site);
	trio.all[0] = site_launch(site, "scheduler");
	await_told(&trio, 0, 1);
	site_write(site, "config/recurring.yml", "tock: {class: Log, schedule: every second}\n");
	trio.all[1] = site_launch(site, "scheduler");
	await_told(&trio, 1, 2);
	assert_int_equal(told(site, &trio.all[1], "\"recurring.differs\""), 1);
	assert_int_equal(site_int(site, TASKS), 2);
	stop_one(&trio, 0);
	trio.all[2] = site_launch(site, "scheduler");
	await_told(&trio, 2, 1);
	assert_int_equal(told(site, &trio.all[2], "\"recurring.differs\""), 0);
	assert_int_equal(site_int(site, TASKS), 1);
	stop(&trio);
}

/* Forward it is an outage, backward nobody waits until the clock is again where it was. */
SITE_CASE_REAL(test_the_database_clock_is_set, "sqlite")
{
	static const int64_t ahead[] = { 120, 0, 180 };
	struct trio trio = { .site = site };

	configure(site);
	set_clock(site, 0);
	for (size_t i = 0; i < SCHEDULERS; i++)
		trio.all[i] = start_by_clock(site);
	for (size_t i = 0; i < SCHEDULERS; i++)
		await_told(&trio, i, 1);
	for (size_t step = 0; step < sizeof(ahead) / sizeof(ahead[0]); step++) {
		set_clock(site, ahead[step]);
		site_await_least(site, OCCURRENCES, ahead[step]);
		for (size_t i = 0; i < SCHEDULERS; i++)
			await_told(&trio, i, 2);
	}
	stop(&trio);
	assert_every_second_once(site, 180);
}

/* a server of its own */

static const struct {
	const char *backend;
	const char *lock;    /* the record of occurrences */
	const char *waiting; /* how many sessions wait for that lock */
} kinds[] = {
	{ "postgresql", "BEGIN; LOCK TABLE dray_recurring_runs IN EXCLUSIVE MODE",
	  "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'" },
	{ "mysql mariadb", "LOCK TABLES dray_recurring_runs READ",
	  "SELECT count(*) FROM " TEST_SESSIONS " WHERE state LIKE 'Waiting for "
	  "table%'" },
};

TEST_REAL(test_a_server_that_crashes_in_a_firing, "postgresql mysql mariadb")
{
	struct test_db *test = *state;
	struct server server;

	server_open(&server, test->arena, test->backend, 0);
	struct trio trio = { .site = site_open_at(test, server_make_jobs(&server), NULL) };
	configure(trio.site);
	(void)site_dray(trio.site, "db", "migrate");
	for (size_t i = 1; i < SCHEDULERS; i++)
		trio.all[i] = site_launch(trio.site, "scheduler");
	for (size_t i = 1; i < SCHEDULERS; i++)
		await_told(&trio, i, 1);
	/* Jobs have been inserted, the occurrence has not: then the server is gone. */
	size_t kind = strstr(kinds[0].backend, server.backend) ? 0 : 1;
	struct db *other = test_db_open(trio.site->url);
	test_execute(other, kinds[kind].lock);
	site_await_least(trio.site, kinds[kind].waiting, 1);
	server_crash(&server);
	db_close(other);
	server_start(&server);
	for (size_t i = 1; i < SCHEDULERS; i++)
		await_told(&trio, i, 2);
	stop(&trio);
	assert_every_second_once(trio.site, 0);
	site_close(trio.site);
	server_close(&server);
}
