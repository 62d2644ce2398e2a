/*
 * A worker's unit of work: settle the runs that ended, claim jobs for the idle threads, start them.
 * The first two are one round trip, so a job that has ended is settled and the next one is there
 * after the same commit.
 *
 * An outcome that the database refuses is set aside and offered again, while its thread goes on. Of
 * jobs whose next loss fails them only one runs at a time, so that a job fails for what it has done
 * itself. When a commit's outcome is unknown, or another server answers, the database decides which
 * claims are ours: outcomes that are settled are forgotten, runs whose claims are gone are stopped,
 * and nothing else happens before that.
 */
#include "worker/tick.h"

#include <string.h>

#include "common/clock.h"
#include "common/fault.h"
#include "common/log/log.h"
#include "common/role.h"
#include "queue/claim/claim.h"
#include "queue/look/job_details.h"
#include "queue/payload/payload.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"
#include "queue/settle/settle.h"
#include "worker/exec/exec.h"
#include "worker/report.h"
#include "worker/state.h"
#include "worker/stop.h"

/* outcomes that the database refuses */

/* The outcome of this run was refused. */
static void set_aside(struct run *run)
{
	struct worker *worker = run->worker;
	const int64_t now = clock_monotonic();

	if (run->refused_at == 0)
		run->refused_at = now;
	run->offer_at = refused_until(run->refused_at, now);
	worker->offer_at = clock_earlier(worker->offer_at, run->offer_at);
	worker->aside_count++;
}

/* Makes pending what is to be offered again by now, or all of it. */
static void offer_aside(struct worker *worker, bool all)
{
	const int64_t now = all ? CLOCK_NEVER : clock_monotonic();

	if (worker->aside_count == 0 || now < worker->offer_at)
		return;
	worker->offer_at = CLOCK_NEVER;
	for (size_t i = 0; i < worker->runs.count; i++) {
		struct run *run = &worker->runs.all[i];
		if (run->offer_at == 0)
			continue;
		if (run->offer_at > now) {
			worker->offer_at = clock_earlier(worker->offer_at, run->offer_at);
			continue;
		}
		run->offer_at = 0;
		worker->aside_count--;
		worker->pending[worker->pending_count++] = run;
	}
}

/* This run's outcome is in the database. If it was refused before, so may be the others. */
static void settle_aside(struct role_context *context, const struct run *run)
{
	struct worker *worker = context->state;

	if (run->refused_at == 0)
		return;
	refused_no_more(context->db, run->claim.job.id);
	for (size_t i = 0; i < worker->runs.count; i++)
		if (worker->runs.all[i].offer_at != 0)
			worker->runs.all[i].offer_at = 1;
	worker->offer_at = worker->aside_count > 0 ? 1 : CLOCK_NEVER;
}

size_t aside_spare(const struct worker *worker)
{
	return worker->aside_count < ASIDE_MOST ? worker->aside_count : ASIDE_MOST;
}

void aside_give_up(const struct worker *worker)
{
	for (size_t i = 0; i < worker->runs.count; i++)
		if (worker->runs.all[i].offer_at != 0)
			report_refused(&worker->runs.all[i],
				       "the database has refused its result to the end: it will "
				       "run again");
}

/*
 * jobs on their last chance
 *
 * They were lost as often as they may be, and the next loss fails them. Jobs that were lost
 * together are claimed together again, the one that kills its worker and its innocent neighbours.
 *
 * A worker learns that there are several such jobs when it claims them together; from then on it is
 * wary. While a wary worker runs one of them it claims past the others (claim_leave_last_chance).
 * When it runs none it claims a single job: if that is the next one on its last chance, nothing has
 * to be given back; if it is not, such jobs are no longer first in the queue and the worker is no
 * longer wary. So a worker that has never met two of them pays nothing, and each of many is claimed
 * once.
 */

void last_chance_open(struct worker *worker)
{
	worker->claim.last_chance =
		(struct claim_last_chance){ .max_losses = config_losses(worker->config, NULL) };
}

static bool on_last_chance(const struct worker *worker, const struct job *job)
{
	const int64_t standard = worker->claim.last_chance.max_losses;

	return job->losses > 0 &&
	       job->losses >= (job->max_losses == JOB_NO_BOUND ? standard : job->max_losses);
}

/* The job of this kind that runs; one that has ended is settled together with the next claim. */
static const struct job *running_one(const struct worker *worker)
{
	for (size_t i = 0; i < worker->runs.count; i++) {
		const struct run *run = &worker->runs.all[i];

		if (run->taken && !run->ended && on_last_chance(worker, &run->claim.job))
			return &run->claim.job;
	}
	return NULL;
}

/* How many of `limit` jobs the next claim takes, and which. Call it before each claim. */
static size_t limit_last_chance(struct worker *worker, size_t limit)
{
	bool runs = worker->wary && running_one(worker);

	claim_leave_last_chance(&worker->claim, runs);
	return worker->wary && !runs && limit > 1 ? 1 : limit;
}

static enum status give_back(struct role_context *context, struct outcome outcomes[], size_t count,
			     struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = { .process_id = worker->claim.process_id,
				       .outcomes = outcomes,
				       .outcome_count = count };
	struct claim *none;
	size_t none_count;

	return settle(context->db, worker->tick_arena, &what, &none, &none_count, error);
}

static void log_last_chance(const struct job *one, size_t others)
{
	log_event(LOG_INFO, "worker.last_chance", LOG_INT("job", one->id),
		  LOG_TEXT("class", one->class_name), LOG_INT("losses", one->losses),
		  LOG_INT("given_back", others),
		  LOG_TEXT("reason", "the next loss ends this job: other jobs in the same "
				     "position wait until it has ended, all others go on"));
}

/* No need to wait for the next poll: the claim was smaller than the number of idle threads. */
static void look_again(struct worker *worker)
{
	worker->next_poll = clock_monotonic();
	worker->claim.idle = false;
}

/* A wary worker that runs none of them has claimed one job, or found none. */
static void stay_wary(struct worker *worker, const struct claim claims[], size_t count)
{
	if (!worker->wary || worker->claim.last_chance.on || worker->claim.limit == 0)
		return;
	worker->wary = count > 0 && on_last_chance(worker, &claims[0].job);
	if (count > 0)
		look_again(worker);
}

/*
 * Gives back all but one of the claims on their last chance, before anything else happens to them;
 * *count is what is left. When it fails nothing may be started: resolving gives all of them back.
 */
MUST_CHECK static enum status keep_apart(struct role_context *context, struct claim claims[],
					 size_t *count, struct error *error)
{
	struct worker *worker = context->state;
	const struct job *one = NULL;
	struct outcome *back = arena_array(worker->tick_arena, *count + 1, sizeof(*back));
	size_t back_count = 0;
	size_t kept = 0;

	stay_wary(worker, claims, *count);
	for (size_t i = 0; i < *count; i++) {
		bool last = on_last_chance(worker, &claims[i].job);
		if (last && !one)
			one = running_one(worker);
		if (last && one) {
			back[back_count++] = (struct outcome){
				.claim = claim_name(&claims[i]),
				.kind = OUTCOME_RELEASED,
				.limited = claims[i].job.concurrency_key != NULL,
			};
			continue;
		}
		claims[kept] = claims[i];
		one = last ? &claims[kept].job : one;
		kept++;
	}
	*count = kept;
	if (back_count == 0)
		return STATUS_OK;
	if (!worker->wary)
		log_last_chance(one, back_count);
	worker->wary = true;
	look_again(worker);
	return give_back(context, back, back_count, error);
}

/* claims of which our view and the database's may differ */

#define RECHECK_FIRST CLOCK_SECOND
#define RECHECK_LAST  CLOCK_MINUTE

/*
 * A server that has not noticed that our connection is gone may commit after we looked: its claims
 * would be ours without our knowing. So we look again, first soon and then with growing pauses.
 */
static bool recheck_due(const struct worker *worker)
{
	return worker->recheck_at != 0 && clock_monotonic() >= worker->recheck_at;
}

static void plan_recheck(struct worker *worker, int64_t wait)
{
	worker->recheck_wait = wait > RECHECK_LAST ? RECHECK_LAST : wait;
	worker->recheck_at = clock_monotonic() + worker->recheck_wait;
}

static void rechecked(struct worker *worker)
{
	if (worker->recheck_wait < RECHECK_LAST)
		plan_recheck(worker, worker->recheck_wait * 4);
	else
		worker->recheck_at = 0;
}

static bool resolve_due(const struct worker *worker)
{
	return worker->uncertain || recheck_due(worker);
}

/*
 * Runs that go on though their claims are gone: their outcomes will be refused, and other workers
 * have their jobs. They are logged once, as soon as this is noticed, and stopped. Some may have
 * ended while the database was asked.
 */
static void note_gone(struct role_context *context, size_t held)
{
	struct worker *worker = context->state;

	for (size_t i = 0; i < held; i++) {
		struct run *run = worker->holders[i];
		const struct claim_name claim = claim_name(&run->claim);

		if (run->gone || worker->held[i].id != 0)
			continue;
		run->gone = true;
		report_gone(run, claim_why_gone(context->db, worker->tick_arena, &claim));
		run_stop(run, STOP_FOR_LOSS);
	}
}

/* Its claim is gone: the uncertain commit took place, or this server never had the claim. */
static void report_absent(struct role_context *context, struct run *run)
{
	const struct worker *worker = context->state;
	const char *why = claim_why_unsettled(context->db, worker->tick_arena, &run->outcome);

	if (run->outcome.told)
		run_told(run, why);
	if (why && !run->outcome.told)
		report_refused(run, why);
	else
		report_ended(run);
}

/*
 * Compares the two: outcomes that are settled are forgotten, claims that nothing runs go back to
 * ready, runs whose claims are gone are stopped. Not OK: call it again.
 *
 * A commit's outcome is unknown: what is in the database decides what remains to be done. A process
 * that was taken for dead holds nothing any more, and the number of its row may be another's.
 */
static enum status resolve(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = worker_request(worker);

	what.process_id = context->presumed_dead ? 0 : what.process_id;
	size_t held = runs_held(&worker->runs, worker->holders, worker->held);

	FAULT_POINT("worker.uncertain");
	enum status status = settle_resolve(context->db, &what, worker->held, held, error);
	size_t left = 0;

	if (status != STATUS_OK)
		return status;
	FAULT_POINT("worker.resolved");
	note_gone(context, held);
	worker->uncertain = false;
	if (recheck_due(worker))
		rechecked(worker);
	for (size_t i = 0; i < worker->pending_count; i++) {
		struct run *run = worker->pending[i];

		if (worker->outcomes[i].claim.id != 0) {
			worker->pending[left++] = run;
			continue;
		}
		report_absent(context, run);
		run_free(&worker->runs, run);
	}
	worker->pending_count = left;
	return STATUS_OK;
}

/* There may be claims of ours that we do not know, or runs whose claims are gone. */
static void resolve_later(struct worker *worker)
{
	worker->uncertain = true;
	plan_recheck(worker, RECHECK_FIRST);
}

/* The same when another server answers than before: it may lack our claims, or hold some that only
 * it knows. */
static void resolve_after_failover(struct role_context *context)
{
	struct worker *worker = context->state;
	unsigned met = db_servers_met(context->db);

	if (worker->servers_met == met)
		return;
	worker->servers_met = met;
	resolve_later(worker);
}

/* runs whose jobs people have cancelled (queue/settle/cancellations.h) */

/* The run that holds this claim; NULL = it has ended. */
static struct run *find_cancelled(struct worker *worker, const struct cancellation *cancellation)
{
	for (size_t i = 0; i < worker->runs.count; i++) {
		struct run *run = &worker->runs.all[i];
		if (run->taken && run->claim.id == cancellation->claim &&
		    run->claim.job.id == cancellation->job)
			return run;
	}
	return NULL;
}

/* What has ended before it could be told stays as it has ended. */
static void cancel_run(struct run *run, const char *text)
{
	if (run->cancelled)
		return;
	atomic_store(&run->cancelling, true); /* first, for a function that asks both */
	if (run_cancel(run))
		run->cancelled = strdup(text); /* NULL: the next heartbeat tries it again */
	else
		atomic_store(&run->cancelling, false);
}

enum status worker_told(struct role_context *context, struct error *error)
{
	struct arena *arena = arena_new();
	struct cancellation *list;
	size_t count;
	enum status status =
		cancellations_read(context->db, arena, context->process_id, &list, &count, error);

	for (size_t i = 0; i < count; i++) {
		struct run *run = list[i].held ? find_cancelled(context->state, &list[i]) : NULL;
		if (run)
			cancel_run(run, list[i].text);
	}
	if (count > 0)
		FAULT_POINT("worker.cancelled");
	if (status == STATUS_OK)
		status = cancellations_forget(context->db, arena, list, count, error);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* runs that ended */

static void gather_list(struct worker *worker, struct pool_task *task)
{
	while (task) {
		struct run *run = run_of_task(task);

		task = task->next;
		if (!run_end_cancelled(run))
			run_judge(run);
		run->ended = true;
		slow_learn(run);
		worker->pending[worker->pending_count++] = run;
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
	offer_aside(worker, atomic_load(&worker->stopping));
}

/* starting */

static void fail_unknown(struct run *run)
{
	const char *class = run->claim.job.class_name;

	run_fail(run, "Dray::UnknownClassError",
		 arena_printf(run->arena, "no handler for class %s (this worker knows: %s)", class,
			      run->edition->handlers->known),
		 NULL);
	worker_ended(run);
}

static int64_t first_due(const struct job *job)
{
	return job->scheduled_at ? job->scheduled_at : job->created_at;
}

/* It should have begun long ago, and nothing in its rows says that it has begun before. */
static bool seems_expired(const struct run *run)
{
	const struct job *job = &run->claim.job;
	const int64_t within = run->handler->class->expires_in;

	return within > 0 && run->claim.claimed_at - first_due(job) > within &&
	       job_attempt(job, payload_executions(job->payload)) == 1;
}

static void expire(struct run *run)
{
	static const struct config_end discard = { SAYS_DISCARD, -1 };

	run->said = &discard;
	run_fail(run, "Dray::ExpiredError",
		 arena_printf(run->arena, "it was due at %s UTC and did not begin within %s",
			      clock_say(run->arena, first_due(&run->claim.job)),
			      clock_say_span(run->arena, run->handler->class->expires_in)),
		 NULL);
	worker_ended(run);
}

/*
 * Ends what has expired. A retry in Rails leaves no number in the job's rows, so the history has to
 * be asked; where it cannot be, the job goes back.
 */
static bool end_expired(struct role_context *context, struct run *run)
{
	struct error error;
	bool ran;

	if (!seems_expired(run))
		return false;
	if (job_has_run(context->db, run->claim.job.id, &ran, &error) != STATUS_OK) {
		run_release(run);
		worker_ended(run);
	} else if (ran) {
		return false;
	} else {
		expire(run);
	}
	return true;
}

/* Starts one run; one for the pool is only put at the end of the list. */
static void start(struct role_context *context, struct run *run, struct pool_task ***tail)
{
	run->handler = handlers_find(run->edition->handlers, run->claim.job.class_name);
	report_started(run);
	if (!run->handler) {
		fail_unknown(run);
	} else if (run->handler->class->handler == HANDLER_NONE) {
		run_release(run); /* no claim takes such a job: it is unchanged and goes back */
		worker_ended(run);
	} else if (end_expired(context, run)) {
		return;
	} else if (handler_isolated(run->handler->class)) {
		host_run(run);
	} else if (run->handler->class->handler == HANDLER_MODULE) {
		run_begin(run);
		**tail = &run->task;
		*tail = &run->task.next;
	} else if (!exec_start(run)) {
		worker_ended(run);
	}
}

static void start_all(struct role_context *context, const struct claim claims[], size_t count)
{
	struct worker *worker = context->state;
	struct pool_task *tasks = NULL;
	struct pool_task **tail = &tasks;

	for (size_t i = 0; i < count; i++)
		start(context, run_take(&worker->runs, &claims[i]), &tail);
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
	return worker->runs.free_count + worker->pending_count + aside_spare(worker) - ASIDE_MOST;
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

/* Frees the runs whose outcomes are in the database; those that it refuses are set aside. */
static void forget_settled(struct role_context *context)
{
	struct worker *worker = context->state;
	const size_t count = worker->pending_count;

	worker->pending_count = 0;
	for (size_t i = 0; i < count; i++) {
		struct run *run = worker->pending[i];
		const struct outcome *outcome = &worker->outcomes[i];

		if (outcome->aside) {
			set_aside(run);
			worker->next_poll = 0; /* nothing was claimed */
			continue;
		}
		if (outcome->told)
			run_told(run, outcome->why);
		if (outcome->refused)
			report_refused(run, outcome->why);
		else
			report_ended(run);
		settle_aside(context, run);
		run_free(&worker->runs, run);
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
	worker->claim.limit = limit_last_chance(worker, claim_limit(worker, clock_monotonic()));
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
	status = keep_apart(context, claims, &count, error);
	if (status == STATUS_OK)
		start_all(context, claims, count);
	else
		resolve_later(worker);
	return status;
}

#define LINGER      CLOCK_MILLISECOND        /* lets a burst of short jobs end together */
#define LINGER_MOST (20 * CLOCK_MILLISECOND) /* a backlog that lasts longer is no burst */

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
		return runs_busy(&worker->runs) == worker->aside_count ? 0 : CLOCK_NEVER;
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

static int64_t tend_due(const struct worker *worker)
{
	return clock_earlier(hosts_due(worker),
			     clock_earlier(stops_due(worker), sweeps_due(worker)));
}

int64_t worker_tend(struct role_context *context)
{
	struct worker *worker = context->state;

	hosts_tick(worker);
	stops_tick(worker);
	sweeps_tick(worker);
	return tend_due(worker);
}

static int64_t next_wait(struct worker *worker)
{
	int64_t now = clock_monotonic();
	int64_t wait = next_work(worker, now);
	int64_t first = tend_due(worker);

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
	(void)worker_tend(context);
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
