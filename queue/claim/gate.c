#include "queue/claim/gate.h"

#include "queue/limits/slots.h"

#define CALLS (SLOTS_CALLS + 1)

/* Those that have a key, and of these, what the database says about their slots. */
static enum status find_strays(struct db *db, struct arena *arena, const struct claim claims[],
			       size_t count, struct db_rows *rows, struct error *error)
{
	int64_t *jobs = arena_array(arena, count + 1, sizeof(*jobs));
	size_t limited = 0;

	*rows = (struct db_rows){ 0 };
	for (size_t i = 0; i < count; i++)
		if (claims[i].job.concurrency_key)
			jobs[limited++] = claims[i].job.id;
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, limited) };
	if (limited == 0)
		return STATUS_OK;
	return db_query(db, arena, "slots_missing", values, 1, rows, error);
}

static bool contains(const struct db_rows *rows, int64_t job)
{
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, 0) == job)
			return true;
	return false;
}

static void take_out(struct claim claims[], size_t *count, const struct db_rows *blocked)
{
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		if (!contains(blocked, claims[i].job.id))
			claims[kept++] = claims[i];
	*count = kept;
}

/* As if they came in just now: the gate, and what on_conflict says of who finds no slot. */
static enum status send_back(struct slots *slots, struct claim claims[], size_t *count,
			     struct error *error)
{
	const int64_t now = db_now(slots->db);
	struct db_call list[CALLS];
	struct slots_calls calls = { list, 0 };

	slots_gate(slots, claims[0].job.process_id, now, &calls);
	slots_conflict(slots, now, &calls);
	enum status status = db_run(slots->db, slots->arena, list, calls.count, error);
	if (status != STATUS_OK)
		return status;
	take_out(claims, count, &list[1].rows);
	slots_follow(slots, &calls);
	return STATUS_OK;
}

enum status gate_claims(struct db *db, struct arena *arena, struct claim claims[], size_t *count,
			struct error *error)
{
	struct slots slots = { .db = db, .arena = arena };
	struct db_rows rows;
	enum status status = find_strays(db, arena, claims, *count, &rows, error);
	int64_t *strays = arena_array(arena, rows.count + 1, sizeof(*strays));

	if (status != STATUS_OK || rows.count == 0)
		return status;
	for (size_t i = 0; i < rows.count; i++)
		strays[i] = db_int(&rows, i, 0);
	status = slots_find(&slots, strays, rows.count, error);
	if (status != STATUS_OK || slots.key_count == 0)
		return status;
	return send_back(&slots, claims, count, error);
}
