/* A child that its supervisor has given up while others go on: the supervisor's row names it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "common/clock.h"
#include "common/role.h"
#include "tests/support/sites/deployment.h"

static struct deployment deployment;

static enum status refuse(struct role_context *context, struct error *error)
{
	context->state = NULL;
	return error_set(error, STATUS_INVALID, "a start that fails");
}

static enum status sit(struct role_context *context, struct error *error)
{
	(void)error;
	context->state = NULL;
	return STATUS_OK;
}

static enum status tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	(void)error;
	*wait = CLOCK_SECOND;
	return STATUS_OK;
}

static void nothing(struct role_context *context)
{
	(void)context;
}

static bool idle(const struct role_context *context)
{
	(void)context;
	return true;
}

static void describe(const struct role_context *context, struct text *metadata, struct text *title)
{
	(void)context;
	text_add(metadata, "\"seat\":1");
	text_add(title, "seat");
}

static const struct role faulty = {
	.kind = "Faulty",
	.word = "faulty",
	.start = refuse,
	.tick = tick,
	.stop = nothing,
	.idle = idle,
	.close = nothing,
	.describe = describe,
};

static const struct role sitter = {
	.kind = "Sitter",
	.word = "sitter",
	.start = sit,
	.tick = tick,
	.stop = nothing,
	.idle = idle,
	.close = nothing,
	.describe = describe,
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

static const struct role_kind kinds[] = {
	{ &faulty, TIER_WORKERS, one_entry, one_process },
	{ &sitter, TIER_WORKERS, one_entry, one_process },
};
static const struct supervisor_options options = { kinds, 2 };

static int set_up(void **state)
{
	(void)state;
	deployment_open(&deployment, deployment_backend);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	deployment_close(&deployment);
	return 0;
}

static void test_who_was_given_up_is_published(void **state)
{
	int64_t deadline = clock_monotonic() + 30 * CLOCK_SECOND;

	(void)state;
	deployment_start(&deployment, &options);
	deployment_await_log(&deployment, "child.given_up");
	while (!strstr(deployment_process(&deployment, "Supervisor(fork)").metadata,
		       "\"given_up\":\"faulty 1\"")) {
		if (clock_monotonic() > deadline)
			deployment_gave_up(&deployment, "the supervisor's metadata");
		clock_sleep(5 * CLOCK_MILLISECOND);
	}
	deployment_await_processes(&deployment, "Sitter", 1);
	kill(deployment.supervisor, SIGTERM);
	assert_int_equal(deployment_wait(&deployment), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_who_was_given_up_is_published, set_up,
						tear_down),
	};

	return deployment_run_backends(tests, sizeof(tests) / sizeof(tests[0]));
}
