#include "process/janitor.h"

#include "common/clock.h"
#include "queue/processes/servers.h"

static enum status start(struct role_context *context, struct error *error)
{
	(void)context, (void)error;
	return STATUS_OK;
}

static enum status tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context, (void)error;
	*wait = CLOCK_NEVER;
	return STATUS_OK;
}

static void describe(const struct role_context *context, struct text *metadata, struct text *title)
{
	(void)context, (void)metadata;
	text_add(title, "janitor");
}

static void describe_watcher(const struct role_context *context, struct text *metadata,
			     struct text *title)
{
	(void)context, (void)metadata;
	text_add(title, "watcher");
}

const struct role janitor_role = {
	.kind = "Supervisor(fork)",
	.word = "janitor",
	.tier = TIER_JANITOR,
	.start = start,
	.tick = tick,
	.describe = describe,
};

const struct role watcher_role = {
	.kind = WATCHER_KIND,
	.word = "watcher",
	.parts = ~0U,
	.start = start,
	.tick = tick,
	.describe = describe_watcher,
};
