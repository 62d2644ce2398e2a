#include "queue/processes/loss.h"

#include "common/clock.h"
#include "db/operations.h"
#include "queue/manage/audit.h"
#include "queue/payload/payload.h"
#include "queue/processes/gone.h"
#include "queue/processes/loss_policy.h"
#include "queue/processes/loss_runs.h"
#include "queue/processes/process.h"
#include "queue/processes/shared.h"
#include "queue/refused/refused.h"

#define ERROR_MAXIMUM 65535 /* bytes that every database takes */
#define LOCKED_MOST   2     /* dead processes in one look */

/* Solid Queue's names, so that software that reads its failures can read these, too. */
#define EXIT_ERROR_CLASS    "SolidQueue::Processes::ProcessExitError"
#define PRUNED_ERROR_CLASS  "SolidQueue::Processes::ProcessPrunedError"
#define MISSING_ERROR_CLASS "SolidQueue::Processes::ProcessMissingError"

DB_ALIKE(lose, process_lose);

static void add_result(struct loss_result *result, const struct db_rows *rows)
{
	result->released += db_int(rows, 0, LOSE_RELEASED);
	result->failed += db_int(rows, 0, LOSE_FAILED);
}

/* A dead process, and the error of its jobs if they fail. */
struct dead {
	struct gone gone;
	int64_t heartbeat_before; /* 0 = whatever its last heartbeat was */
	const char *error;
	bool foreign; /* of other software */
};

static enum status find_held(struct db *db, struct arena *arena, int64_t process_id,
			     struct db_rows *rows, struct error *error)
{
	return db_query(db, arena, DB_CALL(held, .process_id = P_INT(process_id)), rows, error);
}

/* The runs of a dead process, and the slots of their jobs. */
static enum status find_runs(struct slots *slots, const struct dead *dead, struct loss_runs *runs,
			     struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		find_held(slots->db, slots->arena, dead->gone.process_id, &rows, error);
	bool *all = arena_array(slots->arena, rows.count + 1, sizeof(*all));

	for (size_t i = 0; i < rows.count; i++)
		all[i] = true;
	runs->rows = &rows;
	runs->chosen = all;
	if (status == STATUS_OK)
		status = loss_runs_read(slots->db, slots->arena, runs, error);
	runs->rows = NULL;
	return status == STATUS_OK ? slots_find(slots, runs->jobs, runs->count, error) : status;
}

static enum status lose_runs(struct slots *slots, const struct dead *dead,
			     const struct loss_runs *runs, struct db_rows *rows,
			     struct error *error)
{
	const struct gone *gone = &dead->gone;
	const struct loss_policy *policy = runs->policy;
	const struct db_call lose = DB_CALL(
		process_lose, .process_id = P_INT(gone->process_id),
		.heartbeat_before =
			dead->heartbeat_before > 0 ? P_TIME(dead->heartbeat_before) : P_NULL,
		.claims = P_TEXT(runs->claims), .failures = P_TEXT(runs->failures),
		.keep = P_INT(policy->keep_attempts), .now = P_TIME(runs->now),
		.audit = P_INT(policy->audit), .kind = P_TEXT(gone->kind),
		.name = P_TEXT(gone->name), .hostname = P_TEXT(gone->hostname),
		.pid = P_INT(gone->pid), .last_heartbeat_at = P_TIME(gone->last_heartbeat_at),
		.how = P_TEXT(gone->how));
	struct db_calls note = { .arena = slots->arena };

	if (dead->foreign)
		db_calls_add(&note, shared_seen(slots->db, slots->arena, gone->kind, gone->name));
	return loss_runs_end(slots, runs, lose, &note, rows, error);
}

/* What it claimed after find_runs had looked: a claim that was under way when it died. */
static enum status lose_late(struct db *db, struct arena *arena, const struct dead *dead,
			     const struct loss_policy *policy, struct loss_result *result,
			     struct error *error)
{
	struct loss_result late = { 0 };
	struct db_rows rows = { 0 };
	enum status status = find_held(db, arena, dead->gone.process_id, &rows, error);

	if (status == STATUS_OK && rows.count > 0)
		status = process_lose_orphans(db, policy, &late, error);
	result->released += late.released;
	result->failed += late.failed;
	return status;
}

/* UNCERTAIN needs no special care: when repeated this finds no row, and counts nothing twice. */
static enum status lose_process(struct db *db, const struct dead *dead,
				const struct loss_policy *policy, struct loss_result *result,
				struct error *error)
{
	struct arena *arena = arena_new();
	const struct gone *gone = &dead->gone;
	const struct loss_policy own = dead->foreign ? loss_policy_foreign(policy) : *policy;
	struct slots slots = { .db = db, .arena = arena };
	struct loss_runs runs = { .policy = &own, .error = dead->error };
	struct db_rows rows = { 0 };
	enum status status = find_runs(&slots, dead, &runs, error);

	if (status == STATUS_OK)
		status = lose_runs(&slots, dead, &runs, &rows, error);
	if (status == STATUS_OK) {
		result->processes++;
		add_result(result, &rows);
		status = lose_late(db, arena, dead, policy, result, error);
	} else if (refused_status(status)) { /* for the sake of a claim: they are lost as orphans */
		status = process_forget(db, gone->process_id, dead->heartbeat_before, error);
		result->processes += status == STATUS_OK;
	}
	arena_free(arena);
	return status;
}

static const char *loss_error(struct arena *arena, const char *class_name, const char *message)
{
	return payload_error(arena, class_name, message, NULL, ERROR_MAXIMUM);
}

enum status process_bury(struct db *db, const struct burial *burial,
			 const struct loss_policy *policy, struct loss_result *result,
			 struct error *error)
{
	struct arena *arena = arena_new();
	const char *message = arena_printf(arena, "Process pid=%d exited unexpectedly. %s",
					   burial->pid, burial->how);
	struct dead dead = { .error = loss_error(arena, EXIT_ERROR_CLASS, message) };
	enum status status = gone_find(db, arena, burial->name, &dead.gone, error);

	dead.gone.how = burial->how;
	*result = (struct loss_result){ 0 };
	if (status == STATUS_OK)
		status = lose_process(db, &dead, policy, result, error);
	arena_free(arena);
	return status;
}

static const char *pruned_error(struct arena *arena, int64_t last_heartbeat_at)
{
	char when[CLOCK_TEXT_SIZE];

	clock_format_short(last_heartbeat_at / CLOCK_SECOND * CLOCK_SECOND, when);
	return loss_error(arena, PRUNED_ERROR_CLASS,
			  arena_printf(arena,
				       "Process was found dead and pruned "
				       "(last heartbeat at: %s UTC)",
				       when));
}

/* One look for silent processes. */
struct pruning {
	struct db *db;
	struct arena *arena;
	const struct prune *prune;
	const struct loss_policy *policy;
	struct loss_result *result;
	int64_t now;
	struct db_rows rows;
};

static enum status rewind_heartbeats(struct db *db, int64_t now, int64_t ahead, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows;
	enum status status = db_query(
		db, arena,
		DB_CALL(process_rewind, .heartbeat_after = P_TIME(now + ahead), .now = P_TIME(now)),
		&rows, error);

	arena_free(arena);
	return status;
}

static struct gone stale_row(const struct db_rows *rows, size_t row)
{
	return (struct gone){
		.process_id = db_int(rows, row, PROCESS_STALE_ID),
		.kind = db_text(rows, row, PROCESS_STALE_KIND),
		.name = db_text(rows, row, PROCESS_STALE_NAME),
		.hostname = db_text(rows, row, PROCESS_STALE_HOSTNAME),
		.pid = db_int(rows, row, PROCESS_STALE_PID),
		.last_heartbeat_at = db_time(rows, row, PROCESS_STALE_LAST_HEARTBEAT_AT),
		.how = "It was pruned because its heartbeats had stopped.",
	};
}

/*
 * One row of process_stale; also OK when it has sent a heartbeat since, or another process was
 * first.
 */
static enum status prune_one(struct pruning *pruning, size_t row, struct error *error)
{
	const struct db_rows *rows = &pruning->rows;
	const struct prune *prune = pruning->prune;
	const struct gone gone = stale_row(rows, row);
	int64_t last = gone.last_heartbeat_at;
	const char *metadata = db_text(rows, row, PROCESS_STALE_METADATA);
	int64_t before = pruning->now - process_threshold(prune, metadata);
	const struct dead dead = { gone, before, pruned_error(pruning->arena, last),
				   !shared_is_ours(metadata) };

	if (gone.process_id == prune->self || last > before)
		return STATUS_OK;
	enum status status =
		lose_process(pruning->db, &dead, pruning->policy, pruning->result, error);
	if (status == STATUS_OK)
		gone_name(&gone, pruning->result->who, LOSS_WHO_SIZE);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/*
 * A process that vanished may hold locks on its own rows (MySQL keeps them until it ends the
 * session); then it is left for the next time, so that the jobs of others need not wait. Only a few
 * of these are tried, because each takes as long as a wait for a lock.
 */
static enum status prune_all(struct pruning *pruning, struct error *error)
{
	struct loss_result *result = pruning->result;
	enum status status = STATUS_OK;

	for (size_t row = 0; row < pruning->rows.count && result->locked < LOCKED_MOST; row++) {
		struct error one = { 0 };
		enum status ended = prune_one(pruning, row, &one);
		if (ended == STATUS_OK)
			continue;
		*error = one;
		status = ended;
		if (ended != STATUS_RETRY)
			break;
		result->locked++;
	}
	return status;
}

enum status process_prune(struct db *db, const struct prune *prune,
			  const struct loss_policy *policy, struct loss_result *result,
			  struct error *error)
{
	struct arena *arena = arena_new();
	struct pruning pruning = { db, arena, prune, policy, result, db_now(db), { 0 } };
	enum status status = rewind_heartbeats(db, pruning.now, prune->threshold, error);

	*result = (struct loss_result){ 0 };
	if (status == STATUS_OK)
		status = shared_remember(db, error);
	if (status == STATUS_OK)
		status = db_query(db, arena,
				  DB_CALL(process_stale, .heartbeat_before = P_TIME(
								 pruning.now - prune->threshold)),
				  &pruning.rows, error);
	if (status == STATUS_OK)
		status = prune_all(&pruning, error);
	arena_free(arena);
	return status;
}

static enum status find_orphans(struct db *db, struct arena *arena, int64_t after,
				struct db_rows *rows, struct error *error)
{
	return db_query(db, arena,
			DB_CALL(orphans, .after = P_INT(after), .limit = P_INT(ORPHANS_MOST)), rows,
			error);
}

enum status process_orphans(struct db *db, int64_t after, struct orphans *orphans,
			    struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = find_orphans(db, arena, after, &rows, error);

	orphans->count = status == STATUS_OK ? rows.count : 0;
	for (size_t i = 0; i < orphans->count; i++) {
		orphans->claims[i] = db_int(&rows, i, CLAIM_NAME_ID);
		orphans->jobs[i] = db_int(&rows, i, CLAIM_NAME_JOB_ID);
	}
	arena_free(arena);
	return status;
}

/* Some claims whose process row is gone, exactly as they were read. */
struct losing {
	struct db *db;
	struct arena *arena;
	struct db_rows orphans;
	struct loss_policy policy;
	struct loss_result *result;
};

static enum status lose_claims(void *data, size_t first, size_t count, struct error *error)
{
	struct losing *losing = data;
	struct arena *arena = losing->arena;
	const struct loss_policy *policy = &losing->policy;
	bool *wanted = arena_array(arena, losing->orphans.count + 1, sizeof(*wanted));

	for (size_t i = 0; i < count; i++)
		wanted[first + i] = true;
	const char *why = loss_error(arena, MISSING_ERROR_CLASS,
				     "The process that was running this job no longer exists");
	struct loss_runs runs = {
		.rows = &losing->orphans, .chosen = wanted, .policy = policy, .error = why
	};
	enum status status = loss_runs_read(losing->db, arena, &runs, error);

	if (status != STATUS_OK)
		return status;
	const struct db_call lose =
		DB_CALL(lose, .claims = P_TEXT(runs.claims), .failures = P_TEXT(runs.failures),
			.keep = P_INT(policy->keep_attempts), .now = P_TIME(runs.now));
	struct db_calls note = { .arena = arena };
	struct slots slots = { .db = losing->db, .arena = arena };
	struct db_rows rows = { 0 };

	if (policy->audit > 0)
		audit_add(&note, policy->audit, (int64_t)count);
	status = slots_find(&slots, runs.jobs, runs.count, error);
	if (status == STATUS_OK)
		status = loss_runs_end(&slots, &runs, lose, &note, &rows, error);
	if (status == STATUS_OK)
		add_result(losing->result, &rows);
	return status;
}

static enum status leave_claimed(void *data, size_t at, const struct error *why,
				 struct error *error)
{
	const struct losing *losing = data;
	struct refused refused = { .job = db_int(&losing->orphans, at, CLAIM_NAME_JOB_ID),
				   .doing = "lose",
				   .why = why };

	return refused_job(losing->db, &refused, error);
}

enum status process_lose_orphans(struct db *db, const struct loss_policy *policy,
				 struct loss_result *result, struct error *error)
{
	struct losing losing = { .db = db, .arena = arena_new(), .result = result };
	struct refused_work work = { .data = &losing, .run = lose_claims, .alone = leave_claimed };
	int64_t after = 0;
	enum status status;

	*result = (struct loss_result){ 0 };
	do {
		arena_clear(losing.arena);
		status = find_orphans(db, losing.arena, after, &losing.orphans, error);
		if (status != STATUS_OK || losing.orphans.count == 0)
			break;
		after = db_int(&losing.orphans, losing.orphans.count - 1, CLAIM_NAME_ID);
		status = loss_policy_orphans(db, policy, &losing.policy, error);
		if (status == STATUS_OK)
			status = refused_by_halves(&work, losing.orphans.count, error);
	} while (status == STATUS_OK && losing.orphans.count == ORPHANS_MOST);
	arena_free(losing.arena);
	return status;
}
