#include "worker/slot.h"

#include "common/clock.h"
#include "queue/payload/payload.h"
#include "worker/state.h"

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

void slots_close(struct slots *slots)
{
	for (size_t i = 0; i < slots->count; i++)
		arena_free(slots->all[i].arena);
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
	struct slot *slot = slots->free[--slots->free_count];
	struct job *job = &slot->claim.job;

	if (!slot->arena)
		slot->arena = arena_new();
	slot->claim = *claim;
	job->queue = copy(slot->arena, claim->job.queue);
	job->class_name = copy(slot->arena, claim->job.class_name);
	job->payload = copy(slot->arena, claim->job.payload);
	job->active_job_id = copy(slot->arena, claim->job.active_job_id);
	job->concurrency_key = copy(slot->arena, claim->job.concurrency_key);
	job->error = NULL;
	slot->started_at = clock_monotonic();
	slot->taken = true;
	return slot;
}

void slot_free(struct slots *slots, struct slot *slot)
{
	struct arena *arena = slot->arena;
	struct worker *worker = slot->worker;

	arena_clear(arena);
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

void slot_succeed(struct slot *slot)
{
	slot_end(slot, OUTCOME_FINISHED, NULL);
}

void slot_fail(struct slot *slot, const char *failure_class, const char *message, const char *lines)
{
	slot->failure_class = failure_class;
	slot->failure = message;
	slot_end(slot, OUTCOME_FAILED,
		 payload_error(slot->arena, failure_class, message, lines,
			       slot->worker->error_maximum));
}

void slot_release(struct slot *slot)
{
	slot_end(slot, OUTCOME_RELEASED, NULL);
}

bool slot_interrupted(struct slot *slot, const char *how)
{
	if (!atomic_load(&slot->told))
		return false;
	slot_release(slot);
	slot->failure = how;
	return true;
}
