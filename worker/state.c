#include "worker/state.h"

#include "common/clock.h"
#include "common/log/log.h"
#include "common/loop.h"

#define REST CLOCK_SECOND

void worker_ended(struct slot *slot)
{
	struct worker *worker = slot->worker;

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
