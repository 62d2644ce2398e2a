/*
 * Roles without a supervisor, as containers and service managers run them: what they do together,
 * their signals, and that somebody looks after the dead even when no supervisor exists anywhere.
 */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/process.h"
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/site.h"

#define PATIENCE (60 * CLOCK_SECOND)

#define ROLES                                                                                      \
	"process_heartbeat_interval: 0.1\n"                                                        \
	"process_alive_threshold: 10\n"                                                            \
	"shutdown_timeout: 30\n"                                                                   \
	"workers:\n"                                                                               \
	"  - {queues: first, threads: 2, polling_interval: 0.02}\n"                                \
	"  - {queues: second, threads: 2, polling_interval: 0.02}\n"                               \
	"dispatchers:\n  - {polling_interval: 0.02}\n"

static struct site *open_site(struct test_db *test)
{
	struct site *site = site_open(test);

	site_queue_yml(site, ROLES);
	site_jobs_yml(site,
		      "  Wait: {command: [sh, -c, 'echo >>begun; while [ ! -e go ]; do sleep 0.02; "
		      "done; echo >>completed']}\n"
		      "  Log: {command: [sh, -c, 'echo $DRAY_JOB_ID >>done']}\n");
	return site;
}

#define spawn(site, ...) site_spawn((site), NULL, (const char *[]){ __VA_ARGS__, NULL })

static struct test_result finish(struct site *site, struct test_running *running)
{
	return test_command_finish(site->arena, running, PATIENCE);
}

static struct test_result stop(struct site *site, struct test_running *running, int signal)
{
	assert_int_equal(kill(running->pid, signal), 0);
	return finish(site, running);
}

/* Several hosts share one database and nothing else. */
TEST(test_roles_work_together)
{
	struct site *site = open_site(*state);
	struct test_running dispatcher = spawn(site, "dispatcher");
	struct test_running second = spawn(site, "worker", "--entry", "2");

	site->start = spawn(site, "worker", "--queues", "other, first*", "--threads", "1");
	site_await_rows(site, "Worker", 2);
	site_await_rows(site, "Dispatcher", 1);
	struct process_row row = site_await_row(site, "Worker", "\"other,first*\"", 0);
	assert_int_equal(row.pid, site->start.pid);
	assert_int_equal(row.supervisor_id, 0);
	site_await_title(site, row.pid, "dray: worker other,first* 0/1 busy");
	(void)site_enqueue(site, "Log", "--queue", "first");
	(void)site_enqueue(site, "Log", "--queue", "other", "--in", "1ms");
	(void)site_enqueue(site, "Log", "--queue", "second", "--in", "1ms");
	site_await_done(site, 3);
	assert_code(stop(site, &dispatcher, SIGTERM), 0);
	assert_code(stop(site, &second, SIGINT), 0);
	(void)site_stop(site, SIGTERM);
	site_close(site);
}

static int64_t start_waiting_job(struct site *site)
{
	site->start = spawn(site, "worker");
	int64_t job = site_enqueue(site, "Wait", "--queue", "first");
	site_await_lines(site, "begun", 1);
	return job;
}

TEST(test_term_finishes_what_runs)
{
	struct site *site = open_site(*state);
	int64_t job = start_waiting_job(site);

	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	site_write(site, "go", "");
	assert_code(site_finish(site), 0);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	site_close(site);
}

static void end_at_once(struct test_db *test, int first, int second)
{
	struct site *site = open_site(test);
	int64_t job = start_waiting_job(site);

	if (first) {
		assert_int_equal(kill(site->start.pid, first), 0);
		site_await_log(site, "\"process.stopping\"", 1);
	}
	(void)site_stop(site, second);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_lines(site, "completed"), 0);
	site_close(site);
}

TEST(test_quit_is_at_once)
{
	end_at_once(*state, 0, SIGQUIT);
}

TEST(test_a_second_term_is_at_once)
{
	end_at_once(*state, SIGTERM, SIGTERM);
}

TEST(test_int_after_term_is_at_once)
{
	end_at_once(*state, SIGTERM, SIGINT);
}

TEST(test_quiet_and_dump)
{
	struct site *site = open_site(*state);

	site->start = spawn(site, "worker");
	site_await_rows(site, "Worker", 1);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	(void)site_await_row(site, "Worker", "\"quiet\":true", 0);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	assert_int_equal(kill(site->start.pid, SIGUSR2), 0);
	site_await_log(site, "\"mode\":\"quiet\"", 1);
	site_await_log(site, "\"worker.state\"", 1);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	site_await(site, job, JOB_FINISHED);
	site_close(site);
}

/* The program begins anew in the same process when what it runs has changed, and only then. */
TEST(test_reload)
{
	struct site *site = open_site(*state);
	int64_t job = start_waiting_job(site);
	struct process_row row = site_await_row(site, "Worker", "\"first\"", 0);

	site_queue_yml(site, ROLES "nonsense: 1\n");
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"reload.refused\"", 1);
	site_queue_yml(site, ROLES "  - {batch_size: 7}\n");
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"reload.done\"", 1);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
	site_queue_yml(site, ROLES "log: {level: debug}\n");
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_write(site, "go", "");
	site_await(site, job, JOB_FINISHED);
	struct process_row next = site_await_row(site, "Worker", "\"first\"", row.id);
	assert_int_equal(next.pid, site->start.pid);
	job = site_enqueue(site, "Log", "--queue", "first");
	site_await(site, job, JOB_FINISHED);
	site_await_log(site, "\"job.started\"", 1);
	site_close(site);
}

TEST(test_term_while_it_reloads)
{
	struct site *site = open_site(*state);
	int64_t job = start_waiting_job(site);

	site_queue_yml(site, ROLES "log: {level: debug}\n");
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	assert_int_equal(kill(site->start.pid, SIGUSR2), 0);
	site_await_log(site, "\"process.state\"", 1);
	site_write(site, "go", "");
	assert_code(site_finish(site), 0);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
	site_close(site);
}

/* A host that vanished: nothing but the roles that run alone can notice. */
TEST(test_the_dead_are_pruned_without_a_supervisor)
{
	struct site *site = open_site(*state);
	struct test_running dispatcher = spawn(site, "dispatcher");
	int64_t job = start_waiting_job(site);
	pid_t pid = site->start.pid;

	assert_int_equal(kill(pid, SIGKILL), 0);
	(void)site_finish(site);
	site_silence(site, pid);
	site_write(site, "go", "");
	site_await(site, job, JOB_READY);
	site_await_rows(site, NULL, 1);
	site->start = spawn(site, "worker");
	site_await(site, job, JOB_FINISHED);
	struct test_result result = stop(site, &dispatcher, SIGTERM);
	assert_code(result, 0);
	assert_contains(result.errors, "\"processes.pruned\"");
	site_close(site);
}

TEST(test_orphans_are_released_without_a_supervisor)
{
	struct site *site = open_site(*state);
	int64_t job = start_waiting_job(site);

	assert_int_equal(kill(site->start.pid, SIGKILL), 0);
	(void)site_finish(site);
	test_execute(site->db, "DELETE FROM solid_queue_processes");
	site_write(site, "go", "");
	site->start = spawn(site, "worker");
	site_await(site, job, JOB_FINISHED);
	site_await_log(site, "\"claims.orphaned\"", 1);
	site_close(site);
}

/* A scheduler that needs nothing of the database until it leaves. */
static void start_idle_scheduler(struct site *site, const char *url)
{
	site_write(site, "config/queue.yml",
		   arena_printf(site->arena,
				"database: {url: \"%s\", connect_timeout: 30}\n"
				"process_heartbeat_interval: 1h\nprocess_alive_threshold: 3h\n"
				"shutdown_timeout: 60\nscheduler: {polling_interval: 1h}\n",
				url));
	site_write(site, "config/recurring.yml", "yearly: {class: Log, schedule: every year}\n");
	site->start = spawn(site, "scheduler");
	site_await_log(site, "\"process.started\"", 1);
	assert_int_equal(kill(site->start.pid, SIGUSR2), 0); /* heard after the first tick */
	site_await_log(site, "\"scheduler.state\"", 1);
}

/* Nobody else would soon delete its row: it waits for longer than a supervisor's child does. */
TEST_REAL(test_a_slow_database_is_left_properly, "postgresql mysql mariadb")
{
	struct test_db *test = *state;
	struct forwarder forwarder;
	size_t count;

	struct site *site = open_site(test);
	start_idle_scheduler(site, forwarder_url(&forwarder, site->arena, site->url));
	forwarder_mode(&forwarder, FORWARDER_STALL);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_await_log(site, "\"process.stopping\"", 1);
	clock_sleep(4 * CLOCK_SECOND); /* the slowness itself: this needs the real clock */
	forwarder_mode(&forwarder, FORWARDER_PASS);
	assert_code(site_finish(site), 0);
	(void)site_rows(site, NULL, &count);
	assert_int_equal(count, 0);
	forwarder_stop(&forwarder);
	site_close(site);
}

static void assert_refused(struct site *site, const char *const *arguments, const char *text)
{
	struct test_result result = site_run_dray(site, NULL, arguments);
	size_t count;

	assert_code(result, EXIT_USAGE);
	assert_contains(result.errors, text);
	(void)site_rows(site, NULL, &count);
	assert_int_equal(count, 0);
}

#define refused(site, text, ...)                                                                   \
	assert_refused((site), (const char *const[]){ __VA_ARGS__, NULL }, (text))

TEST(test_mistakes)
{
	struct site *site = open_site(*state);

	refused(site, "has 2 workers, not 3", "worker", "--entry", "3");
	refused(site, "has 1 dispatcher, not 2", "dispatcher", "--entry", "2");
	refused(site, "has no scheduler", "scheduler");
	refused(site, "at most 1024", "worker", "--threads", "1025");
	refused(site, "an empty name", "worker", "--queues", "a,,b");
	site_queue_yml(site, "dispatchers:\n  - {polling_interval: 0.05}\n");
	refused(site, "has no worker", "worker");
	site_close(site);
}

GROUP(NULL, site_group_end);
