/* on_conflict: what becomes of jobs when a new one finds no slot. */
#include "queue/limits/slots.h"

#include "common/log/log.h"
#include "db/operations.h"
#include "queue/processes/wake.h"
#include "queue/settle/batches.h"

/* What is cancelled is known only by the time when it ends. */
static enum status leave_batches(const struct slots *slots, struct db_calls *calls,
				 struct error *error)
{
	bool batches;
	enum status status = batches_look(slots->db, &batches, error);

	if (status == STATUS_OK && batches)
		batches_leave_cancelled(calls, slots->now);
	return status;
}

enum status slots_conflict(struct slots *slots, struct db_calls *calls, struct error *error)
{
	if (slots->key_count == 0)
		return STATUS_OK;
	const struct db_value keys = P_TEXT(slots->keys);
	const struct db_value now = P_TIME(slots->now);
	slots->conflict = db_calls_add(calls, DB_CALL(slots_conflict, .keys = keys, .now = now));
	if (!slots->cancels)
		return STATUS_OK;
	db_calls_add(calls, DB_CALL(slots_cancel, .keys = keys, .now = now));
	return leave_batches(slots, calls, error);
}

/* Their other keys may be any, so this is a transaction of its own. */
static void return_slots(const struct slots *new, const int64_t jobs[], size_t count)
{
	struct slots slots = { .db = new->db, .arena = new->arena, .ungated = true };
	struct db_calls calls = { .arena = new->arena };
	struct error error;
	enum status status = slots_find(&slots, jobs, count, &error);

	if (status == STATUS_OK && slots.key_count > 0) {
		slots_before(&slots, &calls);
		slots_after(&slots, &calls);
		status = slots_run(&slots, &calls, &error);
	}
	if (status != STATUS_OK)
		log_event(LOG_WARN, "limits.not_returned", LOG_TEXT("error", error.text));
}

enum status slots_run_new(struct slots *slots, struct db_calls *calls, struct error *error)
{
	enum status status = slots_run(slots, calls, error);

	if (status != STATUS_OK || slots->conflict == 0 || !slots->cancels)
		return status;
	const struct db_rows *rows = &calls->list[slots->conflict + 1].rows;
	int64_t *ended = arena_array(slots->arena, rows->count + 1, sizeof(*ended));
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, SLOTS_CANCEL_ENDED) != 0)
			ended[count++] = db_int(rows, i, RUNNING_JOB_ID);
	processes_wake(rows);
	if (count > 0)
		return_slots(slots, ended, count);
	return status;
}
