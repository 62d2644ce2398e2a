#include "scheduler/scheduler.h"

#include "common/clock.h"
#include "common/log.h"

static enum status scheduler_start(struct role_context *context, struct error *error)
{
	(void)context;
	(void)error;
	log_event(LOG_WARN, "scheduler.idle",
		  LOG_TEXT("reason", "recurring tasks come with a later version of dray: this "
				     "scheduler enqueues nothing"));
	return STATUS_OK;
}

static enum status scheduler_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	(void)context;
	(void)error;
	*wait = CLOCK_NEVER;
	return STATUS_OK;
}

static void scheduler_describe(const struct role_context *context, struct text *metadata,
			       struct text *title)
{
	(void)context;
	(void)metadata;
	text_add(title, "scheduler idle, no recurring tasks");
}

static void scheduler_dump(const struct role_context *context)
{
	(void)context;
	log_event(LOG_INFO, "scheduler.state", LOG_INT("tasks", 0));
}

const struct role scheduler_role = {
	.kind = "Scheduler",
	.word = "scheduler",
	.start = scheduler_start,
	.tick = scheduler_tick,
	.describe = scheduler_describe,
	.dump = scheduler_dump,
};
