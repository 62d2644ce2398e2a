#include "queue/limits/gate.h"

#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/refused/refused.h"

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
	if (limited == 0)
		return STATUS_OK;
	return db_query(db, arena, DB_CALL(slots_missing, .jobs = P_IDS(jobs, limited)), rows,
			error);
}

/* Rows of slots_gate. */
static bool contains(const struct db_rows *rows, int64_t job)
{
	for (size_t i = 0; i < rows->count; i++)
		if (db_int(rows, i, SLOTS_GATE_JOB_ID) == job)
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

/* Claims that have no slot of ours although their class is declared. */
struct gating {
	struct db *db;
	struct arena *arena;
	struct claim *claims; /* in and out: all that were made */
	size_t *count;
	int64_t process_id;
	int64_t *strays; /* jobs */
};

/*
 * As if they came in just now: the gate, and what on_conflict says of who finds no slot; but they
 * cancel nobody.
 */
static enum status send_back(void *data, size_t first, size_t count, struct error *error)
{
	const struct gating *gating = data;
	struct slots slots = { .db = gating->db, .arena = gating->arena };
	struct db_calls calls = { .arena = gating->arena };
	enum status status = slots_find(&slots, gating->strays + first, count, error);

	if (status != STATUS_OK || slots.key_count == 0)
		return status;
	slots.now = db_now(gating->db);
	slots.cancels = false;
	slots_gate(&slots, gating->process_id, &calls);
	status = slots_conflict(&slots, &calls, error);
	if (status == STATUS_OK)
		status = slots_run(&slots, &calls, error);
	if (status == STATUS_OK)
		take_out(gating->claims, gating->count, &calls.list[1].rows);
	return status;
}

static enum status leave(void *data, size_t at, const struct error *why, struct error *error)
{
	const struct gating *gating = data;
	struct refused refused = { .job = gating->strays[at], .doing = "block", .why = why };

	return refused_job(gating->db, &refused, error);
}

enum status gate_claims(struct db *db, struct arena *arena, struct claim claims[], size_t *count,
			struct error *error)
{
	struct db_rows rows;
	enum status status = find_strays(db, arena, claims, *count, &rows, error);

	if (status != STATUS_OK || rows.count == 0)
		return status;
	size_t left = *count;
	struct gating gating = { db, arena, claims, &left, claims[0].job.process_id, NULL };
	struct refused_work work = { .data = &gating, .run = send_back, .alone = leave };

	gating.strays = arena_array(arena, rows.count, sizeof(*gating.strays));
	for (size_t i = 0; i < rows.count; i++)
		gating.strays[i] = db_int(&rows, i, SLOTS_MISSING_JOB_ID);
	status = refused_by_halves(&work, rows.count, error);
	*count = left;
	if (status == STATUS_OK && work.refused > 0) /* given back with the others */
		return error_set(error, STATUS_UNCERTAIN, "a job without a slot was refused");
	return status;
}
