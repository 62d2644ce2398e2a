/*
 * The runs of a worker, one for each running job: taken for a claim, freed when its outcome is
 * settled, and given that outcome, whichever way the job ran.
 *
 * A run is taken, begun, ended (it has an outcome, and its thread or process is done with it), and
 * freed, in this order and each once; while it is taken its claim is in the database or was taken
 * away. A run keeps the edition of the configuration that it began with, which is freed with the
 * last run that uses it.
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

static void look_again_at(struct run *run, int64_t time)
{
	run->slow_at = time;
	run->worker->kill_at = clock_earlier(run->worker->kill_at, time);
}

/* The run begins: it is looked at in five minutes. */
static void slow_begin(struct run *run)
{
	look_again_at(run, run->started_at + SLOW_FROM);
}

void slow_learn(const struct run *run)
{
	struct pace *pace;

	if (run->slow_at == 0 || atomic_load(&run->told)) /* it did not begin, or was cut short */
		return;
	pace = run->handler->pace;
	pace->runs[pace->count++ % PACE_RUNS] = run->ended_at - run->started_at;
}

static int64_t median(const struct pace *pace)
{
	const size_t count = pace->count < PACE_RUNS ? pace->count : PACE_RUNS;
	struct pace sorted = *pace;

	qsort(sorted.runs, count, sizeof(sorted.runs[0]), order_ids);
	return sorted.runs[count / 2];
}

void slow_look(struct run *run, int64_t now)
{
	const struct pace *pace;
	int64_t usual;

	if (run->slow_at == 0 || run->slow_at == CLOCK_NEVER)
		return;
	if (run->slow_at > now) {
		look_again_at(run, run->slow_at);
		return;
	}
	pace = run->handler->pace;
	usual = pace->count >= SEEN_AT_LEAST ? median(pace) : CLOCK_NEVER;
	if (usual > (now - run->started_at) / SLOW_FACTOR) {
		look_again_at(run, now + SLOW_FROM);
		return;
	}
	run->slow_at = CLOCK_NEVER;
	report_slow(run, usual, now);
}

void slow_describe(const struct worker *worker, struct text *metadata)
{
	size_t shown = 0;

	for (size_t i = 0; i < worker->runs.count && shown < SLOW_SHOWN; i++) {
		const struct run *run = &worker->runs.all[i];

		if (!run->taken || run->ended || run->slow_at != CLOCK_NEVER)
			continue;
		text_printf(metadata, "%s%" PRId64, shown == 0 ? ",\"slow_jobs\":[" : ",",
			    run->claim.job.id);
		shown++;
	}
	if (shown > 0)
		text_add(metadata, "]");
}

/* Runs */

void runs_open(struct runs *runs, struct arena *arena, struct worker *worker, size_t count)
{
	runs->all = arena_array(arena, count, sizeof(*runs->all));
	runs->free = arena_array(arena, count, sizeof(struct run *));
	runs->count = count;
	runs->free_count = count;
	for (size_t i = 0; i < count; i++) {
		runs->all[i].worker = worker;
		runs->free[i] = &runs->all[count - 1 - i];
	}
}

/* It lives in the memory of its configuration. */
void edition_drop(struct edition *edition)
{
	INVARIANT(edition->users > 0);
	if (--edition->users == 0)
		config_free(edition->config);
}

void runs_close(struct runs *runs)
{
	for (size_t i = 0; i < runs->count; i++) {
		if (runs->all[i].taken)
			edition_drop(runs->all[i].edition);
		arena_free(runs->all[i].arena);
		free(runs->all[i].cancelled);
	}
	runs->count = 0;
	runs->free_count = 0;
}

static const char *copy(struct arena *arena, const char *text)
{
	return !text ? NULL : arena_strdup(arena, text);
}

/*
 * Takes the entry that was freed last: its memory is warm, and most stay untouched on an idle
 * worker.
 */
struct run *run_take(struct runs *runs, const struct claim *claim)
{
	INVARIANT(runs->free_count > 0);
	struct run *run = runs->free[--runs->free_count];
	struct job *job = &run->claim.job;

	INVARIANT(!run->taken);
	if (!run->arena)
		run->arena = arena_new();
	run->claim = *claim;
	job->queue = copy(run->arena, claim->job.queue);
	job->class_name = copy(run->arena, claim->job.class_name);
	job->payload = copy(run->arena, claim->job.payload);
	job->active_job_id = copy(run->arena, claim->job.active_job_id);
	job->concurrency_key = copy(run->arena, claim->job.concurrency_key);
	job->error = NULL;
	run->edition = run->worker->edition;
	run->edition->users++;
	run->started_at = clock_monotonic();
	run->exit_status = -1;
	run->taken = true;
	return run;
}

void run_free(struct runs *runs, struct run *run)
{
	struct arena *arena = run->arena;
	struct worker *worker = run->worker;

	INVARIANT(run->taken && runs->free_count < runs->count);
	arena_clear(arena);
	edition_drop(run->edition);
	free(run->cancelled);
	*run = (struct run){ .arena = arena, .worker = worker };
	runs->free[runs->free_count++] = run;
}

size_t runs_busy(const struct runs *runs)
{
	return runs->count - runs->free_count;
}

struct run *runs_next_held(const struct runs *runs, const struct run *run)
{
	for (size_t i = !run ? 0 : (size_t)(run - runs->all) + 1; i < runs->count; i++)
		if (runs->all[i].taken && (!runs->all[i].ended || runs->all[i].offer_at != 0))
			return &runs->all[i];
	return NULL;
}

size_t runs_held(const struct runs *runs, struct run *holders[], struct claim_name claims[])
{
	size_t count = 0;

	for (struct run *run = runs_next_held(runs, NULL); run; run = runs_next_held(runs, run)) {
		holders[count] = run;
		claims[count++] = claim_name(&run->claim);
	}
	return count;
}

struct run *run_of_task(struct pool_task *task)
{
	return (struct run *)((char *)task - offsetof(struct run, task));
}

int64_t run_timeout(const struct run *run)
{
	const int64_t own = payload_timeout(run->claim.job.payload);
	const int64_t class = run->handler->class->timeout;

	return own > 0 ? own : class > 0 ? class : 0;
}

void run_begin(struct run *run)
{
	const int64_t timeout = run_timeout(run);

	slow_begin(run);
	if (timeout == 0)
		return;
	run->timeout_at = clock_monotonic() + timeout;
	run->worker->kill_at = clock_earlier(run->worker->kill_at, run->timeout_at);
}

static void run_end(struct run *run, enum outcome_kind kind, const char *error)
{
	run->ended_at = clock_monotonic();
	run->outcome = (struct outcome){
		.claim = claim_name(&run->claim),
		.kind = kind,
		.error = error,
		.limited = run->claim.job.concurrency_key != NULL,
	};
}

/* With what the history needs; returns how often the job was executed before. */
static int end_recorded(struct run *run, enum outcome_kind kind, const char *error)
{
	const struct job *job = &run->claim.job;
	const int executions = payload_executions(job->payload);

	run_end(run, kind, error);
	run->outcome.attempt = job_attempt(job, executions);
	run->outcome.began_at = run->started_at;
	run->outcome.ended_at = run->ended_at;
	run->outcome.cpu_time = run->cpu_time;
	run->outcome.peak_memory = run->peak_memory;
	return executions;
}

void run_succeed(struct run *run)
{
	if (run->handler->class->history == HISTORY_ALL)
		(void)end_recorded(run, OUTCOME_RECORDED, NULL);
	else
		run_end(run, OUTCOME_FINISHED, NULL);
}

/* False: the job's payload cannot count one more execution. */
static bool retry_later(struct run *run, const struct config_retry *retry, int executions)
{
	struct outcome *outcome = &run->outcome;
	const char *rule = policy_retry_rule(run->arena, retry);

	if (payload_count_execution(run->arena, run->claim.job.payload, rule,
				    run->worker->error_maximum, &outcome->payload,
				    NULL) != STATUS_OK)
		return false;
	outcome->kind = OUTCOME_RETRIED;
	outcome->wait = run->said && run->said->wait >= 0
				? run->said->wait
				: policy_wait(retry, executions + 1, policy_chance());
	return true;
}

static void judge(struct run *run, int executions)
{
	const struct config_retry *retry = &run->handler->class->retry;
	struct outcome *outcome = &run->outcome;
	const struct run_failure failure = { .error_class = run->failure_class,
					     .exit_status = run->exit_status,
					     .signalled = run->signalled,
					     .executions = executions,
					     .said = run->said };

	switch (policy_judge(retry, &failure)) {
	case VERDICT_FAIL:
		break;
	case VERDICT_RETRY:
		if (!retry_later(run, retry, executions))
			outcome->payload = NULL;
		break;
	case VERDICT_DISCARD:
		outcome->kind = OUTCOME_DISCARDED;
		break;
	case VERDICT_SNOOZE:
		outcome->kind = OUTCOME_SNOOZED;
		outcome->wait = run->said->wait;
		break;
	}
}

static int end_with_error(struct run *run, enum outcome_kind kind, const char *error_class,
			  const char *lines)
{
	return end_recorded(run, kind,
			    payload_error(run->arena, error_class, run->failure, lines,
					  run->worker->error_maximum));
}

void run_fail(struct run *run, const char *failure_class, const char *message, const char *lines)
{
	int executions;

	run->failure_class = failure_class;
	run->failure = message;
	executions = end_with_error(run, OUTCOME_FAILED, failure_class, lines);
	if (run->handler)
		judge(run, executions);
	if (run->outcome.kind != OUTCOME_SNOOZED) /* which is no error */
		run->outcome.group = fingerprint(
			run->arena, failure_class,
			cause_text(run->arena, run->cause ? run->cause : message, run->last_line));
}

void run_release(struct run *run)
{
	run_end(run, OUTCOME_RELEASED, NULL);
}

void run_interrupt(struct run *run, const char *how)
{
	run->failure_class = NULL;
	run->failure = how;
	(void)end_with_error(run, OUTCOME_INTERRUPTED, "Dray::Interrupted", NULL);
}

bool run_end_cancelled(struct run *run)
{
	if (!run->cancelled || run->escaped)
		return false;
	run->failure_class = CANCEL_ERROR;
	run->failure = arena_strdup(run->arena, run->cancelled);
	(void)end_with_error(run, OUTCOME_CANCELLED, CANCEL_ERROR, NULL);
	return true;
}

void run_told(struct run *run, const char *how)
{
	const struct job *job = &run->claim.job;

	run->outcome.kind = OUTCOME_CANCELLED;
	run->outcome.attempt = job_attempt(job, payload_executions(job->payload));
	run->failure = how;
}

bool run_interrupted(struct run *run, const char *how)
{
	if (!atomic_load(&run->told))
		return false;
	run_interrupt(run, how);
	return true;
}

/* the worker */

#define REST CLOCK_SECOND

void worker_ended(struct run *run)
{
	struct worker *worker = run->worker;

	INVARIANT(run->taken);
	run->ended = true;
	run->task.next = worker->ended;
	worker->ended = &run->task;
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
