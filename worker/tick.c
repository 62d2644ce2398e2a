#include "worker/tick.h"

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "queue/payload/payload.h"
#include "worker/aside.h"
#include "worker/exec/run_exec.h"
#include "worker/last_chance.h"
#include "worker/report.h"
#include "worker/resolve.h"
#include "worker/slow.h"
#include "worker/state.h"
#include "worker/stop.h"

#define LINGER      CLOCK_MILLISECOND        /* lets a burst of short jobs end together */
#define LINGER_MOST (20 * CLOCK_MILLISECOND) /* a backlog that lasts longer is no burst */

/* runs that ended */

static void gather_list(struct worker *worker, struct pool_task *task)
{
	while (task) {
		struct slot *slot = slot_of_task(task);

		task = task->next;
		if (!slot_cancel(slot))
			run_judge(slot);
		slot->ended = true;
		slow_learn(slot);
		worker->pending[worker->pending_count++] = slot;
	}
}

static void gather(struct worker *worker)
{
	struct pool_task *ended = worker->ended;
	struct pool_task *of_pool = pool_take_ended(worker->pool);

	worker->ended = NULL;
	gather_list(worker, ended);
	gather_list(worker, of_pool);
	if (of_pool && worker->buffer) /* we get the orphans of functions, too */
		sweeps_expect(worker);
	aside_offer(worker, atomic_load(&worker->stopping));
}

/* starting */

static void fail_unknown(struct slot *slot)
{
	const char *class = slot->claim.job.class_name;

	slot_fail(slot, "Dray::UnknownClassError",
		  arena_printf(slot->arena, "no handler for class %s (this worker knows: %s)",
			       class, handlers_known(slot->edition->handlers)),
		  NULL);
	worker_ended(slot);
}

static int64_t first_due(const struct job *job)
{
	return job->scheduled_at ? job->scheduled_at : job->created_at;
}

/* It should have begun long ago, and has not yet begun once. */
static bool expired(const struct slot *slot)
{
	const struct job *job = &slot->claim.job;
	const int64_t within = slot->handler->class->expires_in;

	return within > 0 && slot->claim.claimed_at - first_due(job) > within &&
	       job_attempt(job, payload_executions(job->payload)) == 1;
}

static void expire(struct slot *slot)
{
	static const struct config_end discard = { SAYS_DISCARD, -1 };
	char since[CLOCK_TEXT_SIZE], within[CLOCK_TEXT_SIZE];

	clock_format_short(first_due(&slot->claim.job), since);
	clock_span(slot->handler->class->expires_in, within);
	slot->said = &discard;
	slot_fail(slot, "Dray::ExpiredError",
		  arena_printf(slot->arena, "it was due at %s UTC and did not begin within %s",
			       since, within),
		  NULL);
	worker_ended(slot);
}

/* Starts one run; one for the pool is only put at the end of the list. */
static void start(struct slot *slot, struct pool_task ***tail)
{
	slot->handler = handlers_find(slot->edition->handlers, slot->claim.job.class_name);
	report_started(slot);
	if (!slot->handler) {
		fail_unknown(slot);
	} else if (slot->handler->class->handler == HANDLER_NONE) {
		slot_release(slot); /* no claim takes such a job: it is unchanged and goes back */
		worker_ended(slot);
	} else if (expired(slot)) {
		expire(slot);
	} else if (handler_isolated(slot->handler->class)) {
		host_run(slot);
	} else if (slot->handler->class->handler == HANDLER_MODULE) {
		slot_begin(slot);
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
	if (!tasks)
		return;
	worker->submitted_at = clock_monotonic();
	pool_submit(worker->pool, tasks);
}

/* the round trip */

/* Idle threads, and those that this round trip makes idle. */
static size_t room(const struct worker *worker)
{
	return worker->slots.free_count + worker->pending_count + aside_spare(worker) - ASIDE_MOST;
}

static size_t claim_limit(const struct worker *worker, int64_t now)
{
	if (atomic_load(&worker->stopping) || worker->quiet || now < worker->rest_until)
		return 0;
	return room(worker) > worker->others ? room(worker) - worker->others : 0;
}

static bool due(const struct worker *worker, int64_t now)
{
	if (worker->pending_count > 0)
		return true;
	return claim_limit(worker, now) > 0 && now >= worker->next_poll;
}

/* Frees the slots whose outcomes are in the database; those that it refuses are set aside. */
static void forget_settled(struct role_context *context)
{
	struct worker *worker = context->state;
	const size_t count = worker->pending_count;

	worker->pending_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct slot *slot = worker->pending[i];
		const struct outcome *outcome = &worker->outcomes[i];

		if (outcome->aside) {
			aside_put(slot);
			worker->next_poll = 0; /* nothing was claimed */
			continue;
		}
		if (outcome->told)
			slot_told(slot, outcome->why);
		if (outcome->refused)
			report_refused(slot, outcome->why);
		else
			report_ended(slot);
		aside_settled(context, slot);
		slot_free(&worker->slots, slot);
	}
}

/* Behind those that were put back there may be jobs that it knows. */
static void note_unknown(struct worker *worker)
{
	struct claim_unknown *unknown = &worker->claim.unknown;

	if (unknown->put_back == 0)
		return;
	report_unknown(unknown);
	unknown->put_back = 0;
	worker->next_poll = clock_monotonic();
}

static enum status round_trip(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = worker_request(worker);
	struct claim *claims = NULL;
	size_t count = 0;
	enum status status;

	arena_clear(worker->tick_arena);
	worker->claim.limit = last_chance_limit(worker, claim_limit(worker, clock_monotonic()));
	if (worker->pending_count > 0)
		FAULT_POINT("worker.ended");
	status = settle(context->db, worker->tick_arena, &what, &claims, &count, error);
	worker->healthy = status == STATUS_OK;
	if (status == STATUS_UNCERTAIN)
		resolve_later(worker);
	if (status != STATUS_OK)
		return status;
	worker->next_poll = clock_monotonic() + worker->options->polling_interval;
	note_unknown(worker);
	if (worker->pending_count > 0)
		FAULT_POINT("worker.settled");
	forget_settled(context);
	if (count > 0)
		FAULT_POINT("worker.claimed");
	status = last_chance_keep_apart(context, claims, &count, error);
	if (status == STATUS_OK)
		start_all(worker, claims, count);
	else
		resolve_later(worker);
	return status;
}

/*
 * A backlog of the pool mostly lasts microseconds, and what ends meanwhile does not wake the loop.
 * If it lasts, the system gives us no more threads, and an occasional look is enough.
 */
static int64_t next_work(struct worker *worker, int64_t now)
{
	enum pool_state state = pool_look(worker->pool);
	int64_t next;

	if (worker->ended || worker->pending_count > 0 || state == POOL_ENDED)
		return 0;
	if (state == POOL_BACKLOG)
		return now - worker->submitted_at < LINGER_MOST ? LINGER : LINGER_MOST;
	if (atomic_load(&worker->stopping)) /* idle: let the runner see that at once */
		return slots_busy(&worker->slots) == worker->aside_count ? 0 : CLOCK_NEVER;
	next = worker->next_poll > worker->rest_until ? worker->next_poll : worker->rest_until;
	if (room(worker) <= worker->others || worker->quiet)
		next = CLOCK_NEVER;
	next = clock_earlier(next, worker->offer_at);
	if (worker->recheck_at != 0 && worker->recheck_at < next)
		next = worker->recheck_at;
	if (next == CLOCK_NEVER)
		return CLOCK_NEVER;
	return next > now ? next - now : 0;
}

static int64_t next_wait(struct worker *worker)
{
	int64_t now = clock_monotonic();
	int64_t wait = next_work(worker, now);
	int64_t hosts = hosts_due(worker);
	int64_t stops = clock_earlier(stops_due(worker), sweeps_due(worker));
	int64_t first = clock_earlier(hosts, stops);

	if (first == CLOCK_NEVER || wait <= first - now)
		return wait;
	return first > now ? first - now : 0;
}

static enum status settle_ended(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	enum status status = STATUS_OK;

	resolve_after_failover(context);
	gather(worker);
	if (resolve_due(worker))
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
	struct worker *worker = context->state;
	enum status status;

	worker->quiet = context->quiet || context->leaving;
	if (context->others < worker->others)
		worker->next_poll = 0; /* a thread of theirs is ours now */
	worker->others = context->others;
	hosts_tick(worker);
	stops_tick(worker);
	sweeps_tick(worker);
	status = settle_ended(context, error);
	if (status == STATUS_OK)
		*wait = next_wait(worker);
	return status;
}

enum status worker_settle_last(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;

	atomic_store(&worker->stopping, true);
	return settle_ended(context, error);
}
