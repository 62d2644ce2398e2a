#include "worker/tick.h"

#include "common/clock.h"
#include "common/log.h"
#include "common/loop.h"
#include "worker/run_exec.h"
#include "worker/state.h"

#define REST        CLOCK_SECOND
#define LINGER      CLOCK_MILLISECOND        /* for a burst of short jobs to end together */
#define LINGER_MOST (20 * CLOCK_MILLISECOND) /* after that the backlog is no burst */

/* ------------------------------------------------------------------ runs that ended */

void worker_ended(struct slot *slot)
{
	struct worker *worker = slot->worker;

	slot->task.next = worker->ended;
	worker->ended = &slot->task;
	loop_wake(worker->loop);
}

void worker_rest(struct worker *worker, const char *reason)
{
	worker->rest_until = clock_monotonic() + REST;
	log_event(LOG_WARN, "worker.rest", LOG_TEXT("reason", reason));
}

static void gather_list(struct worker *worker, struct pool_task *task)
{
	while (task != NULL) {
		struct slot *slot = slot_of_task(task);

		task = task->next;
		slot->ended = true;
		worker->pending[worker->pending_count++] = slot;
	}
}

static void gather(struct worker *worker)
{
	struct pool_task *ended = worker->ended;

	worker->ended = NULL;
	gather_list(worker, ended);
	gather_list(worker, pool_take_ended(worker->pool));
}

/* ------------------------------------------------------------------ what is told */

static void log_failed(const struct slot *slot)
{
	const struct job *job = &slot->claim.job;

	log_event(LOG_WARN, "job.failed", LOG_INT("job", job->id),
		  LOG_TEXT("class", job->class_name), LOG_TEXT("queue", job->queue),
		  LOG_TEXT("exception", slot->failure_class), LOG_TEXT("message", slot->failure),
		  LOG_REAL("ms", (double)(slot->ended_at - slot->started_at) / 1000.0));
}

/* Commands are worth a line each; module jobs may be thousands a second. */
static void log_finished(const struct slot *slot)
{
	const struct job *job = &slot->claim.job;
	enum log_level level = slot->exec != NULL ? LOG_INFO : LOG_DEBUG;

	if (log_enabled(level))
		log_event(level, "job.finished", LOG_INT("job", job->id),
			  LOG_TEXT("class", job->class_name), LOG_TEXT("queue", job->queue),
			  LOG_REAL("ms", (double)(slot->ended_at - slot->started_at) / 1000.0));
}

static void log_released(const struct slot *slot)
{
	log_event(LOG_INFO, "job.released", LOG_INT("job", slot->claim.job.id),
		  LOG_TEXT("class", slot->claim.job.class_name));
}

static void (*const log_outcome[])(const struct slot *slot) = {
	[OUTCOME_FINISHED] = log_finished,
	[OUTCOME_FAILED] = log_failed,
	[OUTCOME_RELEASED] = log_released,
};

static void log_lost(const struct slot *slot)
{
	log_event(LOG_WARN, "job.lost", LOG_INT("job", slot->claim.job.id),
		  LOG_TEXT("class", slot->claim.job.class_name), LOG_INT("claim", slot->claim.id),
		  LOG_TEXT("reason", "the job was taken from this worker while it ran"));
}

static void log_started(const struct slot *slot)
{
	const struct job *job = &slot->claim.job;

	if (log_enabled(LOG_DEBUG))
		log_event(LOG_DEBUG, "job.started", LOG_INT("job", job->id),
			  LOG_TEXT("class", job->class_name), LOG_TEXT("queue", job->queue),
			  LOG_INT("claim", slot->claim.id));
}

/* ------------------------------------------------------------------ starting */

static void fail_unknown(struct slot *slot)
{
	const char *class = slot->claim.job.class_name;

	slot_fail(slot, "Dray::UnknownClassError",
		  arena_printf(slot->arena, "no handler for class %s (this worker knows: %s)",
			       class, handlers_known(slot->worker->handlers)),
		  NULL);
	worker_ended(slot);
}

/* Starts one run; one for the pool goes in front of *tasks. */
static void start(struct slot *slot, struct pool_task ***tail)
{
	slot->handler = handlers_find(slot->worker->handlers, slot->claim.job.class_name);
	log_started(slot);
	if (slot->handler == NULL) {
		fail_unknown(slot);
	} else if (slot->handler->class->handler == HANDLER_MODULE) {
		**tail = &slot->task;
		*tail = &slot->task.next;
	} else if (!exec_start(slot)) {
		worker_ended(slot);
	}
}

static void start_all(struct worker *worker, const struct claim claims[], size_t count)
{
	struct pool_task *tasks = NULL;
	struct pool_task **tail = &tasks;

	for (size_t i = 0; i < count; i++)
		start(slot_take(&worker->slots, &claims[i]), &tail);
	*tail = NULL;
	if (tasks == NULL)
		return;
	worker->submitted_at = clock_monotonic();
	pool_submit(worker->pool, tasks);
}

/* ------------------------------------------------------------------ the round trip */

/* Idle slots, and those that this very round trip makes idle. */
static size_t claim_limit(const struct worker *worker, int64_t now)
{
	if (atomic_load(&worker->stopping) || now < worker->rest_until)
		return 0;
	return worker->slots.free_count + worker->pending_count;
}

static bool due(const struct worker *worker, int64_t now)
{
	if (worker->pending_count > 0)
		return true;
	return claim_limit(worker, now) > 0 && now >= worker->next_poll;
}

static struct settle_request request(struct worker *worker)
{
	for (size_t i = 0; i < worker->pending_count; i++)
		worker->outcomes[i] = worker->pending[i]->outcome;
	return (struct settle_request){
		.process_id = worker->claim.process_id,
		.outcomes = worker->outcomes,
		.outcome_count = worker->pending_count,
		.preserve_finished_jobs = worker->config->process.preserve_finished_jobs,
		.claim = &worker->claim,
	};
}

/* The slots whose outcomes are in the database are free again. */
static void forget_settled(struct worker *worker)
{
	for (size_t i = 0; i < worker->pending_count; i++) {
		struct slot *slot = worker->pending[i];

		if (worker->outcomes[i].lost)
			log_lost(slot);
		else
			log_outcome[slot->outcome.kind](slot);
		slot_free(&worker->slots, slot);
	}
	worker->pending_count = 0;
}

/* A commit's outcome is unknown: what is in the database decides what remains to be done. */
static enum status resolve(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = request(worker);
	size_t held = slots_held(&worker->slots, worker->held);
	enum status status = settle_resolve(context->db, &what, worker->held, held, error);
	size_t left = 0;

	if (status != STATUS_OK)
		return status;
	worker->uncertain = false;
	for (size_t i = 0; i < worker->pending_count; i++) {
		struct slot *slot = worker->pending[i];

		if (worker->outcomes[i].claim_id != 0) {
			worker->pending[left++] = slot;
			continue;
		}
		log_outcome[slot->outcome.kind](slot);
		slot_free(&worker->slots, slot);
	}
	worker->pending_count = left;
	return STATUS_OK;
}

static enum status round_trip(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = request(worker);
	struct claim *claims = NULL;
	size_t count = 0;
	enum status status;

	arena_clear(worker->tick_arena);
	worker->claim.limit = claim_limit(worker, clock_monotonic());
	status = settle(context->db, worker->tick_arena, &what, &claims, &count, error);
	worker->uncertain = status == STATUS_UNCERTAIN;
	worker->healthy = status == STATUS_OK;
	if (status != STATUS_OK)
		return status;
	worker->next_poll = clock_monotonic() + worker->options->polling_interval;
	forget_settled(worker);
	start_all(worker, claims, count);
	return STATUS_OK;
}

/*
 * A backlog of the pool mostly lasts for microseconds, and what ends meanwhile does not wake the
 * loop; if it lasts, the host has no thread for us, and looking now and then is enough.
 */
static int64_t next_wait(struct worker *worker)
{
	int64_t now = clock_monotonic();
	enum pool_state state = pool_look(worker->pool);
	int64_t next;

	if (worker->ended != NULL || state == POOL_ENDED)
		return 0;
	if (state == POOL_BACKLOG)
		return now - worker->submitted_at < LINGER_MOST ? LINGER : LINGER_MOST;
	if (worker->slots.free_count == 0 || atomic_load(&worker->stopping))
		return CLOCK_NEVER;
	next = worker->next_poll > worker->rest_until ? worker->next_poll : worker->rest_until;
	return next > now ? next - now : 0;
}

static enum status settle_ended(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	enum status status = STATUS_OK;

	gather(worker);
	if (worker->uncertain)
		status = resolve(context, error);
	if (status == STATUS_OK && due(worker, clock_monotonic()))
		status = round_trip(context, error);
	if (status != STATUS_UNCERTAIN)
		return status;
	log_event(LOG_WARN, "worker.commit_uncertain", LOG_TEXT("error", error->text));
	return resolve(context, error);
}

enum status worker_tick(struct role_context *context, int64_t *wait, struct error *error)
{
	enum status status = settle_ended(context, error);

	if (status == STATUS_OK)
		*wait = next_wait(context->state);
	return status;
}

enum status worker_settle_last(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;

	atomic_store(&worker->stopping, true);
	return settle_ended(context, error);
}
