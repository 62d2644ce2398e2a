#include "worker/resolve.h"

#include "common/clock.h"
#include "common/fault.h"
#include "queue/settle/claim_gone.h"
#include "worker/report.h"
#include "worker/state.h"
#include "worker/stop.h"
#include "worker/tick.h"

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

bool resolve_due(const struct worker *worker)
{
	return worker->uncertain || recheck_due(worker);
}

/*
 * Runs that go on though their claims are gone: their outcomes will be refused, and other workers
 * have their jobs. They are logged once, as soon as this is noticed, and stopped.
 */
static void note_gone(struct role_context *context)
{
	struct worker *worker = context->state;
	struct slots *slots = &worker->slots;
	struct slot *slot = slots_next_held(slots, NULL);

	for (size_t i = 0; slot; i++, slot = slots_next_held(slots, slot)) {
		const struct claim_name claim = claim_name(&slot->claim);

		if (slot->gone || worker->held[i].id != 0)
			continue;
		slot->gone = true;
		report_gone(slot, claim_why_gone(context->db, worker->tick_arena, &claim));
		run_stop(slot, STOP_FOR_LOSS);
	}
}

/* Its claim is gone: the uncertain commit took place, or this server never had the claim. */
static void report_absent(struct role_context *context, struct slot *slot)
{
	const struct worker *worker = context->state;
	const char *why = claim_why_unsettled(context->db, worker->tick_arena, &slot->outcome);

	if (slot->outcome.told)
		slot_told(slot, why);
	if (why && !slot->outcome.told)
		report_refused(slot, why);
	else
		report_ended(slot);
}

/*
 * A commit's outcome is unknown: what is in the database decides what remains to be done. A process
 * that was taken for dead holds nothing any more, and the number of its row may be another's.
 */
enum status resolve(struct role_context *context, struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = worker_request(worker);

	what.process_id = context->presumed_dead ? 0 : what.process_id;
	size_t held = slots_held(&worker->slots, worker->held);

	FAULT_POINT("worker.uncertain");
	enum status status = settle_resolve(context->db, &what, worker->held, held, error);
	size_t left = 0;

	if (status != STATUS_OK)
		return status;
	FAULT_POINT("worker.resolved");
	note_gone(context);
	worker->uncertain = false;
	if (recheck_due(worker))
		rechecked(worker);
	for (size_t i = 0; i < worker->pending_count; i++) {
		struct slot *slot = worker->pending[i];

		if (worker->outcomes[i].claim.id != 0) {
			worker->pending[left++] = slot;
			continue;
		}
		report_absent(context, slot);
		slot_free(&worker->slots, slot);
	}
	worker->pending_count = left;
	return STATUS_OK;
}

void resolve_later(struct worker *worker)
{
	worker->uncertain = true;
	plan_recheck(worker, RECHECK_FIRST);
}

/* A different server than before may lack our claims, or hold some that only it knows. */
void resolve_after_failover(struct role_context *context)
{
	struct worker *worker = context->state;
	unsigned met = db_servers_met(context->db);

	if (worker->servers_met == met)
		return;
	worker->servers_met = met;
	resolve_later(worker);
}
