/* on_conflict: what becomes of jobs when a new one finds no slot. */
#include "queue/limits/slots.h"

#include "common/log/log.h"
#include "queue/processes/wake.h"
#include "queue/settle/batches.h"

#define ENDED WAKE_COLUMNS /* the next column of slots_cancel */

static void add_call(const struct slots *slots, const char *operation, struct slots_calls *calls)
{
	struct db_value *values = arena_array(slots->arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("keys", slots->keys);
	values[1] = (struct db_value)DB_P_TIME("now", slots->now);
	calls->list[calls->count++] =
		(struct db_call){ .operation = operation, .values = values, .count = 2 };
}

/* What is cancelled is known only by the time when it ends. */
static enum status leave_batches(const struct slots *slots, struct slots_calls *calls,
				 struct error *error)
{
	bool batches;
	enum status status = batches_look(slots->db, &batches, error);

	if (status == STATUS_OK && batches)
		calls->list[calls->count++] = batches_leave_cancelled(slots->arena, slots->now);
	return status;
}

enum status slots_conflict(struct slots *slots, struct slots_calls *calls, struct error *error)
{
	if (slots->key_count == 0)
		return STATUS_OK;
	slots->conflict = calls->count;
	add_call(slots, "slots_conflict", calls);
	if (!slots->cancels)
		return STATUS_OK;
	add_call(slots, "slots_cancel", calls);
	return leave_batches(slots, calls, error);
}

/* Their other keys may be any, so this is a transaction of its own. */
static void return_slots(const struct slots *new, const int64_t jobs[], size_t count)
{
	struct slots slots = { .db = new->db, .arena = new->arena, .ungated = true };
	struct db_call list[SLOTS_CALLS];
	struct slots_calls calls = { list, 0 };
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

enum status slots_run_new(struct slots *slots, struct slots_calls *calls, struct error *error)
{
	enum status status = slots_run(slots, calls, error);

	if (status != STATUS_OK || slots->conflict == 0 || !slots->cancels)
		return status;
	const struct db_rows *rows = &calls->list[slots->conflict + 1].rows;
	int64_t *ended = arena_array(slots->arena, rows->count + 1, sizeof(*ended));
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, ENDED) != 0)
			ended[count++] = db_int(rows, i, WAKE_JOB);
	processes_wake(rows);
	if (count > 0)
		return_slots(slots, ended, count);
	return status;
}
