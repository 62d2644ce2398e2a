/*
 * A script in one round trip: one run is one pipeline, of BEGIN, every statement of every call,
 * COMMIT, and one sync. Only a guard with statements after it splits it, because what comes next
 * depends on its count.
 *
 * The server answers each message in turn, and after its first refusal skips all others up to the
 * sync; so `steps` holds what was sent, and answers are taken by their place in it. The first
 * refusal is the run's, with its text.
 *
 * Only an answer to COMMIT proves that a transaction was committed. If COMMIT may have reached the
 * server and the answer does not come, the outcome is UNCERTAIN, never DOWN: DOWN means that
 * nothing was committed. So where something could not be sent, libpq's buffer counts as sent, for
 * what is in it still goes out when the connection ends.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/hash.h"
#include "db/fault.h"
#include "db/postgresql/driver.h"

/* values, prepared statements and their plans, rows */

/* A plan may be of a time when the tables were empty. To make one takes a millisecond or so. */
#define PLANS_LAST (5 * CLOCK_SECOND)

static const char *time_text(struct arena *arena, const struct db_value *value)
{
	char *text = arena_alloc(arena, CLOCK_TEXT_SIZE);

	clock_format(value->number, text);
	return text;
}

/* A value in PostgreSQL's text form; NULL is SQL NULL. A new text is in the arena. */
static const char *value_text(struct arena *arena, const struct db_value *value)
{
	switch (value->type) {
	case DB_INT:
		return arena_printf(arena, "%" PRId64, value->number);
	case DB_TEXT:
		return value->text;
	case DB_TIME:
		return time_text(arena, value);
	case DB_BOOL:
		return value->number ? "t" : "f";
	case DB_UNSET:
	case DB_NULL:
	case DB_IDS: /* list_bind */
	case DB_TEXTS:
	case DB_ROWS:
		break;
	}
	return NULL;
}

/*
 * The name contains a hash of the text: if a pooler hands us a server connection on which another
 * process has prepared its own statement of this number, the name must not match that one.
 */
static void name_prepared(struct prepared *prepared, const struct statement *statement)
{
	uint64_t hash = hash_text(HASH_START, statement->sql);

	snprintf(prepared->name, sizeof(prepared->name), "s%u_%016" PRIx64, statement->id, hash);
}

/* The state of this statement on this connection; the caller sets `ready`. */
static struct prepared *find_prepared(struct postgresql *pg, const struct statement *statement)
{
	if (statement->id >= pg->prepared_size) {
		unsigned size = statement->id * 2 + 64;
		struct prepared *table = arena_array(pg->arena, size, sizeof(*table));
		for (unsigned i = 0; i < pg->prepared_size; i++)
			table[i] = pg->prepared[i];
		pg->prepared = table;
		pg->prepared_size = size;
	}
	struct prepared *prepared = &pg->prepared[statement->id];
	if (!prepared->name[0])
		name_prepared(prepared, statement);
	return prepared;
}

/* Is it time to give up the plans that hold for all values? Then the next time is set, too. */
static bool replans(struct postgresql *pg)
{
	int64_t now = clock_monotonic();

	if (!pg->one_plan || pg->unnamed || now < pg->replan_at)
		return false;
	pg->replan_at = now + PLANS_LAST;
	return true;
}

/* The rows of a result, in the arena. */
static void take_rows(struct arena *arena, const PGresult *result, struct db_rows *rows)
{
	int count = PQntuples(result);
	int columns = PQnfields(result);

	rows->count = (size_t)count;
	rows->columns = (size_t)columns;
	rows->cells = arena_array(arena, rows->count * rows->columns + 1, sizeof(*rows->cells));
	for (int row = 0; row < count; row++)
		for (int column = 0; column < columns; column++)
			if (!PQgetisnull(result, row, column))
				rows->cells[row * columns + column] =
					arena_strndup(arena, PQgetvalue(result, row, column),
						      (size_t)PQgetlength(result, row, column));
}

/* the steps of a run */

enum step_kind {
	STEP_BEGIN,
	STEP_SETTINGS,
	STEP_REPLAN,
	STEP_PREPARE,
	STEP_STATEMENT,
	STEP_COMMIT,
	STEP_ROLLBACK
};

/* One message that the server answers. */
struct step {
	enum step_kind kind;
	const struct statement *statement;
	struct driver_call *call;
};

struct run {
	struct postgresql *pg;
	struct arena *arena; /* of the results */
	struct driver_call *calls;
	size_t count;
	size_t call; /* the next statement to send: its call */
	unsigned statement;
	bool read;          /* nothing to commit in any case */
	bool transaction;   /* we begin and end it */
	struct step *steps; /* sent in the present round trip */
	size_t step_count;
	bool sent;       /* libpq has taken all of them */
	bool committing; /* COMMIT and its sync were handed to the network */
	bool committed;
	bool unread;        /* a statement was answered, but there was no memory for the answer */
	enum status failed; /* the server's first refusal, with its text in `failure` */
	struct error failure;
};

static const char *const step_sql[] = {
	/* Explicit, because the server connection of a pooler may have other defaults. */
	[STEP_BEGIN] = "BEGIN ISOLATION LEVEL READ COMMITTED",
	[STEP_SETTINGS] = POSTGRESQL_SET_LOCAL,
	[STEP_REPLAN] = "DISCARD PLANS",
	[STEP_COMMIT] = "COMMIT",
	[STEP_ROLLBACK] = "ROLLBACK",
};

/* sending */

static struct step *add_step(struct run *run, enum step_kind kind)
{
	struct step *step = &run->steps[run->step_count++];

	*step = (struct step){ .kind = kind };
	return step;
}

static bool send_plain(struct run *run, enum step_kind kind)
{
	add_step(run, kind);
	return PQsendQueryParams(run->pg->handle, step_sql[kind], 0, NULL, NULL, NULL, NULL, 0);
}

static bool send_statement(struct run *run, struct driver_call *call,
			   const struct statement *statement)
{
	struct postgresql *pg = run->pg;
	int count = (int)statement->order_count;
	const char **values = arena_array(pg->scratch, statement->order_count + 1, sizeof(*values));
	struct prepared *prepared = pg->unnamed ? NULL : find_prepared(pg, statement);

	for (int i = 0; i < count; i++)
		values[i] = value_text(pg->scratch, &call->values[statement->order[i]]);
	if (prepared && !prepared->ready) {
		add_step(run, STEP_PREPARE)->statement = statement;
		if (!PQsendPrepare(pg->handle, prepared->name, statement->sql, 0, NULL))
			return false;
		prepared->ready = true; /* reset if it fails */
	}
	struct step *step = add_step(run, STEP_STATEMENT);
	step->statement = statement;
	step->call = call;
	if (prepared)
		return PQsendQueryPrepared(pg->handle, prepared->name, count, values, NULL, NULL,
					   0);
	return PQsendQueryParams(pg->handle, statement->sql, count, NULL, values, NULL, NULL, 0);
}

/* The next statement, or NULL after the last. A call that is `none` has no more statements. */
static const struct statement *next_statement(struct run *run, struct driver_call **call)
{
	for (; run->call < run->count; run->call++, run->statement = 0) {
		*call = &run->calls[run->call];
		if (!(*call)->none && run->statement < (*call)->script->statement_count)
			return &(*call)->script->statements[run->statement++];
	}
	return NULL;
}

static bool all_none(const struct run *run)
{
	for (size_t i = 0; i < run->count; i++)
		if (!run->calls[i].none)
			return false;
	return true;
}

/* Sends statements up to the next one that must be waited for; *last: all are sent. */
static bool send_part(struct run *run, bool *last)
{
	struct driver_call *call = NULL;
	const struct statement *statement;

	while ((statement = next_statement(run, &call))) {
		if (!send_statement(run, call, statement))
			return false;
		if (statement->guard && run->statement < call->script->statement_count)
			return true;
		if (FAULT_ARMED(run->calls, run->count))
			return true;
	}
	*last = true;
	if (!run->transaction)
		return true;
	return send_plain(run, all_none(run) ? STEP_ROLLBACK : STEP_COMMIT);
}

/* receiving */

static bool guarded(const struct script *script)
{
	for (unsigned i = 0; i < script->statement_count; i++)
		if (script->statements[i].guard)
			return true;
	return false;
}

static void take_statement(struct run *run, const struct step *step, PGresult *result)
{
	uint64_t changed = strtoull(PQcmdTuples(result), NULL, 10);

	if (step->statement->guard || !guarded(step->call->script))
		step->call->rows->changed = changed;
	if (step->statement->guard && changed == 0)
		step->call->none = true;
	if (step->statement->rows)
		take_rows(run->arena, result, step->call->rows);
}

/*
 * A failed transaction answers COMMIT with ROLLBACK and reports success; without a transaction
 * there is only a warning.
 */
static void take_commit(struct run *run, PGresult *result)
{
	if (strcmp(PQcmdStatus(result), "COMMIT") == 0 && !run->pg->outside)
		run->committed = true;
	else if (run->failed == STATUS_OK)
		run->failed = error_set(&run->failure, STATUS_RETRY,
					"the server rolled the transaction back");
}

static void take_success(struct run *run, const struct step *step, PGresult *result)
{
	if (step->kind == STEP_STATEMENT)
		take_statement(run, step, result);
	else if (step->kind == STEP_COMMIT)
		take_commit(run, result);
}

/* Only an error with a SQLSTATE comes from the server; any other means that it is gone. */
static void take_failure(struct run *run, const struct step *step, const PGresult *result)
{
	struct postgresql *pg = run->pg;
	const char *what =
		step && step->call ? step->call->script->name : run->calls[0].script->name;

	if (step && step->kind == STEP_PREPARE)
		find_prepared(pg, step->statement)->ready = false;
	if (PQresultStatus(result) == PGRES_PIPELINE_ABORTED || run->failed != STATUS_OK)
		return;
	if (PQresultErrorField(result, PG_DIAG_SQLSTATE)) {
		run->failed = postgresql_failure(pg, what, result, &run->failure);
	} else {
		pg->base.broken = true;
		run->unread = run->unread || (step && step->kind == STEP_STATEMENT);
	}
	/*
	 * If the server leaves instead of answering COMMIT, or right after the answer, the outcome
	 * is unknown.
	 */
	if (pg->base.broken && run->committing && (!step || step->kind == STEP_COMMIT))
		run->failed = STATUS_OK;
}

/* True when the result was the sync that ends the round trip. */
static bool take(struct run *run, size_t at, PGresult *result)
{
	const struct step *step = at < run->step_count ? &run->steps[at] : NULL;
	ExecStatusType kind = PQresultStatus(result);

	if (kind == PGRES_PIPELINE_SYNC)
		return true;
	if (step && (kind == PGRES_COMMAND_OK || kind == PGRES_TUPLES_OK))
		take_success(run, step, result);
	else
		take_failure(run, step, result);
	return false;
}

/* Reads every answer of the round trip. DOWN when the connection is lost before its end. */
static enum status receive(struct run *run, struct error *error)
{
	struct postgresql *pg = run->pg;
	bool done = false;

	for (size_t at = 0; !done;) {
		PGresult *result = NULL;
		enum status status = postgresql_result(pg, &result, error);
		if (status != STATUS_OK)
			return status;
		if (result) {
			done = take(run, at, result);
			PQclear(result);
		} else if (PQstatus(pg->handle) == CONNECTION_BAD || at++ == run->step_count) {
			return postgresql_broken(pg, PQerrorMessage(pg->handle), error);
		}
	}
	return STATUS_OK;
}

static enum status exchange(struct run *run, struct error *error)
{
	struct postgresql *pg = run->pg;

	run->committing = !run->read && run->step_count > 0 &&
			  run->steps[run->step_count - 1].kind == STEP_COMMIT;
	postgresql_start(pg);
	struct error broken;
	enum status status;
	/* What is in libpq's buffer is still sent when the connection ends: a commit, too. */
	if (!run->sent || (!PQpipelineSync(pg->handle) && PQstatus(pg->handle) != CONNECTION_BAD))
		status = postgresql_broken(pg, PQerrorMessage(pg->handle), &broken);
	else
		status = receive(run, &broken);
	if (run->failed != STATUS_OK) {
		if (error)
			*error = run->failure;
		return run->failed;
	}
	if (!run->unread && (status == STATUS_OK || run->committed))
		return STATUS_OK;
	if (status == STATUS_OK)
		status = postgresql_broken(pg, "the answer was lost", &broken);
	return error_set(error, run->committing ? STATUS_UNCERTAIN : status, "%s: %s%s",
			 run->calls[0].script->name,
			 run->committing ? "it is unknown whether it was committed: " : "",
			 broken.text);
}

static enum status round_trip(struct run *run, struct error *error)
{
	enum status status = exchange(run, error);

	run->step_count = 0;
	return status;
}

/* So that the next run finds the connection as this one did. */
static void roll_back(struct run *run)
{
	struct postgresql *pg = run->pg;
	struct error ignored;

	if (!run->transaction || pg->base.broken || PQtransactionStatus(pg->handle) == PQTRANS_IDLE)
		return;
	run->failed = STATUS_OK;
	run->step_count = 0;
	run->sent = send_plain(run, STEP_ROLLBACK);
	if (round_trip(run, &ignored) != STATUS_OK)
		pg->base.broken = true;
}

static void start(struct run *run)
{
	size_t most = 4; /* BEGIN, settings, new plans, COMMIT */

	arena_clear(run->pg->scratch);
	run->pg->outside = false;
	for (size_t i = 0; i < run->count; i++) {
		run->calls[i].none = false;
		most += (size_t)run->calls[i].script->statement_count * 2;
	}
	run->steps = arena_array(run->pg->scratch, most, sizeof(*run->steps));
	run->read = run->count == 1 && run->calls[0].script->read;
	run->transaction = !run->pg->locked && (!run->read || run->pg->unnamed);
}

#ifdef DRAY_FAULTS
/*
 * With a fault armed each statement is a round trip of its own, so that at a point the server has
 * done what comes before it and has not seen what comes after.
 */
static enum status pass_point(const struct run *run, struct error *error)
{
	struct run ahead = *run;
	struct driver_call *call = NULL;
	struct connection *connection = &run->pg->base;

	if (next_statement(&ahead, &call))
		return db_fault_statement(connection, call, ahead.statement - 1, error);
	if (run->read || all_none(run))
		return STATUS_OK;
	return db_fault_commit(connection, run->calls, run->count, error);
}
#endif

static enum status begin(struct run *run, struct error *error)
{
	struct postgresql *pg = run->pg;

	if (run->transaction)
		run->sent = send_plain(run, STEP_BEGIN);
	if (run->transaction && pg->unnamed)
		run->sent = run->sent && send_plain(run, STEP_SETTINGS);
	if (replans(pg))
		run->sent = run->sent && send_plain(run, STEP_REPLAN);
	if (run->step_count == 0 || !FAULT_ARMED(run->calls, run->count))
		return STATUS_OK;
	return round_trip(run, error);
}

/* The transaction has ended unnoticed: the next statement would be committed by itself. */
static enum status check_inside(const struct run *run, struct error *error)
{
	if (!run->transaction || PQtransactionStatus(run->pg->handle) != PQTRANS_IDLE)
		return STATUS_OK;
	return error_set(error, STATUS_RETRY, "%s: the server has ended the transaction",
			 run->calls[0].script->name);
}

static enum status run_parts(struct run *run, struct error *error)
{
	enum status status = begin(run, error);
	bool last = false;

	while (status == STATUS_OK && !last) {
		status = FAULT_STATUS(pass_point(run, error));
		if (status != STATUS_OK)
			break;
		run->sent = run->sent && send_part(run, &last);
		status = round_trip(run, error);
		if (status == STATUS_OK && !last)
			status = check_inside(run, error);
	}
	if (status == STATUS_OK && run->committed)
		status = FAULT_STATUS(
			db_fault_committed(&run->pg->base, run->calls, run->count, error));
	return status;
}

enum status postgresql_run(struct connection *connection, struct arena *arena,
			   struct driver_call *calls, size_t count, struct error *error)
{
	struct postgresql *pg = (struct postgresql *)connection;
	struct run run = { .pg = pg, .arena = arena, .calls = calls, .count = count, .sent = true };
	enum status status = postgresql_alive(pg, error);

	if (status != STATUS_OK || count == 0)
		return status;
	start(&run);
	status = run_parts(&run, error);
	if (status != STATUS_OK)
		roll_back(&run);
	return status;
}
