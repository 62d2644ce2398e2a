#include "worker/slow.h"

#include <inttypes.h>
#include <stdlib.h>

#include "common/clock.h"
#include "common/order.h"
#include "common/text/text.h"
#include "worker/report.h"
#include "worker/state.h"

#define SEEN_AT_LEAST 20
#define SLOW_FROM     (5 * CLOCK_MINUTE)
#define SLOW_FACTOR   10
#define SLOW_SHOWN    100 /* in the metadata, which every heartbeat writes */

static void look_at(struct slot *slot, int64_t time)
{
	slot->slow_at = time;
	slot->worker->kill_at = clock_earlier(slot->worker->kill_at, time);
}

void slow_begin(struct slot *slot)
{
	look_at(slot, slot->started_at + SLOW_FROM);
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
		look_at(slot, slot->slow_at);
		return;
	}
	pace = slot->handler->pace;
	usual = pace->count >= SEEN_AT_LEAST ? median(pace) : CLOCK_NEVER;
	if (usual > (now - slot->started_at) / SLOW_FACTOR) {
		look_at(slot, now + SLOW_FROM);
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
