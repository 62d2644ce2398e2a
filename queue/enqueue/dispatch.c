#include "queue/enqueue/enqueue.h"

#include "common/clock.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/refused/refused.h"

#define APART CLOCK_MINUTE /* until dispatching all that is due at once is tried again */

enum status dispatch_needed(struct db *db, struct arena *arena, bool *any, struct error *error)
{
	struct db_rows rows;
	enum status status =
		db_query(db, arena, DB_CALL(due, .now = P_TIME(db_now(db))), &rows, error);

	*any = status == STATUS_OK && db_int(&rows, 0, DUE_ANY) != 0;
	return status;
}

/*
 * Limited jobs: their keys are known only now, and semaphores are locked before everything else, so
 * this is a transaction of its own. If it fails they are still scheduled, and due. NONE: they have
 * no keys, so there are no such jobs.
 */
static enum status move_limited(struct db *db, struct arena *arena, const int64_t jobs[],
				size_t count, struct error *error)
{
	int64_t now = db_now(db);
	struct slots slots = { .db = db, .arena = arena, .now = now };
	struct db_calls calls = { .arena = arena };
	enum status status = slots_find(&slots, jobs, count, error);

	if (status != STATUS_OK || slots.keys.count == 0)
		return status == STATUS_OK ? STATUS_NONE : status;
	slots_before(&slots, &calls);
	db_calls_add(&calls,
		     DB_CALL(dispatch_limited, .jobs = P_IDS(jobs, count), .now = P_TIME(now)));
	slots_after(&slots, &calls);
	status = slots_conflict(&slots, &calls, error);
	return status == STATUS_OK ? slots_run_new(&slots, &calls, error) : status;
}

/* NONE: nothing was moved, though something is due. */
static enum status move(struct db *db, struct arena *arena, int batch_size, int64_t *moved,
			struct error *error)
{
	struct db_rows rows;
	enum status status = db_query(
		db, arena, DB_CALL(dispatch, .limit = P_INT(batch_size), .now = P_TIME(db_now(db))),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	int64_t *limited = arena_array(arena, rows.count, sizeof(*limited));
	size_t count = 0;
	for (size_t i = 0; i < rows.count; i++)
		if (!db_is_null(&rows, i, DISPATCH_JOB_ID))
			limited[count++] = db_int(&rows, i, DISPATCH_JOB_ID);
	status = count > 0 ? move_limited(db, arena, limited, count, error) : STATUS_NONE;
	*moved = db_int(&rows, 0, DISPATCH_MOVED) + (int64_t)count;
	return status == STATUS_NONE && db_int(&rows, 0, DISPATCH_MOVED) > 0 ? STATUS_OK : status;
}

/* Due jobs by their numbers: without a key, with one, and those that do not exist. */
struct apart {
	struct db *db;
	struct arena *arena;
	int64_t *jobs[3];
	size_t counts[3];
	const int64_t *list; /* those that are dispatched now */
};

enum { PLAIN, LIMITED, MISSING };

static enum status find_apart(struct apart *apart, int batch_size, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		apart->db, apart->arena,
		DB_CALL(due_jobs, .limit = P_INT(batch_size), .now = P_TIME(db_now(apart->db))),
		&rows, error);

	for (size_t i = 0; i < 3; i++)
		apart->jobs[i] = arena_array(apart->arena, rows.count + 1, sizeof(int64_t));
	for (size_t i = 0; i < rows.count; i++) {
		size_t kind = db_is_null(&rows, i, DUE_JOBS_LIMITED)    ? MISSING
			      : db_int(&rows, i, DUE_JOBS_LIMITED) != 0 ? LIMITED
									: PLAIN;
		apart->jobs[kind][apart->counts[kind]++] = db_int(&rows, i, DUE_JOBS_JOB_ID);
	}
	return status;
}

static enum status run_plain(void *data, size_t first, size_t count, struct error *error)
{
	const struct apart *apart = data;

	return db_query(apart->db, apart->arena,
			DB_CALL(dispatch_jobs, .jobs = P_IDS(apart->list + first, count),
				.now = P_TIME(db_now(apart->db))),
			NULL, error);
}

static enum status run_limited(void *data, size_t first, size_t count, struct error *error)
{
	const struct apart *apart = data;

	return move_limited(apart->db, apart->arena, apart->list + first, count, error);
}

static enum status leave(void *data, size_t at, const struct error *why, struct error *error)
{
	const struct apart *apart = data;
	struct refused refused = { .job = apart->list[at], .doing = "dispatch", .why = why };

	return refused_job(apart->db, &refused, error);
}

static enum status delete_missing(struct apart *apart, struct error *error)
{
	const struct error why = { .text = "there is no such job" };
	enum status status = STATUS_OK;

	apart->list = apart->jobs[MISSING];
	for (size_t i = 0; i < apart->counts[MISSING] && status == STATUS_OK; i++)
		status = leave(apart, i, &why, error);
	return status;
}

static enum status move_apart(struct apart *apart, struct error *error)
{
	struct refused_work work = {
		.data = apart, .db = apart->db, .run = run_plain, .alone = leave
	};
	enum status status;

	apart->list = apart->jobs[PLAIN];
	status = refused_by_halves(&work, apart->counts[PLAIN], error);
	work.run = run_limited;
	apart->list = apart->jobs[LIMITED];
	return status == STATUS_OK ? refused_by_halves(&work, apart->counts[LIMITED], error)
				   : status;
}

/* Nothing at all could be moved: perhaps for the sake of some rows, or all of them lack their jobs.
 */
static enum status dispatch_apart(struct db *db, struct arena *arena, struct dispatching *how,
				  int batch_size, int64_t *moved, struct error *error)
{
	struct apart apart = { .db = db, .arena = arena };
	enum status status = find_apart(&apart, batch_size, error);

	if (status == STATUS_OK)
		status = delete_missing(&apart, error);
	*moved = (int64_t)apart.counts[MISSING];
	if (status != STATUS_OK || clock_monotonic() >= how->apart_until)
		return status;
	*moved += (int64_t)(apart.counts[PLAIN] + apart.counts[LIMITED]);
	return move_apart(&apart, error);
}

enum status dispatch(struct db *db, struct dispatching *how, int batch_size, int64_t *moved,
		     struct error *error)
{
	struct arena *arena = arena_new();
	bool any;
	/* Usually nothing is due, and then no transaction needs to hold others up. */
	enum status status = dispatch_needed(db, arena, &any, error);

	if (status == STATUS_OK)
		*moved = 0;
	if (any && clock_monotonic() >= how->apart_until)
		status = move(db, arena, batch_size, moved, error);
	if (refused_row(status, error))
		how->apart_until = clock_monotonic() + APART;
	if (any && (status == STATUS_NONE || clock_monotonic() < how->apart_until))
		status = dispatch_apart(db, arena, how, batch_size, moved, error);
	arena_free(arena);
	return status;
}
