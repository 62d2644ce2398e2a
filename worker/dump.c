#include "worker/dump.h"

#include "common/clock.h"
#include "common/log/log.h"
#include "worker/exec/exec.h"
#include "worker/state.h"

/* While a job runs on a thread, only what its slot had from the start may be read. */
static void dump_slot(const struct worker *worker, size_t number, int64_t now)
{
	const struct slot *slot = &worker->slots.all[number];
	const struct job *job = &slot->claim.job;
	bool runs = slot->exec && !slot->ended;

	log_event(LOG_INFO, "worker.job", LOG_INT("slot", number), LOG_INT("job", job->id),
		  LOG_TEXT("class", job->class_name), LOG_TEXT("queue", job->queue),
		  LOG_INT("claim", slot->claim.id),
		  LOG_TEXT("state", slot->ended ? "ended, not written" : "running"),
		  log_ms("started_ms", slot->started_at, now),
		  runs ? LOG_INT("command_pid", slot->exec->pid) : LOG_TEXT("command_pid", NULL));
}

void worker_dump(const struct role_context *context)
{
	const struct worker *worker = context->state;
	int64_t now = clock_monotonic();

	log_event(LOG_INFO, "worker.state", LOG_TEXT("queues", worker->selector.text),
		  LOG_INT("slots", worker->options->threads),
		  LOG_INT("claims", slots_busy(&worker->slots)),
		  LOG_INT("unwritten", worker->pending_count),
		  LOG_INT("refused", worker->aside_count),
		  LOG_INT("threads", pool_threads(worker->pool)),
		  LOG_TEXT("last_round_trip", worker->healthy ? "ok" : "failed"),
		  LOG_TEXT("commit", worker->uncertain ? "uncertain" : NULL),
		  log_ms("poll_in_ms", now, worker->quiet ? 0 : worker->next_poll));
	for (size_t i = 0; i < worker->slots.count; i++)
		if (worker->slots.all[i].taken)
			dump_slot(worker, i, now);
}
