/* Runs whose jobs people have cancelled (queue/settle/cancellations.h). Main thread only. */
#include <string.h>

#include "common/fault.h"
#include "queue/settle/cancellations.h"
#include "worker/state.h"
#include "worker/stop.h"
#include "worker/tick.h"

/* The slot that holds this claim; NULL = its run has ended. */
static struct slot *find(struct worker *worker, const struct cancellation *cancellation)
{
	for (size_t i = 0; i < worker->slots.count; i++) {
		struct slot *slot = &worker->slots.all[i];
		if (slot->taken && slot->claim.id == cancellation->claim &&
		    slot->claim.job.id == cancellation->job)
			return slot;
	}
	return NULL;
}

/* What has ended before it could be told stays as it has ended. */
static void stop(struct slot *slot, const char *text)
{
	if (slot->cancelled)
		return;
	atomic_store(&slot->cancelling, true); /* first, for a function that asks both */
	if (run_cancel(slot))
		slot->cancelled = strdup(text); /* NULL: the next heartbeat tries it again */
	else
		atomic_store(&slot->cancelling, false);
}

enum status worker_told(struct role_context *context, struct error *error)
{
	struct arena *arena = arena_new();
	struct cancellation *list;
	size_t count;
	enum status status =
		cancellations_read(context->db, arena, context->process_id, &list, &count, error);

	for (size_t i = 0; i < count; i++) {
		struct slot *slot = list[i].held ? find(context->state, &list[i]) : NULL;
		if (slot)
			stop(slot, list[i].text);
	}
	if (count > 0)
		FAULT_POINT("worker.cancelled");
	if (status == STATUS_OK)
		status = cancellations_forget(context->db, arena, list, count, error);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}
