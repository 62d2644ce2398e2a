#include "dispatcher/dispatcher.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/arena.h"
#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/text/uuid.h"
#include "config/config.h"
#include "queue/doctor/times.h"
#include "queue/enqueue/enqueue.h"
#include "queue/limits/heal.h"
#include "queue/limits/slots.h"

/*
 * The part of a tick that limits may take: due jobs are dispatched even while locks are slow to
 * come.
 */
#define HEAL_MOST CLOCK_SECOND

struct dispatcher {
	const struct config_dispatcher *config;
	bool silent;        /* log.silence_polling: an empty batch is not logged */
	int64_t dispatched; /* since the start, for the process title */
	int64_t last_batch;
	int64_t last_at; /* clock_monotonic; 0 = none yet */
	struct dispatching how;
	struct heal heal;
	int64_t heal_at; /* clock_monotonic */
	struct times times;
	int64_t times_at; /* clock_monotonic */
};

static enum status dispatcher_start(struct role_context *context, struct error *error)
{
	(void)error;
	struct dispatcher *dispatcher = calloc(1, sizeof(*dispatcher));

	if (!dispatcher)
		out_of_memory();
	dispatcher->config = &context->config->dispatchers[context->entry];
	dispatcher->heal.most = HEAL_MOST;
	dispatcher->heal.patience = context->config->process.other_process_alive_threshold;
	dispatcher->silent = context->config->log.silence_polling;
	context->state = dispatcher;
	return STATUS_OK;
}

/*
 * A pause of half the interval to the whole, at random, so that the dispatchers do not check limits
 * and times at the same time.
 */
static int64_t spread(int64_t interval)
{
	return interval / 2 + (int64_t)random_below((uint64_t)interval / 2 + 1);
}

static int64_t heal_pause(const struct dispatcher *dispatcher)
{
	int64_t interval = dispatcher->config->concurrency_maintenance_interval;

	if (dispatcher->heal.after)
		return 0;
	if (dispatcher->heal.unsure && HEAL_PATIENCE < interval)
		return HEAL_PATIENCE;
	return spread(interval);
}

static enum status look_after_limits(struct role_context *context, struct error *error)
{
	struct dispatcher *dispatcher = context->state;
	struct heal *heals = &dispatcher->heal;
	int64_t now = clock_monotonic();

	if (!dispatcher->config->concurrency_maintenance || now < dispatcher->heal_at)
		return STATUS_OK;
	FAULT_POINT("dispatcher.healing");
	enum status status = heal(context->db, heals, error);
	if (status == STATUS_OK)
		status = slots_delete_missing(context->db, error);
	if (status != STATUS_OK)
		return status;
	if (heals->repaired > 0 || heals->admitted > 0)
		log_event(LOG_WARN, "limits.healed", LOG_INT("keys", heals->repaired),
			  LOG_INT("admitted", heals->admitted));
	if (heals->failed > 0)
		log_event(LOG_ERROR, "limits.not_healed", LOG_INT("keys", heals->failed),
			  LOG_TEXT("error", error->text));
	dispatcher->heal_at = clock_monotonic() + heal_pause(dispatcher);
	return STATUS_OK;
}

/*
 * Times that were written by hand can make their jobs wait too long or for ever. At most one check
 * a tick, so that due jobs are not delayed.
 */
static enum status look_after_times(struct role_context *context, struct error *error)
{
	struct dispatcher *dispatcher = context->state;
	struct times *times = &dispatcher->times;

	if (clock_monotonic() < dispatcher->times_at)
		return STATUS_OK;
	enum status status = times_mend(context->db, times, error);
	if (status != STATUS_OK)
		return status;
	if (times->mended > 0)
		log_event(LOG_WARN, "times.mended", LOG_INT("jobs", times->mended),
			  LOG_INT("job_id", times->job), LOG_TEXT("scheduled_at", times->text));
	if (times->never > 0)
		log_event(LOG_WARN, "times.never_due", LOG_INT("jobs", times->never),
			  LOG_INT("job_id", times->job), LOG_TEXT("scheduled_at", times->text));
	if (times->after == 0)
		dispatcher->times_at = clock_monotonic() +
				       spread(dispatcher->config->concurrency_maintenance_interval);
	return STATUS_OK;
}

/* How long the role may sleep: until the next poll or check. */
static int64_t nap(const struct dispatcher *dispatcher)
{
	int64_t wait = dispatcher->config->polling_interval;
	int64_t until = dispatcher->heal_at - clock_monotonic();

	if (dispatcher->config->concurrency_maintenance && until < wait)
		wait = until > 0 ? until : 0;
	return wait;
}

/* A full batch means that more may be due, so the next one follows at once. */
static enum status dispatcher_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	struct dispatcher *dispatcher = context->state;
	int batch_size = dispatcher->config->batch_size;
	int64_t moved = 0;

	if (context->stopping || context->quiet) {
		*wait = CLOCK_NEVER;
		return STATUS_OK;
	}
	FAULT_POINT("dispatcher.polling");
	enum status status = dispatch(context->db, &dispatcher->how, batch_size, &moved, error);
	if (status != STATUS_OK && status != STATUS_NONE)
		return status;
	if (moved > 0)
		FAULT_POINT("dispatcher.dispatched");
	dispatcher->dispatched += moved;
	dispatcher->last_batch = moved;
	dispatcher->last_at = clock_monotonic();
	if (moved > 0 || !dispatcher->silent)
		log_event(LOG_DEBUG, "dispatcher.polled", LOG_INT("jobs", moved),
			  LOG_INT("batch_size", batch_size));
	status = look_after_limits(context, error);
	if (status == STATUS_OK)
		status = look_after_times(context, error);
	*wait = moved >= batch_size ? 0 : nap(dispatcher);
	return status;
}

static void dispatcher_close(struct role_context *context)
{
	struct dispatcher *dispatcher = context->state;

	if (dispatcher)
		heal_clear(&dispatcher->heal);
	free(dispatcher);
	context->state = NULL;
}

static void dispatcher_describe(const struct role_context *context, struct text *metadata,
				struct text *title)
{
	const struct config_dispatcher *config = &context->config->dispatchers[context->entry];
	const struct dispatcher *dispatcher = context->state;
	double interval = (double)config->polling_interval / CLOCK_SECOND;

	text_printf(metadata, "\"polling_interval\":%g,\"batch_size\":%d", interval,
		    config->batch_size);
	if (config->concurrency_maintenance)
		text_printf(metadata, ",\"concurrency_maintenance_interval\":%.9g",
			    (double)config->concurrency_maintenance_interval / CLOCK_SECOND);
	text_printf(title, "dispatcher every %gs, %" PRId64 " dispatched", interval,
		    dispatcher ? dispatcher->dispatched : 0);
}

static void dispatcher_dump(const struct role_context *context)
{
	const struct dispatcher *dispatcher = context->state;
	int64_t now = clock_monotonic();

	log_event(LOG_INFO, "dispatcher.state",
		  log_ms("interval_ms", now, now + dispatcher->config->polling_interval),
		  LOG_INT("batch_size", dispatcher->config->batch_size),
		  LOG_INT("dispatched", dispatcher->dispatched),
		  LOG_INT("last_batch", dispatcher->last_batch),
		  log_ms("last_batch_ms", dispatcher->last_at, now));
}

static enum status dispatcher_waits(struct db *db, struct arena *arena, const char **what,
				    struct error *error)
{
	bool any;
	enum status status = dispatch_needed(db, arena, &any, error);

	*what = any ? "scheduled jobs are due" : NULL;
	return status;
}

const struct role dispatcher_role = {
	.kind = "Dispatcher",
	.word = "dispatcher",
	.section = "dispatchers",
	.tier = TIER_FEEDERS,
	.waits = dispatcher_waits,
	.without = "scheduled jobs, and jobs blocked by a limit, do not run",
	.parts = PART_COMMON | PART_DATABASE,
	.start = dispatcher_start,
	.tick = dispatcher_tick,
	.close = dispatcher_close,
	.describe = dispatcher_describe,
	.dump = dispatcher_dump,
};
