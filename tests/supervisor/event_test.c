/* What happens while the heartbeat fails: a role that waits for an event is not forgotten. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/loop.h"
#include "common/process.h"
#include "common/role.h"
#include "process/runner.h"
#include "tests/support/sites/deployment.h"

static struct deployment deployment;
static int bell[2]; /* a byte in it is the role's event */

/* Shared with the role's process. */
static struct {
	atomic_int ticks;
	atomic_int events;
} * play;

static void hear(void *context)
{
	char byte;

	(void)context;
	assert_int_equal(read(bell[0], &byte, 1), 1);
	atomic_fetch_add(&play->events, 1);
}

static enum status waiter_start(struct role_context *context, struct error *error)
{
	enum status status = loop_watch(context->loop, bell[0], LOOP_READ, hear, NULL);

	return status == STATUS_OK ? status : error_set(error, status, "no bell");
}

/* As a worker whose slots are all taken: only an event brings work. */
static enum status waiter_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	(void)error;
	atomic_fetch_add(&play->ticks, 1);
	*wait = CLOCK_NEVER;
	return STATUS_OK;
}

static void waiter_describe(const struct role_context *context, struct text *metadata,
			    struct text *title)
{
	(void)context;
	text_add(metadata, "\"waiter\":true");
	text_add(title, "waiter");
}

static const struct role waiter = {
	.kind = "Waiter",
	.word = "waiter",
	.start = waiter_start,
	.tick = waiter_tick,
	.describe = waiter_describe,
};

static int run_alone(struct deployment *alone)
{
	const struct runner_options runner = {
		.config = &alone->config,
		.notice_fd = -1,
		.death_fd = -1,
	};

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL); /* a test that fails leaves nobody */
	return runner_main(&waiter, &runner);
}

static void await(atomic_int *value, int least)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;

	while (atomic_load(value) < least) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, "the waiter");
		clock_sleep(5 * CLOCK_MILLISECOND);
	}
}

static void test_an_event_during_an_outage_is_not_forgotten(void **state)
{
	int status;

	(void)state;
	deployment.config.process.process_heartbeat_interval = 100 * CLOCK_MILLISECOND;
	pid_t pid = deployment_fork(&deployment, run_alone);
	await(&play->ticks, 1);
	deployment_execute(&deployment, "ALTER TABLE solid_queue_processes RENAME TO hidden");
	deployment_await_log(&deployment, "during=heartbeat");
	assert_int_equal(write(bell[1], "!", 1), 1);
	await(&play->events, 1);
	deployment_execute(&deployment, "ALTER TABLE hidden RENAME TO solid_queue_processes");
	await(&play->ticks, 2);
	deployment_await_log(&deployment, "process.recovered");
	assert_int_equal(kill(pid, SIGTERM), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), EXIT_STOPPED);
}

static int set_up(void **state)
{
	(void)state;
	deployment_open(&deployment, "sqlite");
	return pipe(bell);
}

static int tear_down(void **state)
{
	(void)state;
	deployment_close(&deployment);
	close(bell[0]);
	close(bell[1]);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_an_event_during_an_outage_is_not_forgotten,
						set_up, tear_down),
	};

	play = mmap(NULL, sizeof(*play), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (play == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
