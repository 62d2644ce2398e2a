/* A process that was declared dead in the middle of its work takes nothing more. */
#include "tests/support/sites/deployment.h"

#define INTERVAL (100 * CLOCK_MILLISECOND) /* of heartbeats */

/* Shared with the process. */
static struct {
	atomic_int ticks;
	atomic_int greedy; /* ticks after its death that were not told to stop */
} * life;

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

TEST(test_who_was_declared_dead_takes_nothing_more)
{
	struct deployment *deployment = deployment_open(*state);
	struct site *site = deployment->site;

	life = test_share(sizeof(*life));
	deployment->config.process.process_heartbeat_interval = INTERVAL;
	deployment_start_role(deployment, &mortal);
	assert_code(site_finish(site), EXIT_ERROR);
	assert_int_equal(site_logged(site, "process.lost"), 1);
	assert_true(atomic_load(&life->ticks) > 0);
	assert_int_equal(atomic_load(&life->greedy), 0);
	deployment_close(deployment);
}
