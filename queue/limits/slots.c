/*
 * The slots of limited jobs: the calls around a verb, what becomes of jobs that find no slot, and
 * of jobs that were claimed without one.
 *
 * The semaphores of all keys are locked first, in one order, and all that happens to slots happens
 * under these locks. Which jobs a slot goes to is decided by the scripts; here it is only decided
 * which keys a verb concerns, and what is done again when the database refuses one of the jobs.
 * What cannot be done here is left to healing (heal.c), never forced.
 *
 * A verb on limited jobs is one transaction: slots_before (locks), the verb, slots_after (what the
 * verb has freed goes to the next jobs). A key that such a transaction did not lock is not touched
 * by it. Jobs that need slots of several keys are admitted under the locks of all of them, which
 * may take some more transactions; between two of them a slot may be free for a moment, but never
 * given twice.
 */
#include "queue/limits/slots.h"

#include <string.h>

#include "common/invariant.h"
#include "common/log/log.h"
#include "db/operations.h"
#include "queue/claim/claim.h"
#include "queue/processes/wake.h"
#include "queue/refused/refused.h"
#include "queue/settle/settle.h"

/*
 * How many of the jobs that wait for a key are looked at, and one more for each job that may return
 * a slot.
 */
#define AROUND      4
#define AROUND_MOST 50

/* Of the jobs that wait for a free key: usually the first few decide, and then none is left. */
#define NEXT_FEW  16
#define NEXT_MORE 200

/* After this many further transactions the rest is left to healing. */
#define ROUNDS 16

static void add_key(struct slots *slots, const char *key, const char *class_name, int64_t position)
{
	slots->keys.arena = slots->arena;
	DB_ADD(&slots->keys, slot_row, .key = P_TEXT(key), .class_name = P_TEXT(class_name),
	       .position = P_INT(position));
}

/* Of slots_around, or of slots_of, which has more. */
static void take_rows(struct slots *slots, const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		add_key(slots, db_text(rows, i, SLOT_KEY_CONCURRENCY_KEY),
			db_text(rows, i, SLOT_KEY_CLASS_NAME), db_int(rows, i, SLOT_KEY_POSITION));
}

/*
 * Adds the other keys of the jobs that wait for the known ones: a job that needs a slot of each can
 * be admitted only under the locks of all.
 */
static enum status look_around(struct slots *slots, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		slots->db, slots->arena,
		DB_CALL(slots_around, .keys = P_ROWS(&slots->keys),
			.limit = P_INT(AROUND + (slots->job_count < AROUND_MOST ? slots->job_count
										: AROUND_MOST))),
		&rows, error);

	if (status == STATUS_OK)
		take_rows(slots, &rows);
	return status;
}

enum status slots_find(struct slots *slots, const int64_t jobs[], size_t count, struct error *error)
{
	struct db_rows rows = { 0 };

	slots->jobs = jobs;
	slots->job_count = count;
	slots->keys.count = 0;
	if (count == 0)
		return STATUS_OK;
	enum status status = db_query(slots->db, slots->arena,
				      DB_CALL(slots_of, .jobs = P_IDS(jobs, count)), &rows, error);
	if (status != STATUS_OK || rows.count == 0)
		return status;
	for (size_t i = 0; i < rows.count; i++)
		slots->cancels = slots->cancels || db_int(&rows, i, SLOTS_OF_CANCELS) != 0;
	take_rows(slots, &rows);
	slots->several = db_int(&rows, 0, SLOTS_OF_SEVERAL) != 0;
	return slots->several ? look_around(slots, error) : STATUS_OK;
}

bool slots_differ(const struct new_job *job, size_t more)
{
	bool differs = strcmp(job->more_keys[more], job->concurrency_key) != 0;

	for (size_t i = 0; i < more && differs; i++)
		differs = strcmp(job->more_keys[more], job->more_keys[i]) != 0;
	return differs;
}

static bool same_key(const struct new_job *a, const struct new_job *b)
{
	return a->concurrency_key && b->concurrency_key && a->more_count == 0 &&
	       b->more_count == 0 && strcmp(a->concurrency_key, b->concurrency_key) == 0 &&
	       strcmp(a->class_name, b->class_name) == 0;
}

/* It asks for its slot when it is due, and may be moved or discarded before then. */
static bool is_for_later(const struct new_job *job, int64_t now)
{
	return job->at > 0 ? job->at > now : job->delay > 0;
}

void slots_find_new(struct slots *slots, const struct new_job jobs[], size_t count, int64_t now)
{
	const struct new_job *before = NULL;

	for (size_t i = 0; i < count; i++) {
		const struct new_job *job = &jobs[i];
		if (!job->concurrency_key || is_for_later(job, now) ||
		    (before && same_key(job, before)))
			continue;
		before = job;
		add_key(slots, job->concurrency_key, job->class_name, 0);
		for (size_t k = 0; k < job->more_count; k++)
			if (slots_differ(job, k))
				add_key(slots, job->more_keys[k], job->class_name, (int64_t)k + 1);
		slots->several = slots->several || job->more_count > 0;
		slots->cancels = slots->cancels || !job->cancels_none;
	}
}

static int64_t slots_now(const struct slots *slots)
{
	return slots->now > 0 ? slots->now : db_now(slots->db);
}

static void add_lock(const struct slots *slots, struct db_calls *calls)
{
	db_calls_add(calls, DB_CALL(slots_lock, .keys = P_ROWS(&slots->keys),
				    .now = P_TIME(slots_now(slots))));
}

void slots_before(const struct slots *slots, struct db_calls *calls)
{
	const struct db_value jobs = P_IDS(slots->jobs, slots->job_count);

	if (slots->keys.count == 0)
		return;
	add_lock(slots, calls);
	if (slots->job_count == 0 || slots->ungated)
		return;
	db_calls_add(calls, DB_CALL(slots_adopt, .jobs = jobs, .now = P_TIME(slots_now(slots))));
	if (slots->several)
		db_calls_add(calls, DB_CALL(slots_adopt_several, .jobs = jobs,
					    .now = P_TIME(slots_now(slots))));
}

static size_t add_admission_several(const struct slots *slots, int64_t more, struct db_calls *calls)
{
	return db_calls_add(calls, DB_CALL(slots_admit_several, .keys = P_ROWS(&slots->keys),
					   .now = P_TIME(slots_now(slots)), .more = P_INT(more)));
}

/*
 * The second call is for jobs that lost to a more urgent one and must now wait for the key that is
 * full, and for those after the first few; it does nothing where no key is free any more.
 */
static void add_admission(struct slots *slots, struct db_calls *calls)
{
	if (slots->several) {
		add_admission_several(slots, NEXT_FEW, calls);
		slots->last = add_admission_several(slots, NEXT_MORE, calls);
	} else {
		slots->last = db_calls_add(calls, DB_CALL(slots_admit, .keys = P_ROWS(&slots->keys),
							  .now = P_TIME(slots_now(slots))));
	}
}

void slots_after(struct slots *slots, struct db_calls *calls)
{
	if (slots->keys.count == 0)
		return;
	if (slots->job_count > 0)
		db_calls_add(calls,
			     DB_CALL(slots_free, .jobs = P_IDS(slots->jobs, slots->job_count),
				     .now = P_TIME(slots_now(slots))));
	add_admission(slots, calls);
}

void slots_gate(struct slots *slots, int64_t process_id, struct db_calls *calls)
{
	add_lock(slots, calls);
	db_calls_add(calls,
		     DB_CALL(slots_gate, .jobs = P_IDS(slots->jobs, slots->job_count),
			     .process_id = P_INT(process_id), .now = P_TIME(slots_now(slots))));
	add_admission(slots, calls);
}

/* The rows of either admission. */
DB_ALIKE(slots_admit, slots_admit_several);

static bool is_undecided(const struct db_rows *admitted)
{
	return admitted->count > 0 && db_int(admitted, 0, SLOTS_ADMIT_UNDECIDED) > 0;
}

/* One more transaction that only admits; whether there are undecided jobs left. */
static enum status slots_admit_again(struct slots *slots, bool *undecided, struct error *error)
{
	struct db_calls calls = { .arena = slots->arena };
	enum status status = slots->several ? look_around(slots, error) : STATUS_OK;

	if (status != STATUS_OK)
		return status;
	add_lock(slots, &calls);
	add_admission(slots, &calls);
	status = db_run(slots->db, slots->arena, calls.list, calls.count, error);
	*undecided = status == STATUS_OK && is_undecided(&calls.list[slots->last].rows);
	return status;
}

void slots_follow_rows(struct slots *slots, const struct db_rows *admitted)
{
	bool undecided = is_undecided(admitted);
	struct error error;

	slots->several = true;
	for (int round = 0; undecided && round < ROUNDS; round++)
		if (slots_admit_again(slots, &undecided, &error) != STATUS_OK)
			return;
}

void slots_follow(struct slots *slots, const struct db_calls *calls)
{
	INVARIANT(slots->keys.count == 0 || slots->last < calls->count);
	if (slots->keys.count > 0)
		slots_follow_rows(slots, &calls->list[slots->last].rows);
}

/* Verbs and admissions of which the database refuses one job's part. */

#define JOBS_MOST    16 /* of a key: the rest is left to healing */
#define KEY_FOR      (10 * CLOCK_SECOND)
#define MISSING_MOST 100

/* Whether the next one stands first now. The first is the one that is refused where one slot is
 * free; where more are, those before it wait for a pause, too. */
static bool leave_first(const struct slots *slots, const char *key, const struct error *why)
{
	struct db_rows rows = { 0 };
	struct refused refused = { .doing = "admit", .why = why };
	struct error error;
	enum status status = db_query(slots->db, slots->arena,
				      DB_CALL(blocked_first, .key = P_TEXT(key)), &rows, &error);

	if (status != STATUS_OK || rows.count == 0)
		return false;
	refused.job = db_int(&rows, 0, BLOCKED_FIRST_JOB_ID);
	if (refused_job(slots->db, &refused, &error) != STATUS_OK)
		return false;
	if (refused.gone)
		return true;
	status = db_query(slots->db, slots->arena,
			  DB_CALL(blocked_aside, .job_id = P_INT(refused.job),
				  .scheduled_at = P_TIME(refused.until),
				  .now = P_TIME(db_now(slots->db))),
			  &rows, &error);
	const bool admitted = status == STATUS_NONE || (status == STATUS_OK && rows.count == 0);
	if (admitted) /* by somebody else, meanwhile */
		refused_no_more(slots->db, refused.job);
	return admitted || status == STATUS_OK;
}

/* Then no job is to blame: somebody has been holding the semaphore for long. */
static bool is_locked_out(const struct slots *slots)
{
	struct db_calls calls = { .arena = slots->arena };
	struct error error;

	add_lock(slots, &calls);
	return db_run(slots->db, slots->arena, calls.list, calls.count, &error) != STATUS_OK;
}

static void admit_apart(struct slots *slots, const char *key)
{
	struct error why = { 0 };
	const int64_t until = clock_monotonic() + KEY_FOR;
	bool undecided;

	for (int i = 0; i < JOBS_MOST && clock_monotonic() < until; i++) {
		enum status status = slots_admit_again(slots, &undecided, &why);
		if (status == STATUS_OK || status == STATUS_FATAL || !refused_row(status, &why) ||
		    is_locked_out(slots) || !leave_first(slots, key, &why))
			return;
	}
}

void slots_admit_apart(const struct slots *slots)
{
	const int64_t patience = refused_hurry(slots->db);

	for (size_t i = 0; i < slots->keys.count; i++) {
		const struct slot_row *row =
			(const struct slot_row *)&slots->keys.cells[i * slots->keys.width];
		struct slots one = { .db = slots->db,
				     .arena = slots->arena,
				     .several = slots->several };
		add_key(&one, row->key.text, row->class_name.text, row->position.number);
		admit_apart(&one, row->key.text);
	}
	(void)db_set_retry_for(slots->db, patience);
}

static bool admits(const struct db_call *call)
{
	return strncmp(call->operation, "slots_admit", strlen("slots_admit")) == 0 ||
	       strcmp(call->operation, "slots_conflict") == 0 ||
	       strcmp(call->operation, "slots_cancel") == 0 ||
	       strcmp(call->operation, "batches_leave_cancelled") == 0;
}

/* on_conflict is left out, too: it could not tell who would have found a slot. */
static enum status run_without_admission(struct slots *slots, struct db_calls *calls,
					 struct error *error)
{
	for (size_t i = 0; i < calls->count; i++)
		if (admits(&calls->list[i]))
			calls->list[i] = DB_PLAIN(nothing);
	enum status status = db_run(slots->db, slots->arena, calls->list, calls->count, error);
	if (status == STATUS_OK)
		slots_admit_apart(slots);
	return status;
}

enum status slots_run(struct slots *slots, struct db_calls *calls, struct error *error)
{
	enum status status = db_run(slots->db, slots->arena, calls->list, calls->count, error);

	if (refused_row(status, error) && slots->keys.count > 0)
		return run_without_admission(slots, calls, error);
	if (status == STATUS_OK)
		slots_follow(slots, calls);
	return status;
}

enum status slots_delete_missing(struct db *db, struct error *error)
{
	const struct error why = { .text = "there is no such job" };
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(blocked_missing, .limit = P_INT(MISSING_MOST)), &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		struct refused refused = { .job = db_int(&rows, i, BLOCKED_MISSING_JOB_ID),
					   .doing = "wait",
					   .why = &why };
		status = refused_job(db, &refused, error);
	}
	arena_free(arena);
	return status;
}

/* on_conflict: what becomes of jobs when a new one finds no slot. */

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
	if (slots->keys.count == 0)
		return STATUS_OK;
	const struct db_value keys = P_ROWS(&slots->keys);
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

	if (status == STATUS_OK && slots.keys.count > 0) {
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
	INVARIANT(slots->conflict + 1 < calls->count);
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

/* Jobs that were claimed without a slot. */

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

	if (status != STATUS_OK || slots.keys.count == 0)
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

static enum status leave_stray(void *data, size_t at, const struct error *why, struct error *error)
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
	struct refused_work work = {
		.data = &gating, .db = db, .run = send_back, .alone = leave_stray
	};

	gating.strays = arena_array(arena, rows.count, sizeof(*gating.strays));
	for (size_t i = 0; i < rows.count; i++)
		gating.strays[i] = db_int(&rows, i, SLOTS_MISSING_JOB_ID);
	status = refused_by_halves(&work, rows.count, error);
	*count = left;
	if (status == STATUS_OK && work.refused > 0) /* given back with the others */
		return error_set(error, STATUS_UNCERTAIN, "a job without a slot was refused");
	return status;
}
