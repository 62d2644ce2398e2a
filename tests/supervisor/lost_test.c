/* A process that was declared dead in the middle of its work takes nothing more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/process.h"
#include "common/role.h"
#include "process/runner.h"
#include "queue/processes/process.h"
#include "tests/support/sites/deployment.h"
#include "tests/support/wait.h"

#define INTERVAL (100 * CLOCK_MILLISECOND) /* of heartbeats */

/* Shared with the process. */
static struct {
	atomic_int ticks;
	atomic_int greedy; /* ticks after its death that were not told to stop */
} * life;

static struct deployment deployment;

static enum status start(struct role_context *context, struct error *error)
{
	(void)error;
	context->state = NULL;
	return STATUS_OK;
}

/* The first one lasts until the next heartbeat is due, and meanwhile somebody deletes its row. */
static enum status tick(struct role_context *context, int64_t *wait, struct error *error)
{
	int64_t released;

	*wait = 0;
	if (atomic_fetch_add(&life->ticks, 1) > 0) {
		atomic_fetch_add(&life->greedy, !context->stopping);
		return STATUS_OK;
	}
	clock_sleep(2 * INTERVAL);
	return process_deregister(context->db, context->process_id, &released, error);
}

static void describe(const struct role_context *context, struct text *metadata, struct text *title)
{
	(void)context;
	text_add(metadata, "\"mortal\":true");
	text_add(title, "mortal");
}

static const struct role mortal = {
	.kind = "Mortal", .word = "mortal", .start = start, .tick = tick, .describe = describe
};

static int run_alone(struct deployment *unused)
{
	const struct runner_options options = { .config = &deployment.config,
						.death_fd = -1,
						.notice_fd = -1 };

	(void)unused;
	return runner_main(&mortal, &options);
}

static void test_who_was_declared_dead_takes_nothing_more(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	deployment.config.process.process_heartbeat_interval = INTERVAL;
	atomic_store(&life->ticks, 0);
	pid_t pid = deployment_fork(&deployment, run_alone);
	assert_int_equal(test_wait_exit(pid, CLOCK_MINUTE), EXIT_ERROR);
	assert_int_equal(deployment_logged(&deployment, "process.lost"), 1);
	assert_true(atomic_load(&life->ticks) > 0);
	assert_int_equal(atomic_load(&life->greedy), 0);
	deployment_close(&deployment);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_who_was_declared_dead_takes_nothing_more),
	};

	life = mmap(NULL, sizeof(*life), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (life == MAP_FAILED)
		return 1;
	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
