/* on_conflict: what becomes of jobs when a new one finds no slot. */
#include "queue/limits/slots.h"

#include "queue/processes/wake.h"
#include "queue/settle/batches.h"

#define ENDED WAKE_COLUMNS /* the next column of slots_cancel */

static void add_call(const struct slots *slots, const char *operation, int64_t now,
		     struct slots_calls *calls)
{
	struct db_value *values = arena_array(slots->arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("keys", slots->keys);
	values[1] = (struct db_value)DB_P_TIME("now", now);
	calls->list[calls->count++] =
		(struct db_call){ .operation = operation, .values = values, .count = 2 };
}

void slots_conflict(struct slots *slots, int64_t now, struct slots_calls *calls)
{
	if (slots->key_count == 0)
		return;
	slots->conflict = calls->count;
	add_call(slots, "slots_conflict", now, calls);
	add_call(slots, "slots_cancel", now, calls);
}

/* Their other keys may be any, so this is a transaction of its own. */
static enum status return_slots(struct slots *slots, const int64_t jobs[], size_t count,
				struct error *error)
{
	struct db_call list[SLOTS_CALLS + 1];
	struct slots_calls calls = { list, 0 };
	bool batches;
	enum status status = slots_find(slots, jobs, count, error);

	if (status == STATUS_OK)
		status = batches_look(slots->db, &batches, error);
	if (status != STATUS_OK)
		return status;
	slots_before(slots, &calls);
	if (batches)
		calls.list[calls.count++] = batches_leave(slots->arena, jobs, count);
	slots_after(slots, &calls);
	status = db_run(slots->db, slots->arena, list, calls.count, error);
	if (status == STATUS_OK)
		slots_follow(slots, &calls);
	return status;
}

void slots_cancelled(const struct slots *slots, const struct slots_calls *calls)
{
	struct slots own = { .db = slots->db, .arena = slots->arena, .ungated = true };
	struct error error;

	if (slots->conflict == 0)
		return;
	const struct db_rows *rows = &calls->list[slots->conflict + 1].rows;
	int64_t *ended = arena_array(slots->arena, rows->count + 1, sizeof(*ended));
	size_t count = 0;
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, ENDED) != 0)
			ended[count++] = db_int(rows, i, WAKE_JOB);
	processes_wake(rows);
	if (count > 0)
		(void)return_slots(&own, ended, count, &error);
}
