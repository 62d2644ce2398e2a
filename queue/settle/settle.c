/*
 * Settling: what has ended since the last time is finished, failed or put off, and the next jobs
 * are claimed, in one transaction.
 *
 * Nothing is done twice and nothing to another's claim: a script deletes the claim's row by its
 * name and acts only on what it deleted. An outcome whose row was not there is refused, with the
 * reason. What the database refuses for one outcome or one job is done for all the others
 * (queue/refused). When it is uncertain whether a transaction was committed, the claims that are
 * there say it.
 */
#include "queue/settle/settle.h"

#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "db/operations.h"
#include "queue/claim/claim.h"
#include "queue/limits/slots.h"
#include "queue/payload/payload.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"

/* The end of a run as the scripts get it. */

/* An instant of this machine's clock as one of the database's. */
static int64_t instant_of(struct db *db, int64_t monotonic)
{
	return db_now(db) - (monotonic > 0 ? clock_monotonic() - monotonic : 0);
}

/* For the history, and where the job runs again what it needs for that. */
static void run_end_add(struct db *db, struct db_list *list, const struct outcome *outcome)
{
	const struct claim_name *claim = &outcome->claim;
	const bool again = outcome_rules[outcome->kind].next == JOB_SCHEDULED;
	const bool measured = outcome->peak_memory > 0;
	const int64_t began = instant_of(db, outcome->began_at);
	const int64_t ended = instant_of(db, outcome->ended_at);

	DB_ADD(list, run_row, .id = P_INT(claim->id), .job_id = P_INT(claim->job_id),
	       .process_id = P_INT(claim->process_id), .created_at = P_TIME(claim->claimed_at),
	       .attempt = P_INT(outcome->attempt), .began_at = P_TIME(began),
	       .ended_at = P_TIME(ended),
	       .due = again ? P_TIME(db_now(db) + outcome->wait) : P_NULL,
	       .payload = P_TEXT(outcome->payload), .error = P_TEXT(outcome->error),
	       .error_group = P_TEXT(outcome->group),
	       .cpu_us = measured ? P_INT(outcome->cpu_time) : P_NULL,
	       .peak_memory = measured ? P_INT(outcome->peak_memory) : P_NULL);
}

/* One round trip. */

/* One settle in progress: the claims of each kind of outcome, and the calls. */
struct settling {
	struct db *db;
	struct arena *arena;
	struct settle_request *request;
	struct db_list claims[OUTCOMES];
	struct db_list runs[OUTCOMES]; /* where in_history: the ends of the same */
	struct slots slots;
	struct db_calls calls;
	size_t told, first,
		end; /* which of the calls are about outcomes; told = first: no cancel_told */
};

static void sort_outcomes(struct settling *settling)
{
	const struct settle_request *request = settling->request;

	for (size_t kind = 0; kind < OUTCOMES; kind++)
		settling->claims[kind].arena = settling->runs[kind].arena = settling->arena;
	for (size_t i = 0; i < request->outcome_count; i++) {
		const struct outcome *outcome = &request->outcomes[i];
		const enum outcome_kind kind = outcome->kind;
		INVARIANT(kind < OUTCOMES && outcome_rules[kind].operation);
		claim_list_add(&settling->claims[kind], &outcome->claim);
		if (outcome_rules[kind].in_history)
			run_end_add(settling->db, &settling->runs[kind], outcome);
	}
}

/* Of some of the kind's outcomes; `runs` where they go into the history. */
static void add_call(struct settling *settling, enum outcome_kind kind, struct db_value claims,
		     struct db_value runs)
{
	const struct outcome_rule *rule = &outcome_rules[kind];
	const bool deletes = rule->deletes && !settling->request->preserve_finished_jobs;
	const struct db_value now = P_TIME(db_now(settling->db));
	struct arena *arena = settling->arena;
	struct db_call call = DB_CALL(finish_and_delete, .claims = claims);

	if (!deletes && rule->in_history)
		call = db_call_keep(arena, DB_CALL(fail, .claims = claims, .failures = runs,
						   .keep = P_INT(settling->request->keep_attempts),
						   .now = now));
	else if (!deletes)
		call = db_call_keep(arena, DB_CALL(finish, .claims = claims, .now = now));
	call.operation = deletes ? rule->deletes : rule->operation;
	db_calls_add(&settling->calls, call);
}

static void add_kind(struct settling *settling, enum outcome_kind kind)
{
	const struct db_list *claims = &settling->claims[kind];
	const struct db_list *runs = &settling->runs[kind];
	struct db_part part = { 0 };

	while (db_part_next(&part, runs, NULL))
		add_call(settling, kind, P_PART(claims, part), P_PART(runs, part));
	if (claims->count > 0 && !outcome_rules[kind].in_history)
		add_call(settling, kind, P_ROWS(claims), P_NULL);
}

/* The jobs, or only the limited ones. */
static int64_t *jobs_of(const struct settling *settling, bool limited, size_t *count)
{
	const struct settle_request *request = settling->request;
	int64_t *jobs = arena_array(settling->arena, request->outcome_count + 1, sizeof(*jobs));

	*count = 0;
	for (size_t i = 0; i < request->outcome_count; i++)
		if (!limited || request->outcomes[i].limited)
			jobs[(*count)++] = request->outcomes[i].claim.job_id;
	return jobs;
}

/* Of jobs that would wait again some may have been cancelled, which their worker does not know. */
static void add_told(struct settling *settling)
{
	const struct settle_request *request = settling->request;
	struct db_list *again = claim_list(settling->arena, NULL, 0);

	for (size_t i = 0; i < request->outcome_count; i++)
		if (outcome_runs_again(request->outcomes[i].kind))
			claim_list_add(again, &request->outcomes[i].claim);
	if (again->count > 0)
		cancel_told(&settling->calls, again, db_now(settling->db));
}

static void leave_batches(struct settling *settling)
{
	size_t count;
	const int64_t *jobs = jobs_of(settling, false, &count);

	if (count > 0)
		batches_leave(&settling->calls, jobs, count);
}

static void add_calls(struct settling *settling)
{
	sort_outcomes(settling);
	settling->calls.arena = settling->arena;
	slots_before(&settling->slots, &settling->calls);
	settling->told = settling->calls.count;
	add_told(settling);
	settling->first = settling->calls.count;
	for (enum outcome_kind kind = 0; kind < OUTCOMES; kind++)
		add_kind(settling, kind);
	settling->end = settling->calls.count;
	if (settling->request->batches)
		leave_batches(settling);
	slots_after(&settling->slots, &settling->calls);
}

static enum status find_slots(struct settling *settling, struct error *error)
{
	size_t count;
	const int64_t *jobs = jobs_of(settling, true, &count);

	settling->slots = (struct slots){ .db = settling->db, .arena = settling->arena };
	return slots_find(&settling->slots, jobs, count, error);
}

/* The claims that the calls returned, sorted. */
static struct claim_name *settled_claims(const struct settling *settling, size_t *count)
{
	size_t room = settling->request->outcome_count;
	struct claim_name *claims = arena_array(settling->arena, room + 1, sizeof(*claims));

	INVARIANT(settling->first <= settling->end && settling->end <= settling->calls.count);
	*count = 0;
	for (size_t i = settling->first; i < settling->end; i++) {
		const struct db_rows *rows = &settling->calls.list[i].rows;
		for (size_t row = 0; row < rows->count && *count < room; row++)
			claims[(*count)++] = claim_name_read(rows, row, 0);
	}
	qsort(claims, *count, sizeof(*claims), claim_name_compare);
	return claims;
}

/* Was it cancelled? Then it ended so. */
static bool mark_told(const struct settling *settling, struct outcome *outcome)
{
	for (size_t i = settling->told; i < settling->first; i++) {
		const struct db_rows *rows = &settling->calls.list[i].rows;
		for (size_t row = 0; row < rows->count; row++) {
			const struct claim_name name = claim_name_read(rows, row, 0);
			if (claim_name_compare(&name, &outcome->claim) != 0)
				continue;
			outcome->why = db_text(rows, row, CANCEL_TOLD_MESSAGE);
			return true;
		}
	}
	return false;
}

static void mark_refused(const struct settling *settling)
{
	struct settle_request *request = settling->request;
	size_t count;
	const struct claim_name *claims = settled_claims(settling, &count);

	for (size_t i = 0; i < request->outcome_count; i++) {
		struct outcome *outcome = &request->outcomes[i];
		outcome->aside = false;
		outcome->told = mark_told(settling, outcome);
		outcome->refused =
			!outcome->told && !claim_name_among(claims, count, &outcome->claim);
		if (outcome->refused)
			outcome->why =
				claim_why_gone(settling->db, settling->arena, &outcome->claim);
	}
}

/* Everything in one transaction; claiming NULL = no claims. */
static enum status run_calls(struct settling *settling, struct claiming *claiming,
			     struct error *error)
{
	add_calls(settling);
	if (claiming) {
		claim_prepare(claiming);
		db_calls_add(&settling->calls, claiming->call);
	}
	if (settling->calls.count == 0)
		return STATUS_OK;
	enum status status = slots_run(&settling->slots, &settling->calls, error);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/*
 * An error with characters that the table's character set lacks must not hold up all other outcomes
 * for ever: tries again, with all errors in ASCII.
 */
static enum status run_in_ascii(struct settling *settling, struct claiming *claiming,
				struct error *error)
{
	const struct settle_request *request = settling->request;

	for (size_t i = 0; i < request->outcome_count; i++) {
		struct outcome *outcome = &request->outcomes[i];
		size_t maximum = db_text_maximum(settling->db);
		const char *whole = outcome->payload;
		if (outcome->error)
			outcome->error =
				payload_error_ascii(settling->arena, outcome->error, maximum);
		if (outcome->payload)
			outcome->payload =
				payload_ascii(settling->arena, outcome->payload, maximum);
		if (request->outcome_count > 1 && !outcome->payload)
			outcome->payload = whole; /* as long as another may be to blame */
		if (outcome->kind == OUTCOME_RETRIED && !outcome->payload)
			outcome->kind = OUTCOME_FAILED;
	}
	*settling = (struct settling){ .db = settling->db,
				       .arena = settling->arena,
				       .request = settling->request,
				       .slots = settling->slots };
	return run_calls(settling, claiming, error);
}

static bool has_errors(const struct settling *settling)
{
	for (size_t kind = 0; kind < OUTCOMES; kind++)
		if (settling->runs[kind].count > 0)
			return true;
	return false;
}

static enum status run_whole(struct settling *settling, struct claiming *claiming,
			     struct error *error)
{
	enum status status = find_slots(settling, error);

	if (status == STATUS_OK)
		status = run_calls(settling, claiming, error);
	if (status == STATUS_INVALID && has_errors(settling))
		status = run_in_ascii(settling, claiming, error);
	if (status == STATUS_OK)
		mark_refused(settling);
	return status;
}

static enum status run_part(void *data, size_t first, size_t count, struct error *error)
{
	const struct settling *whole = data;
	struct settle_request request = *whole->request;
	struct settling part = { .db = whole->db, .arena = whole->arena, .request = &request };

	request.outcomes += first;
	request.outcome_count = count;
	return run_whole(&part, NULL, error);
}

static enum status leave_one(void *data, size_t at, const struct error *why, struct error *error)
{
	const struct settling *settling = data;
	struct outcome *outcome = &settling->request->outcomes[at];
	struct refused refused = { .job = outcome->claim.job_id,
				   .doing = outcome_rules[outcome->kind].operation,
				   .why = why };
	enum status status = refused_job(settling->db, &refused, error);

	outcome->refused = refused.gone;
	outcome->aside = status == STATUS_OK && !refused.gone;
	outcome->why = "the job does not exist any more";
	return status;
}

/* Claims that were made must be run, and outcomes that were settled are: a failure comes again. */
static enum status claimed_any(const struct settling *settling, const struct claiming *claiming,
			       enum status status)
{
	const bool did = claiming->count > 0 || settling->request->outcome_count > 0;

	return status != STATUS_UNCERTAIN && did ? STATUS_OK : status;
}

/*
 * No outcome could be settled, and the answer was FATAL (in *error). If a job can be claimed, the
 * outcomes are what is refused. One job, and only where its thread does not depend on them.
 */
static enum status claim_beside(struct settling *settling, struct claiming *claiming,
				struct error *error)
{
	struct settle_request *request = settling->request;
	const struct error why = *error;
	enum status status = STATUS_OK;

	if (request->claim->limit <= request->outcome_count)
		return why.status;
	request->claim->limit = 1;
	if (claim_apart(claiming, error) == STATUS_UNCERTAIN)
		return STATUS_UNCERTAIN;
	if (claiming->count == 0)
		*error = why;
	for (size_t i = 0; i < request->outcome_count && claiming->count > 0; i++)
		if (!request->outcomes[i].aside && status == STATUS_OK)
			status = leave_one(settling, i, &why, error);
	return claiming->count > 0 ? STATUS_OK : why.status;
}

/*
 * The database has refused all of it: so the outcomes by themselves and, if that was not it, the
 * claims. If it was, the next round trip claims.
 */
static enum status settle_apart(struct settling *settling, struct claiming *claiming,
				struct error *error)
{
	const struct settle_request *request = settling->request;
	struct refused_work work = { .data = settling, .run = run_part, .alone = leave_one };
	enum status status = refused_by_halves(&work, request->outcome_count, error);

	if (status == STATUS_FATAL && work.done == 0 && claiming && request->outcome_count > 0)
		return claim_beside(settling, claiming, error);
	if (status != STATUS_OK)
		return work.done > 0 ? STATUS_UNCERTAIN : status;
	if (!claiming || (request->outcome_count > 0 && work.done != 1) || work.refused > 0)
		return STATUS_OK;
	return claimed_any(settling, claiming, claim_apart(claiming, error));
}

static enum status settle_and_claim(struct settling *settling, struct claiming *claiming,
				    struct error *error)
{
	enum status status = run_whole(settling, claiming, error);

	if (refused_row(status, error)) {
		const int64_t patience = refused_hurry(settling->db);
		status = settle_apart(settling, claiming, error);
		(void)db_set_retry_for(settling->db, patience);
		return status;
	}
	if (status != STATUS_OK || !claiming)
		return status;
	INVARIANT(settling->calls.count > 0);
	claiming->call = settling->calls.list[settling->calls.count - 1];
	return claimed_any(settling, claiming, claim_take(claiming, error));
}

enum status settle(struct db *db, struct arena *arena, struct settle_request *request,
		   struct claim **claims, size_t *count, struct error *error)
{
	struct settling settling = { .db = db, .arena = arena, .request = request };
	struct claiming claiming = { .db = db, .arena = arena, .request = request->claim };
	bool claims_wanted = request->claim && request->claim->limit > 0;

	*claims = NULL;
	*count = 0;
	if (claims_wanted) {
		enum status looked = unknown_look(db, arena, request->claim, error);
		bool idle = request->claim->idle && request->outcome_count == 0;
		if (looked == STATUS_OK)
			looked = claim_look(&claiming, idle, &claims_wanted, error);
		if (looked != STATUS_OK)
			return looked;
		request->claim->idle = !claims_wanted;
	}
	enum status status = settle_and_claim(&settling, claims_wanted ? &claiming : NULL, error);
	if (status != STATUS_OK || !claims_wanted)
		return status;
	request->claim->idle = claiming.count == 0;
	/* The outcomes are committed, and so are the claims, but the caller does not know them. */
	if (unknown_put_back(&claiming, error) != STATUS_OK ||
	    gate_claims(db, arena, claiming.claims, &claiming.count, error) != STATUS_OK)
		return STATUS_UNCERTAIN;
	*claims = claiming.claims;
	*count = claiming.count;
	return STATUS_OK;
}

/* What became of a round trip whose commit is uncertain. */

/* The claims that we know: of running jobs, and of outcomes that are not settled yet. */
static struct claim_name *known_claims(struct arena *arena, const struct settle_request *request,
				       const struct claim_name held[], size_t held_count)
{
	size_t total = held_count + request->outcome_count;
	struct claim_name *known = arena_array(arena, total + 1, sizeof(*known));

	if (held_count > 0)
		memcpy(known, held, held_count * sizeof(*held));
	for (size_t i = 0; i < request->outcome_count; i++)
		known[held_count + i] = request->outcomes[i].claim;
	qsort(known, total, sizeof(*known), claim_name_compare);
	return known;
}

/* One look at the claims that the database holds for us. */
struct resolving {
	struct arena *arena;
	struct db_rows rows;
	struct claim_name *present; /* sorted */
	struct claim_name *unknown; /* that the database holds for us but that we do not know */
	size_t unknown_count;
};

static void compare_with(struct resolving *resolving, const struct claim_name known[], size_t count)
{
	const struct db_rows *rows = &resolving->rows;

	resolving->present =
		arena_array(resolving->arena, rows->count + 1, sizeof(*resolving->present));
	resolving->unknown =
		arena_array(resolving->arena, rows->count + 1, sizeof(*resolving->unknown));
	for (size_t i = 0; i < rows->count; i++) {
		resolving->present[i] = claim_name_read(rows, i, 0);
		if (!claim_name_among(known, count, &resolving->present[i]))
			resolving->unknown[resolving->unknown_count++] = resolving->present[i];
	}
	qsort(resolving->present, rows->count, sizeof(*resolving->present), claim_name_compare);
}

static void forget_absent(const struct resolving *resolving, struct claim_name *claim)
{
	if (!claim_name_among(resolving->present, resolving->rows.count, claim))
		claim->id = 0;
}

enum status settle_resolve(struct db *db, struct settle_request *request, struct claim_name held[],
			   size_t held_count, struct error *error)
{
	struct resolving resolving = { .arena = arena_new() };
	int64_t released;
	enum status status = db_settled(db, error);

	/*
	 * Not certain yet: runs go on, so this acts on what can be seen, and the caller looks
	 * again.
	 */
	if (status == STATUS_OK || status == STATUS_UNCERTAIN)
		status = db_query(db, resolving.arena,
				  DB_CALL(held, .process_id = P_INT(request->process_id)),
				  &resolving.rows, error);
	if (status == STATUS_OK) {
		compare_with(&resolving, known_claims(resolving.arena, request, held, held_count),
			     held_count + request->outcome_count);
		status = claims_give_back(db, resolving.unknown, resolving.unknown_count, &released,
					  error);
	}
	for (size_t i = 0; status == STATUS_OK && i < request->outcome_count; i++)
		forget_absent(&resolving, &request->outcomes[i].claim);
	for (size_t i = 0; status == STATUS_OK && i < held_count; i++)
		forget_absent(&resolving, &held[i]);
	arena_free(resolving.arena);
	return status;
}
