#include "process/janitor.h"

#include "common/clock.h"

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

const struct role janitor_role = {
	.kind = "Supervisor(fork)",
	.word = "janitor",
	.tier = TIER_JANITOR,
	.start = start,
	.tick = tick,
	.describe = describe,
};
