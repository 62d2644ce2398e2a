/*
 * Roles without a supervisor, as containers and service managers run them: what they do together,
 * their signals, and that somebody looks after the dead even when no supervisor exists anywhere.
 */
#include "tests/support/servers/forwarder.h"
#include "tests/support/sites/site.h"

#define ROLES                                                                                      \
	"process_heartbeat_interval: 0.1\n"                                                        \
	"process_alive_threshold: 10\n"                                                            \
	"shutdown_timeout: 30\n"                                                                   \
	"workers:\n"                                                                               \
	"  - {queues: first, threads: 2, polling_interval: 0.02}\n"                                \
	"  - {queues: second, threads: 2, polling_interval: 0.02}\n"                               \
	"dispatchers:\n  - {polling_interval: 0.02}\n"

static struct test_result stop(struct site *site, struct test_running *running, int signal)
{
	assert_int_equal(kill(running->pid, signal), 0);
	return test_command_finish(site->arena, running, CLOCK_MINUTE);
}

/* Several hosts share one database and nothing else. */
SITE_CASE(test_roles_work_together)
{
	site_queue_yml(site, ROLES);
	struct test_running dispatcher = site_launch(site, "dispatcher");
	struct test_running second = site_launch(site, "worker", "--entry", "2");

	site->start = site_launch(site, "worker", "--queues", "other, first*", "--threads", "1");
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
}

static int64_t start_waiting_job(struct site *site)
{
	site->start = site_launch(site, "worker");
	int64_t job = site_begin(site, 1, "Wait", "--queue", "first");
	return job;
}

SITE_CASE(test_term_finishes_what_runs)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);

	site_signal_start(site, SIGTERM, "\"process.stopping\"", 1);
	site_write(site, "go", "");
	assert_code(site_finish(site), 0);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
}

static void end_at_once(struct site *site, int first, int second)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);

	if (first) {
		assert_int_equal(kill(site->start.pid, first), 0);
		site_await_log(site, "\"process.stopping\"", 1);
	}
	(void)site_stop(site, second);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(site_lines(site, "completed"), 0);
}

SITE_CASE(test_quit_is_at_once)
{
	end_at_once(site, 0, SIGQUIT);
}

SITE_CASE(test_a_second_term_is_at_once)
{
	end_at_once(site, SIGTERM, SIGTERM);
}

SITE_CASE(test_int_after_term_is_at_once)
{
	end_at_once(site, SIGTERM, SIGINT);
}

SITE_CASE(test_quiet_and_dump)
{
	site_queue_yml(site, ROLES);
	site->start = site_launch(site, "worker");
	site_await_rows(site, "Worker", 1);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	(void)site_await_row(site, "Worker", "\"quiet\":true", 0);
	int64_t job = site_enqueue(site, "Log", "--queue", "first");
	site_signal_start(site, SIGUSR2, "\"mode\":\"quiet\"", 1);
	site_await_log(site, "\"worker.state\"", 1);
	assert_int_equal(site_state(site, job), JOB_READY);
	assert_int_equal(kill(site->start.pid, SIGUSR1), 0);
	site_await(site, job, JOB_FINISHED);
}

/* The program begins anew in the same process when what it runs has changed, and only then. */
SITE_CASE(test_reload)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);
	struct process_row row = site_await_row(site, "Worker", "\"first\"", 0);

	site_queue_yml(site, ROLES "nonsense: 1\n");
	site_signal_start(site, SIGHUP, "\"reload.refused\"", 1);
	site_queue_yml(site, ROLES "  - {batch_size: 7}\n");
	site_signal_start(site, SIGHUP, "\"reload.done\"", 1);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
	site_queue_yml(site, ROLES "log: {level: debug}\n");
	site_signal_start(site, SIGHUP, "\"process.leaving\"", 1);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	site_let_go(site, job);
	struct process_row next = site_await_row(site, "Worker", "\"first\"", row.id);
	assert_int_equal(next.pid, site->start.pid);
	job = site_enqueue(site, "Log", "--queue", "first");
	site_await(site, job, JOB_FINISHED);
	site_await_log(site, "\"job.started\"", 1);
}

/* Without a supervisor it says itself what is promised, and starts anew for another promise. */
SITE_CASE(test_promises)
{
	site_queue_yml(site, ROLES "queues: {first: {late_after: 60s}}\nexpect_hosts: [a, b]\n");
	site->start = site_launch(site, "worker");
	const struct process_row row =
		site_await_row(site, "Worker", "\"late_after\":{\"first\":60000}", 0);

	assert_non_null(strstr(row.metadata, "\"expect_hosts\":[\"a\",\"b\"]"));
	site_queue_yml(site, ROLES "queues: {first: {late_after: 5m}}\n");
	site_signal_start(site, SIGHUP, "\"process.leaving\"", 1);
	const struct process_row next =
		site_await_row(site, "Worker", "\"late_after\":{\"first\":300000}", row.id);
	assert_int_equal(next.pid, row.pid);
	assert_null(strstr(next.metadata, "expect_hosts"));
}

/* With the file as it is now it would not start again: it waits for one with which it can. */
SITE_CASE(test_a_mistake_while_it_leaves)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);

	site_queue_yml(site, ROLES "log: {level: debug}\n");
	site_signal_start(site, SIGHUP, "\"process.leaving\"", 1);
	site_queue_yml(site, ROLES "nonsense: 1\n");
	site_signal_start(site, SIGHUP, "\"reload.refused\"", 1);
	site_let_go(site, job);
	site_await_log(site, "\"reload.refused\"", 2);
	(void)site_await_row(site, "Worker", "\"leaving_since\":\"20", 0);
	clock_sleep(300 * CLOCK_MILLISECOND);
	assert_int_equal(site_logged(site, "\"reload.refused\""), 2);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 0);
	site_queue_yml(site, ROLES);
	assert_int_equal(kill(site->start.pid, SIGHUP), 0);
	job = site_enqueue(site, "Log", "--queue", "first");
	site_await(site, job, JOB_FINISHED);
	assert_int_equal(site_logged(site, "\"process.stopping\""), 1);
}

SITE_CASE(test_term_while_it_reloads)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);

	site_queue_yml(site, ROLES "log: {level: debug}\n");
	site_signal_start(site, SIGHUP, "\"process.leaving\"", 1);
	assert_int_equal(kill(site->start.pid, SIGTERM), 0);
	site_signal_start(site, SIGUSR2, "\"process.state\"", 1);
	site_write(site, "go", "");
	assert_code(site_finish(site), 0);
	assert_int_equal(site_state(site, job), JOB_FINISHED);
}

/* A host that vanished: nothing but the roles that run alone can notice. */
SITE_CASE(test_the_dead_are_pruned_without_a_supervisor)
{
	site_queue_yml(site, ROLES);
	struct test_running dispatcher = site_launch(site, "dispatcher");
	int64_t job = start_waiting_job(site);
	pid_t pid = site->start.pid;

	assert_int_equal(kill(pid, SIGKILL), 0);
	(void)site_finish(site);
	site_silence(site, pid);
	site_write(site, "go", "");
	site_await(site, job, JOB_READY);
	site_await_rows(site, NULL, 1);
	site->start = site_launch(site, "worker");
	site_await(site, job, JOB_FINISHED);
	struct test_result result = stop(site, &dispatcher, SIGTERM);
	assert_code(result, 0);
	assert_contains(result.errors, "\"processes.pruned\"");
}

SITE_CASE(test_orphans_are_released_without_a_supervisor)
{
	site_queue_yml(site, ROLES);
	int64_t job = start_waiting_job(site);

	assert_int_equal(kill(site->start.pid, SIGKILL), 0);
	(void)site_finish(site);
	test_execute(site->db, "DELETE FROM solid_queue_processes");
	site_write(site, "go", "");
	site->start = site_launch(site, "worker");
	site_await(site, job, JOB_FINISHED);
	site_await_log(site, "\"claims.orphaned\"", 1);
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
	site->start = site_launch(site, "scheduler");
	site_await_log(site, "\"process.started\"", 1);
	assert_int_equal(kill(site->start.pid, SIGUSR2), 0); /* heard after the first tick */
	site_await_log(site, "\"scheduler.state\"", 1);
}

/* Nobody else would soon delete its row: it waits for longer than a supervisor's child does. */
SITE_CASE_REAL(test_a_slow_database_is_left_properly, "postgresql mysql mariadb")
{
	struct forwarder forwarder;

	site_queue_yml(site, ROLES);
	start_idle_scheduler(site, forwarder_url(&forwarder, site->arena, site->url));
	forwarder_mode(&forwarder, FORWARDER_STALL);
	site_signal_start(site, SIGTERM, "\"process.stopping\"", 1);
	clock_sleep(4 * CLOCK_SECOND); /* the slowness itself: this needs the real clock */
	forwarder_mode(&forwarder, FORWARDER_PASS);
	assert_code(site_finish(site), 0);
	assert_int_equal(site_row_count(site, NULL), 0);
	forwarder_stop(&forwarder);
}

SITE_CASE(test_mistakes)
{
	struct text said = { 0 };

	site_queue_yml(site, ROLES);
	assert_refused(&said, site_try(site, "worker", "--entry", "3"));
	assert_refused(&said, site_try(site, "dispatcher", "--entry", "2"));
	assert_refused(&said, site_try(site, "scheduler"));
	assert_refused(&said, site_try(site, "worker", "--threads", "1025"));
	assert_refused(&said, site_try(site, "worker", "--queues", "a,,b"));
	site_queue_yml(site, "dispatchers:\n  - {polling_interval: 0.05}\n");
	assert_refused(&said, site_try(site, "worker"));
	test_said("role.refused", &said);
	assert_int_equal(site_row_count(site, NULL), 0);
}
