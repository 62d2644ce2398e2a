/*
 * Children that misbehave, played by a role of the test: late ones (BS2), ones that never start,
 * ones with a wrong configuration, ones that were declared dead (BS4), ones that exit(0).
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/role.h"
#include "process/runner.h"
#include "tests/support/sites/deployment.h"

/* Shared by the test and every process of the deployment. */
static struct {
	atomic_int starts;
	atomic_int ticks;
	atomic_int late;        /* how many starts never end */
	atomic_int exits;       /* how many ticks end the process with exit(0) */
	atomic_int tick_status; /* what ticks return */
	atomic_int start_status;
	atomic_int stops;
	atomic_int closes;
	atomic_int busy; /* is the role? */
} * play;

static struct deployment deployment;

static enum status play_start(struct role_context *context, struct error *error)
{
	context->state = NULL;
	if (atomic_fetch_add(&play->starts, 1) < atomic_load(&play->late))
		for (;;)
			pause();
	enum status status = (enum status)atomic_load(&play->start_status);
	return status == STATUS_OK ? status : error_set(error, status, "a start that fails");
}

static enum status play_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	atomic_fetch_add(&play->ticks, 1);
	if (atomic_load(&play->exits) > 0 && atomic_fetch_sub(&play->exits, 1) > 0)
		exit(0); /* NOLINT(concurrency-mt-unsafe): as a job might */
	*wait = 10 * CLOCK_MILLISECOND;
	enum status status = (enum status)atomic_load(&play->tick_status);
	return status == STATUS_OK ? status : error_set(error, status, "a tick that fails");
}

static void play_stop(struct role_context *context)
{
	assert_true(context->stopping);
	atomic_fetch_add(&play->stops, 1);
}

static bool play_idle(const struct role_context *context)
{
	(void)context;
	return atomic_load(&play->busy) == 0;
}

static void play_close(struct role_context *context)
{
	(void)context;
	atomic_fetch_add(&play->closes, 1);
}

static void play_describe(const struct role_context *context, struct text *metadata,
			  struct text *title)
{
	(void)context;
	text_add(metadata, "\"play\":true");
	text_add(title, "player");
}

static const struct role player = {
	.kind = "Player",
	.word = "player",
	.start = play_start,
	.tick = play_tick,
	.stop = play_stop,
	.idle = play_idle,
	.close = play_close,
	.describe = play_describe,
};

static size_t one_entry(const struct config *config)
{
	(void)config;
	return 1;
}

static size_t one_process(const struct config *config, size_t entry)
{
	(void)config;
	(void)entry;
	return 1;
}

static const struct role_kind kinds[] = { { &player, TIER_WORKERS, one_entry, one_process } };
static const struct supervisor_options options = { kinds, 1 };

static int set_up(void **state)
{
	(void)state;
	memset(play, 0, sizeof(*play));
	deployment_open(&deployment, "sqlite");
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static void await(atomic_int *value, int least)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;

	while (atomic_load(value) < least) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, "the player");
		clock_sleep(5 * CLOCK_MILLISECOND);
	}
}

static void assert_stops(void)
{
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

static void assert_exits(int code)
{
	int status = deployment_wait(&deployment);

	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), code);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

/* Its start cannot even be told to stop: TERM is not heard, KILL is. */
static void test_bs2_a_late_child_is_replaced(void **state)
{
	(void)state;
	atomic_store(&play->late, 1);
	deployment.config.process.fork_startup_timeout = 300 * CLOCK_MILLISECOND;
	deployment_start(&deployment, &options);
	await(&play->ticks, 1);
	/* Once by TERM, once by KILL; on a busy machine its successor may be late, too. */
	assert_true(deployment_logged(&deployment, "not ready in time") >= 2);
	assert_stops();
}

static void test_a_child_that_never_starts_is_given_up(void **state)
{
	(void)state;
	atomic_store(&play->start_status, STATUS_FATAL);
	deployment_start(&deployment, &options);
	assert_exits(EXIT_ERROR);
	assert_int_equal(atomic_load(&play->starts), 5);
	assert_int_equal(deployment_logged(&deployment,
					   "player 1 ended 5 times in 30 s before it was ready; "
					   "last: exited with status 1: a start that fails"),
			 1);
	assert_int_equal(deployment_logged(&deployment, "none of the configured processes"), 1);
}

static void test_a_wrong_configuration_is_not_tried_again(void **state)
{
	(void)state;
	atomic_store(&play->start_status, STATUS_INVALID);
	deployment_start(&deployment, &options);
	assert_exits(EXIT_USAGE);
	assert_int_equal(atomic_load(&play->starts), 1);
}

/* BS4: a process that was taken for dead makes room for a new process with a new row. */
static void test_a_lost_row_means_a_new_process(void **state)
{
	(void)state;
	deployment_start(&deployment, &options);
	deployment_await_log(&deployment, "process.started");
	struct process_row first = deployment_process(&deployment, "Player");
	deployment_execute(&deployment, "DELETE FROM solid_queue_processes WHERE kind = 'Player'");
	deployment_await_log(&deployment, "process.lost");
	deployment_await_processes(&deployment, "Player", 1);
	struct process_row second = deployment_process(&deployment, "Player");
	assert_true(second.id > first.id);
	assert_int_not_equal(second.pid, first.pid);
	assert_int_equal(atomic_load(&play->stops), 1);
	assert_int_equal(atomic_load(&play->closes), 1);
	assert_stops();
}

/* Exit status 0 proves nothing: the row is still there and must go. */
static void test_an_exit_without_leaving_is_buried(void **state)
{
	(void)state;
	atomic_store(&play->exits, 1);
	deployment_start(&deployment, &options);
	deployment_await_log(&deployment, "process.buried");
	await(&play->starts, 2);
	deployment_await_processes(&deployment, "Player", 1);
	assert_stops();
}

/* WO2: while it fails, and when it works again: one line each, whatever the number of attempts. */
static void test_an_outage_is_two_lines(void **state)
{
	(void)state;
	deployment_start(&deployment, &options);
	await(&play->ticks, 1);
	atomic_store(&play->tick_status, STATUS_DOWN);
	int before = atomic_load(&play->ticks);
	await(&play->ticks, before + 4);
	atomic_store(&play->tick_status, STATUS_OK);
	deployment_await_log(&deployment, "database.back");
	assert_int_equal(deployment_logged(&deployment, "database.away"), 1);
	assert_int_equal(atomic_load(&play->starts), 1);
	assert_stops();
	assert_int_equal(deployment_logged(&deployment, "database.back"), 1);
}

/* Nobody listens on port 1: the supervisor waits for its database, and can be told not to (BS1). */
static void test_a_supervisor_waits_for_the_database(void **state)
{
	(void)state;
	struct error error;

	deployment.config.database.url = "postgres://nobody@127.0.0.1:1/none";
	if (db_check_url(deployment.config.database.url, &error) != STATUS_OK)
		skip();
	deployment_start(&deployment, &options);
	deployment_await_log(&deployment, "database.away");
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
	assert_int_equal(atomic_load(&play->starts), 0);
}

/* a role alone */

static int run_alone(struct deployment *alone)
{
	const struct runner_options runner = {
		.config = &alone->config,
		.notice_fd = -1,
		.death_fd = -1,
	};

	return runner_main(&player, &runner);
}

static int end_of(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	return WEXITSTATUS(status);
}

static pid_t start_alone(void)
{
	pid_t pid = deployment_fork(&deployment, run_alone);

	await(&play->ticks, 1);
	return pid;
}

static void test_alone_term_waits_and_a_second_one_does_not(void **state)
{
	(void)state;
	atomic_store(&play->busy, 1);
	deployment.config.process.shutdown_timeout = CLOCK_HOUR;
	pid_t pid = start_alone();
	assert_int_equal(deployment_process(&deployment, "Player").supervisor_id, 0);
	kill(pid, SIGTERM);
	await(&play->stops, 1);
	int before = atomic_load(&play->ticks);
	await(&play->ticks, before + 3);
	assert_int_equal(atomic_load(&play->closes), 0);
	kill(pid, SIGINT);
	assert_int_equal(end_of(pid), EXIT_STOPPED);
	assert_int_equal(atomic_load(&play->closes), 1);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

static void test_alone_term_ends_when_idle(void **state)
{
	(void)state;
	atomic_store(&play->busy, 1);
	deployment.config.process.shutdown_timeout = CLOCK_HOUR;
	pid_t pid = start_alone();
	kill(pid, SIGTERM);
	await(&play->stops, 1);
	atomic_store(&play->busy, 0);
	assert_int_equal(end_of(pid), EXIT_STOPPED);
}

static void test_alone_quit_is_at_once(void **state)
{
	(void)state;
	atomic_store(&play->busy, 1);
	deployment.config.process.shutdown_timeout = CLOCK_HOUR;
	pid_t pid = start_alone();
	kill(pid, SIGQUIT);
	assert_int_equal(end_of(pid), EXIT_STOPPED);
	assert_int_equal(atomic_load(&play->stops), 0);
	assert_int_equal(atomic_load(&play->closes), 1);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

/* A start that finds the database away goes on trying and can be told to stop. */
static void test_alone_waits_for_the_database(void **state)
{
	(void)state;
	atomic_store(&play->start_status, STATUS_DOWN);
	pid_t pid = deployment_fork(&deployment, run_alone);
	await(&play->starts, 3);
	assert_int_equal(deployment_logged(&deployment, "database.away"), 1);
	atomic_store(&play->start_status, STATUS_OK);
	await(&play->ticks, 1);
	kill(pid, SIGTERM);
	assert_int_equal(end_of(pid), EXIT_STOPPED);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
}

static void test_alone_stops_while_waiting_for_the_database(void **state)
{
	(void)state;
	atomic_store(&play->start_status, STATUS_DOWN);
	pid_t pid = deployment_fork(&deployment, run_alone);
	await(&play->starts, 2);
	kill(pid, SIGTERM);
	assert_int_equal(end_of(pid), EXIT_STOPPED);
	assert_int_equal(deployment_processes(&deployment, NULL), 0);
	assert_int_equal(atomic_load(&play->ticks), 0);
}

static void test_alone_a_lost_row_ends_it(void **state)
{
	(void)state;
	pid_t pid = start_alone();
	deployment_execute(&deployment, "DELETE FROM solid_queue_processes");
	assert_int_equal(end_of(pid), EXIT_ERROR);
	assert_int_equal(atomic_load(&play->stops), 1);
}

#define CASE(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(test_bs2_a_late_child_is_replaced),
		CASE(test_a_child_that_never_starts_is_given_up),
		CASE(test_a_wrong_configuration_is_not_tried_again),
		CASE(test_a_lost_row_means_a_new_process),
		CASE(test_an_exit_without_leaving_is_buried),
		CASE(test_an_outage_is_two_lines),
		CASE(test_a_supervisor_waits_for_the_database),
		CASE(test_alone_term_waits_and_a_second_one_does_not),
		CASE(test_alone_term_ends_when_idle),
		CASE(test_alone_quit_is_at_once),
		CASE(test_alone_waits_for_the_database),
		CASE(test_alone_stops_while_waiting_for_the_database),
		CASE(test_alone_a_lost_row_ends_it),
	};

	play = mmap(NULL, sizeof(*play), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (play == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
