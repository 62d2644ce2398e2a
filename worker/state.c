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
