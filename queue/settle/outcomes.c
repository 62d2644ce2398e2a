/*
 * The ways a run may end, what follows for the batch of its job, and why an outcome changed
 * nothing.
 *
 * A row of the table says what a way does to the job; settle.c and the worker go by it. What has
 * become of a claim that is not there any more is asked only then, for the log: it decides nothing.
 */
#include "queue/settle/settle.h"

#include "db/db.h"
#include "db/operations.h"
#include "queue/claim/claim.h"
#include "queue/payload/cause.h"

/* settle.c calls those in_history as `fail`, the others as `finish`, and what deletes as it is. */
const struct outcome_rule outcome_rules[OUTCOMES] = {
	[OUTCOME_FINISHED] = { .operation = "finish",
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED },
	[OUTCOME_RECORDED] = { .operation = DB_LIKE(finish_recorded, fail),
			       .deletes = "finish_and_delete",
			       .next = JOB_FINISHED,
			       .in_history = true },
	[OUTCOME_FAILED] = { .operation = "fail", .next = JOB_FAILED, .in_history = true },
	[OUTCOME_RETRIED] = { .operation = DB_LIKE(retry_later, fail),
			      .next = JOB_SCHEDULED,
			      .in_history = true },
	[OUTCOME_DISCARDED] = { .operation = DB_LIKE(discard_run, fail),
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_INTERRUPTED] = { .operation = DB_LIKE(interrupt, fail),
				  .next = JOB_READY,
				  .in_history = true },
	[OUTCOME_SNOOZED] = { .operation = DB_LIKE(snooze, fail),
			      .next = JOB_SCHEDULED,
			      .in_history = true },
	[OUTCOME_CANCELLED] = { .operation = DB_LIKE(cancel_run, fail),
				.next = JOB_FINISHED,
				.in_history = true },
	[OUTCOME_RELEASED] = { .operation = DB_LIKE(release, finish), .next = JOB_READY },
};

bool outcome_runs_again(enum outcome_kind kind)
{
	const enum job_state next = outcome_rules[kind].next;

	return next == JOB_READY || next == JOB_SCHEDULED;
}

/* Their rows are read alike. */
DB_ALIKE(fail, finish);
DB_ALIKE(fail, finish_and_delete);
DB_ALIKE(fail, finish_recorded);
DB_ALIKE(fail, retry_later);
DB_ALIKE(fail, discard_run);
DB_ALIKE(fail, interrupt);
DB_ALIKE(fail, snooze);
DB_ALIKE(fail, cancel_run);
DB_ALIKE(fail, release);

/* What became of a claim that is not there any more. */

#define TAKEN "the job was taken from this worker while it ran"
#define SERVER                                                                                     \
	"the database does not have what it had confirmed, as after a failover to a server that "  \
	"lagged or from a restored backup"

/* Of the same run: by whom, and why; NULL = it was not. */
static const char *cancelled(struct arena *arena, const struct db_rows *rows)
{
	return db_is_null(rows, 0, CLAIM_RIVAL_CANCELLED)
		       ? NULL
		       : cause_of(arena, db_text(rows, 0, CLAIM_RIVAL_CANCELLED)).message;
}

static const char *describe_rival(struct arena *arena, const struct claim_name *claim,
				  const struct db_rows *rows)
{
	if (db_int(rows, 0, CLAIM_RIVAL_NUMBER_JOB) == claim->job_id)
		return "its claim's number stands for a later claim of the same job now: " SERVER;
	if (!db_is_null(rows, 0, CLAIM_RIVAL_NUMBER_JOB))
		return arena_printf(
			arena, "its claim's number stands for a claim of job %lld now: " SERVER,
			(long long)db_int(rows, 0, CLAIM_RIVAL_NUMBER_JOB));
	if (!db_is_null(rows, 0, CLAIM_RIVAL_JOB_PROCESS))
		return arena_printf(arena, TAKEN ", and process %lld has it now",
				    (long long)db_int(rows, 0, CLAIM_RIVAL_JOB_PROCESS));
	if (cancelled(arena, rows))
		return cancelled(arena, rows);
	if (db_is_null(rows, 0, CLAIM_RIVAL_JOB_ID))
		return TAKEN ", and does not exist any more";
	return db_is_null(rows, 0, CLAIM_RIVAL_FINISHED_AT) ? TAKEN : TAKEN ", and is finished";
}

/* False when the database cannot be asked. */
static bool find_rival(struct db *db, struct arena *arena, const struct claim_name *claim,
		       struct db_rows *rows)
{
	struct error error;
	enum status status = db_query(
		db, arena,
		DB_CALL(claim_rival, .claim = P_INT(claim->id), .job_id = P_INT(claim->job_id)),
		rows, &error);

	return status == STATUS_OK && rows->count > 0;
}

const char *claim_why_gone(struct db *db, struct arena *arena, const struct claim_name *claim)
{
	struct db_rows rows = { 0 };

	return find_rival(db, arena, claim, &rows) ? describe_rival(arena, claim, &rows) : TAKEN;
}

const char *claim_why_unsettled(struct db *db, struct arena *arena, struct outcome *outcome)
{
	static const size_t shown_by[JOB_STATES] = { [JOB_FINISHED] = CLAIM_RIVAL_FINISHED_AT,
						     [JOB_FAILED] = CLAIM_RIVAL_FAILED_JOB,
						     [JOB_SCHEDULED] = CLAIM_RIVAL_RUN };
	size_t column = shown_by[outcome_rules[outcome->kind].next];
	struct db_rows rows = { 0 };

	outcome->told = false;
	if ((column == 0 && !outcome_runs_again(outcome->kind)) ||
	    !find_rival(db, arena, &outcome->claim, &rows) ||
	    db_is_null(&rows, 0, CLAIM_RIVAL_JOB_ID))
		return NULL;
	outcome->told = outcome_runs_again(outcome->kind) && cancelled(arena, &rows);
	if (outcome->told)
		return cancelled(arena, &rows);
	if (column == 0 || !db_is_null(&rows, 0, column))
		return NULL;
	return describe_rival(arena, &outcome->claim, &rows);
}

/* Batches of Solid Queue, which jobs leave when they end. */

enum status batches_look(struct db *db, bool *there, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(batches), &rows, error);

	*there = status == STATUS_OK && db_int(&rows, 0, BATCHES_THERE) != 0;
	arena_free(arena);
	return status;
}

void batches_leave(struct db_calls *calls, const int64_t jobs[], size_t count)
{
	db_calls_add(calls, DB_CALL(batches_leave, .jobs = P_IDS(jobs, count)));
}

void batches_leave_cancelled(struct db_calls *calls, int64_t now)
{
	db_calls_add(calls, DB_CALL(batches_leave_cancelled, .now = P_TIME(now)));
}
