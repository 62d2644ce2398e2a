/*
 * The slots of a worker, one for each running job: taken for a claim, freed when its outcome is
 * settled, and given that outcome, whichever way the job ran.
 *
 * A slot is taken, begun, ended (it has an outcome, and its thread or process is done with it), and
 * freed, in this order and each once; while it is taken its claim is in the database or was taken
 * away. A slot keeps the edition of the configuration that it began with, which is freed with the
 * last slot that uses it.
 *
 * A run's own end counts unless it was asked to stop before: then it is interrupted, or cancelled,
 * and not failed. A shutdown does not change what a job has said itself (discard, snooze), since
 * nothing else ends so.
 */
#include "worker/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/log/log.h"
#include "common/loop.h"
#include "common/order.h"
#include "common/text/text.h"
#include "policy/policy.h"
#include "queue/payload/cause.h"
#include "queue/payload/fingerprint.h"
#include "queue/payload/payload.h"
#include "queue/settle/cancellations.h"
#include "worker/report.h"

/* runs that take much longer than their class's usually do */

#define SEEN_AT_LEAST 20
#define SLOW_FROM     (5 * CLOCK_MINUTE)
#define SLOW_FACTOR   10
#define SLOW_SHOWN    100 /* in the metadata, which every heartbeat writes */

static void look_again_at(struct slot *slot, int64_t time)
{
	slot->slow_at = time;
	slot->worker->kill_at = clock_earlier(slot->worker->kill_at, time);
}

/* The run begins: it is looked at in five minutes. */
static void slow_begin(struct slot *slot)
{
	look_again_at(slot, slot->started_at + SLOW_FROM);
}

void slow_learn(const struct slot *slot)
{
	struct pace *pace;

	if (slot->slow_at == 0 || atomic_load(&slot->told)) /* it did not begin, or was cut short */
		return;
	pace = slot->handler->pace;
	pace->runs[pace->count++ % PACE_RUNS] = slot->ended_at - slot->started_at;
}

static int64_t median(const struct pace *pace)
{
	const size_t count = pace->count < PACE_RUNS ? pace->count : PACE_RUNS;
	struct pace sorted = *pace;

	qsort(sorted.runs, count, sizeof(sorted.runs[0]), order_ids);
	return sorted.runs[count / 2];
}

void slow_look(struct slot *slot, int64_t now)
{
	const struct pace *pace;
	int64_t usual;

	if (slot->slow_at == 0 || slot->slow_at == CLOCK_NEVER)
		return;
	if (slot->slow_at > now) {
		look_again_at(slot, slot->slow_at);
		return;
	}
	pace = slot->handler->pace;
	usual = pace->count >= SEEN_AT_LEAST ? median(pace) : CLOCK_NEVER;
	if (usual > (now - slot->started_at) / SLOW_FACTOR) {
		look_again_at(slot, now + SLOW_FROM);
		return;
	}
	slot->slow_at = CLOCK_NEVER;
	report_slow(slot, usual, now);
}

void slow_describe(const struct worker *worker, struct text *metadata)
{
	size_t shown = 0;

	for (size_t i = 0; i < worker->slots.count && shown < SLOW_SHOWN; i++) {
		const struct slot *slot = &worker->slots.all[i];

		if (!slot->taken || slot->ended || slot->slow_at != CLOCK_NEVER)
			continue;
		text_printf(metadata, "%s%" PRId64, shown == 0 ? ",\"slow_jobs\":[" : ",",
			    slot->claim.job.id);
		shown++;
	}
	if (shown > 0)
		text_add(metadata, "]");
}

/* slots */

void slots_open(struct slots *slots, struct arena *arena, struct worker *worker, size_t count)
{
	slots->all = arena_array(arena, count, sizeof(*slots->all));
	slots->free = arena_array(arena, count, sizeof(struct slot *));
	slots->count = count;
	slots->free_count = count;
	for (size_t i = 0; i < count; i++) {
		slots->all[i].worker = worker;
		slots->free[i] = &slots->all[count - 1 - i];
	}
}

/* It lives in the memory of its configuration. */
void edition_drop(struct edition *edition)
{
	INVARIANT(edition->users > 0);
	if (--edition->users == 0)
		config_free(edition->config);
}

void slots_close(struct slots *slots)
{
	for (size_t i = 0; i < slots->count; i++) {
		if (slots->all[i].taken)
			edition_drop(slots->all[i].edition);
		arena_free(slots->all[i].arena);
		free(slots->all[i].cancelled);
	}
	slots->count = 0;
	slots->free_count = 0;
}

static const char *copy(struct arena *arena, const char *text)
{
	return !text ? NULL : arena_strdup(arena, text);
}

/*
 * Takes the slot that was freed last: its memory is warm, and most slots stay untouched on an idle
 * worker.
 */
struct slot *slot_take(struct slots *slots, const struct claim *claim)
{
	INVARIANT(slots->free_count > 0);
	struct slot *slot = slots->free[--slots->free_count];
	struct job *job = &slot->claim.job;

	INVARIANT(!slot->taken);
	if (!slot->arena)
		slot->arena = arena_new();
	slot->claim = *claim;
	job->queue = copy(slot->arena, claim->job.queue);
	job->class_name = copy(slot->arena, claim->job.class_name);
	job->payload = copy(slot->arena, claim->job.payload);
	job->active_job_id = copy(slot->arena, claim->job.active_job_id);
	job->concurrency_key = copy(slot->arena, claim->job.concurrency_key);
	job->error = NULL;
	slot->edition = slot->worker->edition;
	slot->edition->users++;
	slot->started_at = clock_monotonic();
	slot->exit_status = -1;
	slot->taken = true;
	return slot;
}

void slot_free(struct slots *slots, struct slot *slot)
{
	struct arena *arena = slot->arena;
	struct worker *worker = slot->worker;

	INVARIANT(slot->taken && slots->free_count < slots->count);
	arena_clear(arena);
	edition_drop(slot->edition);
	free(slot->cancelled);
	*slot = (struct slot){ .arena = arena, .worker = worker };
	slots->free[slots->free_count++] = slot;
}

size_t slots_busy(const struct slots *slots)
{
	return slots->count - slots->free_count;
}

struct slot *slots_next_held(const struct slots *slots, const struct slot *slot)
{
	for (size_t i = !slot ? 0 : (size_t)(slot - slots->all) + 1; i < slots->count; i++)
		if (slots->all[i].taken && (!slots->all[i].ended || slots->all[i].offer_at != 0))
			return &slots->all[i];
	return NULL;
}

size_t slots_held(const struct slots *slots, struct claim_name claims[])
{
	size_t count = 0;

	for (struct slot *slot = slots_next_held(slots, NULL); slot;
	     slot = slots_next_held(slots, slot))
		claims[count++] = claim_name(&slot->claim);
	return count;
}

struct slot *slot_of_task(struct pool_task *task)
{
	return (struct slot *)((char *)task - offsetof(struct slot, task));
}

int64_t slot_timeout(const struct slot *slot)
{
	const int64_t own = payload_timeout(slot->claim.job.payload);
	const int64_t class = slot->handler->class->timeout;

	return own > 0 ? own : class > 0 ? class : 0;
}

void slot_begin(struct slot *slot)
{
	const int64_t timeout = slot_timeout(slot);

	slow_begin(slot);
	if (timeout == 0)
		return;
	slot->timeout_at = clock_monotonic() + timeout;
	slot->worker->kill_at = clock_earlier(slot->worker->kill_at, slot->timeout_at);
}

static void slot_end(struct slot *slot, enum outcome_kind kind, const char *error)
{
	slot->ended_at = clock_monotonic();
	slot->outcome = (struct outcome){
		.claim = claim_name(&slot->claim),
		.kind = kind,
		.error = error,
		.limited = slot->claim.job.concurrency_key != NULL,
	};
}

/* With what the history needs; returns how often the job was executed before. */
static int end_recorded(struct slot *slot, enum outcome_kind kind, const char *error)
{
	const struct job *job = &slot->claim.job;
	const int executions = payload_executions(job->payload);

	slot_end(slot, kind, error);
	slot->outcome.attempt = job_attempt(job, executions);
	slot->outcome.began_at = slot->started_at;
	slot->outcome.ended_at = slot->ended_at;
	slot->outcome.cpu_time = slot->cpu_time;
	slot->outcome.peak_memory = slot->peak_memory;
	return executions;
}

void slot_succeed(struct slot *slot)
{
	if (slot->handler->class->history == HISTORY_ALL)
		(void)end_recorded(slot, OUTCOME_RECORDED, NULL);
	else
		slot_end(slot, OUTCOME_FINISHED, NULL);
}

/* False: the job's payload cannot count one more execution. */
static bool retry_later(struct slot *slot, const struct config_retry *retry, int executions)
{
	struct outcome *outcome = &slot->outcome;
	const char *rule = policy_retry_rule(slot->arena, retry);
	enum status status = payload_count_execution(slot->arena, slot->claim.job.payload, rule,
						     &outcome->payload, NULL);

	if (status != STATUS_OK || strlen(outcome->payload) > slot->worker->error_maximum)
		return false;
	outcome->kind = OUTCOME_RETRIED;
	outcome->wait = slot->said && slot->said->wait >= 0
				? slot->said->wait
				: policy_wait(retry, executions + 1, policy_chance());
	return true;
}

static void judge(struct slot *slot, int executions)
{
	const struct config_retry *retry = &slot->handler->class->retry;
	struct outcome *outcome = &slot->outcome;
	const struct run_failure failure = { .error_class = slot->failure_class,
					     .exit_status = slot->exit_status,
					     .signalled = slot->signalled,
					     .executions = executions,
					     .said = slot->said };

	switch (policy_judge(retry, &failure)) {
	case VERDICT_FAIL:
		break;
	case VERDICT_RETRY:
		if (!retry_later(slot, retry, executions))
			outcome->payload = NULL;
		break;
	case VERDICT_DISCARD:
		outcome->kind = OUTCOME_DISCARDED;
		break;
	case VERDICT_SNOOZE:
		outcome->kind = OUTCOME_SNOOZED;
		outcome->wait = slot->said->wait;
		break;
	}
}

static int end_with_error(struct slot *slot, enum outcome_kind kind, const char *error_class,
			  const char *lines)
{
	return end_recorded(slot, kind,
			    payload_error(slot->arena, error_class, slot->failure, lines,
					  slot->worker->error_maximum));
}

void slot_fail(struct slot *slot, const char *failure_class, const char *message, const char *lines)
{
	int executions;

	slot->failure_class = failure_class;
	slot->failure = message;
	executions = end_with_error(slot, OUTCOME_FAILED, failure_class, lines);
	if (slot->handler)
		judge(slot, executions);
	if (slot->outcome.kind != OUTCOME_SNOOZED) /* which is no error */
		slot->outcome.group =
			fingerprint(slot->arena, failure_class,
				    cause_text(slot->arena, slot->cause ? slot->cause : message,
					       slot->last_line));
}

void slot_release(struct slot *slot)
{
	slot_end(slot, OUTCOME_RELEASED, NULL);
}

void slot_interrupt(struct slot *slot, const char *how)
{
	slot->failure_class = NULL;
	slot->failure = how;
	(void)end_with_error(slot, OUTCOME_INTERRUPTED, "Dray::Interrupted", NULL);
}

bool slot_cancel(struct slot *slot)
{
	if (!slot->cancelled || slot->escaped)
		return false;
	slot->failure_class = CANCEL_ERROR;
	slot->failure = arena_strdup(slot->arena, slot->cancelled);
	(void)end_with_error(slot, OUTCOME_CANCELLED, CANCEL_ERROR, NULL);
	return true;
}

void slot_told(struct slot *slot, const char *how)
{
	const struct job *job = &slot->claim.job;

	slot->outcome.kind = OUTCOME_CANCELLED;
	slot->outcome.attempt = job_attempt(job, payload_executions(job->payload));
	slot->failure = how;
}

bool slot_interrupted(struct slot *slot, const char *how)
{
	if (!atomic_load(&slot->told))
		return false;
	slot_interrupt(slot, how);
	return true;
}

/* the worker */

#define REST CLOCK_SECOND

void worker_ended(struct slot *slot)
{
	struct worker *worker = slot->worker;

	INVARIANT(slot->taken);
	slot->ended = true;
	slot->task.next = worker->ended;
	worker->ended = &slot->task;
	loop_wake(worker->loop);
}

void worker_rest(struct worker *worker, const char *reason)
{
	worker->rest_until = clock_monotonic() + REST;
	log_event(LOG_WARN, "worker.rest", LOG_TEXT("reason", reason));
}

struct settle_request worker_request(struct worker *worker)
{
	for (size_t i = 0; i < worker->pending_count; i++)
		worker->outcomes[i] = worker->pending[i]->outcome;
	return (struct settle_request){
		.process_id = worker->claim.process_id,
		.outcomes = worker->outcomes,
		.outcome_count = worker->pending_count,
		.preserve_finished_jobs = worker->config->process.preserve_finished_jobs,
		.keep_attempts = worker->config->process.keep_attempts,
		.batches = worker->batches,
		.claim = &worker->claim,
	};
}
