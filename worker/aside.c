#include "worker/aside.h"

#include "common/clock.h"
#include "queue/refused/refused.h"
#include "worker/report.h"
#include "worker/state.h"

void aside_put(struct slot *slot)
{
	struct worker *worker = slot->worker;
	const int64_t now = clock_monotonic();

	if (slot->refused_at == 0)
		slot->refused_at = now;
	slot->offer_at = refused_until(slot->refused_at, now);
	worker->offer_at = clock_earlier(worker->offer_at, slot->offer_at);
	worker->aside_count++;
}

void aside_offer(struct worker *worker, bool all)
{
	const int64_t now = all ? CLOCK_NEVER : clock_monotonic();

	if (worker->aside_count == 0 || now < worker->offer_at)
		return;
	worker->offer_at = CLOCK_NEVER;
	for (size_t i = 0; i < worker->slots.count; i++) {
		struct slot *slot = &worker->slots.all[i];
		if (slot->offer_at == 0)
			continue;
		if (slot->offer_at > now) {
			worker->offer_at = clock_earlier(worker->offer_at, slot->offer_at);
			continue;
		}
		slot->offer_at = 0;
		worker->aside_count--;
		worker->pending[worker->pending_count++] = slot;
	}
}

void aside_settled(struct role_context *context, const struct slot *slot)
{
	struct worker *worker = context->state;

	if (slot->refused_at == 0)
		return;
	refused_no_more(context->db, slot->claim.job.id);
	for (size_t i = 0; i < worker->slots.count; i++)
		if (worker->slots.all[i].offer_at != 0)
			worker->slots.all[i].offer_at = 1;
	worker->offer_at = worker->aside_count > 0 ? 1 : CLOCK_NEVER;
}

size_t aside_spare(const struct worker *worker)
{
	return worker->aside_count < ASIDE_MOST ? worker->aside_count : ASIDE_MOST;
}

void aside_give_up(const struct worker *worker)
{
	for (size_t i = 0; i < worker->slots.count; i++)
		if (worker->slots.all[i].offer_at != 0)
			report_refused(&worker->slots.all[i],
				       "the database has refused its result to the end: it will "
				       "run again");
}
