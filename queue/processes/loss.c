/*
 * What becomes of the dead, and of their jobs.
 *
 * A process is dead when its supervisor says so (burying), or when its last heartbeat is too old
 * (pruning); a claim without a process is an orphan. All three read the jobs first and decide what
 * becomes of each, while nobody else can change what that goes by: its claim is there. Then one
 * script, guarded by the heartbeat that was seen, or by the claims' names, deletes and counts in
 * one transaction. A process that has sent a heartbeat meanwhile keeps everything. What the
 * database refuses of one job leaves it an orphan, and the others go on.
 */
#include "queue/processes/loss.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/log/log.h"
#include "db/operations.h"
#include "queue/claim/claim_name.h"
#include "queue/limits/slots.h"
#include "queue/manage/audit.h"
#include "queue/payload/cause.h"
#include "queue/payload/fingerprint.h"
#include "queue/payload/payload.h"
#include "queue/processes/process.h"
#include "queue/processes/shared.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"
#include "queue/settle/settle.h"

/* Dead processes that are remembered. */

#define CLEAR_BATCH 500
#define NAME_SIZE   1024 /* three names of 255 bytes and more */

/* The living process's row with this name. NONE when there is no such row. */
static enum status gone_find(struct db *db, struct arena *arena, const char *name,
			     struct gone *gone, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(process_find, .name = P_TEXT(name)), &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = STATUS_NONE;
	else if (status == STATUS_OK)
		*gone = (struct gone){
			.process_id = db_int(&rows, 0, PROCESS_FIND_PROCESS_ID),
			.kind = db_text(&rows, 0, PROCESS_FIND_KIND),
			.name = name,
			.hostname = db_text(&rows, 0, PROCESS_FIND_HOSTNAME),
			.pid = db_int(&rows, 0, PROCESS_FIND_PID),
			.last_heartbeat_at = db_time(&rows, 0, PROCESS_FIND_LAST_HEARTBEAT_AT),
		};
	return status;
}

static enum status read_gone(struct db *db, struct arena *arena, int64_t within, struct gone **out,
			     size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena,
		DB_CALL(gone, .since = P_TIME(db_now(db) - within), .limit = P_INT(GONE_MOST)),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct gone){
			.process_id = db_int(&rows, i, GONE_PROCESS_ID),
			.kind = db_text(&rows, i, GONE_KIND),
			.name = db_text(&rows, i, GONE_NAME),
			.hostname = db_text(&rows, i, GONE_HOSTNAME),
			.pid = db_int(&rows, i, GONE_PID),
			.last_heartbeat_at = db_time(&rows, i, GONE_LAST_HEARTBEAT_AT),
			.how = db_text(&rows, i, GONE_HOW),
			.released = db_int(&rows, i, GONE_RELEASED),
			.failed = db_int(&rows, i, GONE_FAILED),
			.at = db_time(&rows, i, GONE_GONE_AT),
		};
	for (size_t i = 0; i < rows.count; i++)
		if ((*out)[i].how[0] == '\0')
			(*out)[i].how = NULL;
	return STATUS_OK;
}

enum status gone_read(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error)
{
	return read_gone(db, arena, GONE_KEPT, out, count, error);
}

enum status gone_list(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error)
{
	size_t found = 0;
	enum status status = read_gone(db, arena, GONE_SHOWN, out, &found, error);

	*count = 0;
	for (size_t i = 0; i < found && status == STATUS_OK; i++)
		if ((*out)[i].how)
			(*out)[(*count)++] = (*out)[i];
	return status;
}

enum status gone_forget(struct db *db, const char *hostname, const struct pause_note *note,
			struct error *error)
{
	struct arena *arena = arena_new();
	const int64_t now = db_now(db);
	enum status status = db_query(
		db, arena,
		DB_CALL(gone_forget, .hostname = P_TEXT(hostname), .since = P_TIME(now - GONE_KEPT),
			.target = P_TEXT(arena_printf(arena, "host %s", hostname)),
			.reason = P_TEXT(note->reason), .who = P_TEXT(note->who),
			.host = P_TEXT(note->host), .now = P_TIME(now)),
		NULL, error);

	arena_free(arena);
	return status;
}

/* Adds "Worker worker-1 (host-1, pid 7)" to a list, or "..." when there is no room. */
static void gone_name(const struct gone *gone, char *list, size_t size)
{
	static const char more[] = ", ...";
	char name[NAME_SIZE];
	size_t used = strlen(list);
	size_t room = size - used;
	int length = snprintf(name, sizeof(name), "%s%s %s (%s, pid %" PRId64 ")",
			      used > 0 ? ", " : "", gone->kind, gone->name,
			      gone->hostname ? gone->hostname : "no host", gone->pid);

	if (used >= strlen(more) && strcmp(list + used - strlen(more), more) == 0)
		return;
	if (length > 0 && (size_t)length + sizeof(more) <= room)
		(void)snprintf(list + used, room, "%s", name);
	else
		(void)snprintf(list + used, room, "%s", more);
}

enum status gone_clear(struct db *db, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena,
				      DB_CALL(gone_clear, .before = P_TIME(db_now(db) - GONE_KEPT),
					      .limit = P_INT(CLEAR_BATCH)),
				      &rows, error);

	*more = status == STATUS_OK && rows.changed >= CLEAR_BATCH;
	arena_free(arena);
	return status;
}

/* Which rule applies to whose jobs, and when a process is dead. */

#define LONGEST_SILENCE 432000.0 /* seconds: a longer threshold is a mistake */

int64_t loss_bound(const struct loss_policy *policy, int64_t declared)
{
	return policy->alike || declared == JOB_NO_BOUND ? policy->max_losses : declared;
}

/*
 * For jobs that a process of other software was running: as in that software the first loss fails a
 * job, whatever its class.
 */
static struct loss_policy loss_policy_foreign(const struct loss_policy *policy)
{
	struct loss_policy own = *policy;

	if (policy->others_fail) {
		own.max_losses = 0;
		own.alike = true;
	}
	return own;
}

enum status loss_policy_orphans(struct db *db, const struct loss_policy *policy,
				struct loss_policy *own, struct error *error)
{
	struct arena *arena = arena_new();
	struct shared shared = { 0 };
	enum status status = STATUS_OK;

	*own = *policy;
	if (policy->others_fail)
		status = shared_look(db, arena, policy->other_class, &shared, error);
	if (shared.shared)
		own->max_losses = 0;
	arena_free(arena);
	return status;
}

struct prune prune_after(int64_t threshold, int64_t others, int64_t self)
{
	return (struct prune){
		.self = self,
		.threshold = threshold,
		.other_threshold = threshold > others ? threshold : others,
	};
}

/*
 * After how long without a heartbeat a process with this metadata is dead.
 *
 * Processes of dray publish their interval in their metadata; a process that misses five heartbeats
 * is dead.
 */
static int64_t process_threshold(const struct prune *prune, const char *metadata)
{
	json_t *root = metadata ? json_loads(metadata, 0, NULL) : NULL;
	json_t *interval = json_object_get(root, "heartbeat_interval");
	int64_t result = prune->other_threshold;

	if (json_is_number(interval)) {
		double five = json_number_value(interval) * 5;

		five = five < LONGEST_SILENCE ? five : LONGEST_SILENCE;
		result = five > 0 ? (int64_t)(five * (double)CLOCK_SECOND) : 0;
		result = result > prune->threshold ? result : prune->threshold;
	}
	json_decref(root);
	return prune->watched < result ? result + prune->slack : result;
}

bool process_silent(const struct prune *prune, const char *metadata, int64_t silence)
{
	return silence >= process_threshold(prune, metadata);
}

/* What becomes of the runs whose processes are gone. */

struct loss_runs {
	const struct db_rows *rows; /* claims, four columns from the first on */
	size_t first, end;          /* of the rows: these are lost */
	const struct loss_policy *policy;
	const char *error;       /* the failure's JSON */
	int64_t now;             /* result: when they ended */
	struct db_rows known;    /* result: of lost_jobs, by id */
	int64_t *waits;          /* result, in the arena, by row of those: of a retry, else 0 */
	int64_t *jobs;           /* result, in the arena */
	size_t count;            /* of the jobs */
	struct missing missing;  /* result, in the arena: those that do not exist */
	bool batches;            /* result: the database has batches that jobs may leave */
	struct db_list claims;   /* result, in the arena: for the scripts that lose them */
	struct db_list failures; /* the same: run_row */
};

struct reading {
	struct arena *arena;
	const struct loss_runs *runs;
	struct db_rows jobs; /* of lost_jobs, by id */
	size_t maximum;      /* bytes of a payload */
	const char *group;   /* of the error */
};

/* What the class declares of losses that end a job, where that applies and there is such an end. */
static struct loss_end end_of(const struct reading *reading, size_t row, int executions)
{
	const struct loss_policy *policy = reading->runs->policy;

	if (!policy->end || policy->alike || db_is_null(&reading->jobs, row, LOST_JOBS_LOST_END))
		return (struct loss_end){ LOSS_FAILS, 0, NULL };
	return policy->end(reading->arena, db_text(&reading->jobs, row, LOST_JOBS_LOST_END),
			   executions);
}

/*
 * The payload with one more execution, escaped if it fits, since the table's characters may be few:
 * those that the payload has as such are in the table already. NULL: it cannot be counted there.
 */
static const char *counted(const struct reading *reading, size_t row, const char *rule)
{
	const char *before = db_text(&reading->jobs, row, LOST_JOBS_ARGUMENTS);
	const char *payload, *ascii;

	if (payload_count_execution(reading->arena, before, rule, reading->maximum, &payload,
				    NULL) != STATUS_OK)
		return NULL;
	ascii = payload_ascii(reading->arena, payload, reading->maximum);
	return ascii || payload_has_escapes(before) ? ascii : payload;
}

/* What becomes of a lost job. */
struct fate {
	const char *outcome;
	const char *payload; /* where it is retried */
	int64_t due;         /* the same */
	bool ready;          /* it was only lost, and is ready again */
};

static struct fate fate_of(const struct reading *reading, size_t row, int executions)
{
	const int64_t bound = loss_bound(reading->runs->policy,
					 job_bound(&reading->jobs, row, LOST_JOBS_MAX_LOSSES));
	const struct loss_end end = end_of(reading, row, executions);
	const char *payload;

	if (db_int(&reading->jobs, row, LOST_JOBS_LOSSES) + 1 <= bound)
		return (struct fate){ "lost", NULL, 0, true };
	if (end.fate == LOSS_DISCARDS)
		return (struct fate){ "discarded", NULL, 0, false };
	if (end.fate == LOSS_RETRIES && (payload = counted(reading, row, end.rule)))
		return (struct fate){ "retried", payload, reading->runs->now + end.wait, false };
	return (struct fate){ "failed", NULL, 0, false };
}

/* The claim's row number, with the time as it was read: other software has forms of its own. */
static void add_run(const struct reading *reading, struct db_list *list, size_t claim, size_t row)
{
	const struct loss_runs *runs = reading->runs;
	const struct claim_name name = claim_name_read(runs->rows, claim, 0);
	const struct db_rows *jobs = &reading->jobs;
	const char *payload = db_text(jobs, row, LOST_JOBS_ARGUMENTS);
	const int executions = payload ? payload_executions(payload) : 0;
	const struct job job = { .losses = db_int(jobs, row, LOST_JOBS_LOSSES),
				 .runs_before = db_int(jobs, row, LOST_JOBS_RUNS_BEFORE) };

	const struct fate fate = fate_of(reading, row, executions);

	INVARIANT((fate.payload != NULL) == (fate.due > 0));
	runs->waits[row] = fate.due > 0 ? fate.due - runs->now : 0;
	DB_ADD(list, run_row, .id = P_INT(name.id), .job_id = P_INT(name.job_id),
	       .process_id = P_INT(name.process_id),
	       .created_at = P_TEXT(db_text(runs->rows, claim, CLAIM_NAME_CLAIMED_AT)),
	       .attempt = P_INT(job_attempt(&job, executions)), .began_at = P_TIME(name.claimed_at),
	       .ended_at = P_TIME(runs->now), .due = fate.due > 0 ? P_TIME(fate.due) : P_NULL,
	       .outcome = P_TEXT(fate.outcome), .payload = P_TEXT(fate.payload),
	       .error = P_TEXT(runs->error),
	       .error_group = P_TEXT(fate.ready ? NULL : reading->group));
}

/* The row of the job; the number of rows if there is none. */
static size_t find_job(const struct db_rows *jobs, int64_t id)
{
	size_t first = 0;
	size_t end = jobs->count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		if (db_int(jobs, middle, LOST_JOBS_JOB_ID) < id)
			first = middle + 1;
		else
			end = middle;
	}
	return first < jobs->count && db_int(jobs, first, LOST_JOBS_JOB_ID) == id ? first
										  : jobs->count;
}

static void list_runs(const struct reading *reading, struct loss_runs *runs)
{
	runs->claims.arena = runs->failures.arena = reading->arena;
	for (size_t i = runs->first; i < runs->end; i++) {
		const struct claim_name name = claim_name_read(runs->rows, i, 0);
		const size_t row = find_job(&reading->jobs, name.job_id);

		DB_ADD(&runs->claims, claim_row, .id = P_INT(name.id), .job_id = P_INT(name.job_id),
		       .process_id = P_INT(name.process_id),
		       .created_at = P_TEXT(db_text(runs->rows, i, CLAIM_NAME_CLAIMED_AT)));
		if (row < reading->jobs.count)
			add_run(reading, &runs->failures, i, row);
		else
			runs->missing.jobs[runs->missing.count++] = name.job_id;
	}
}

/*
 * Reads what is known of their jobs, and decides. While a claim is there nobody else changes what
 * that goes by: the job's losses and its payload. The scripts do nothing for claims that are gone.
 */
static enum status loss_runs_read(struct db *db, struct arena *arena, struct loss_runs *runs,
				  struct error *error)
{
	const struct cause cause = cause_of(arena, runs->error);
	struct reading reading = { .arena = arena,
				   .runs = runs,
				   .maximum = db_text_maximum(db),
				   .group = fingerprint(arena, cause.error_class, cause.message) };
	enum status status = STATUS_OK;

	INVARIANT(runs->first <= runs->end && runs->end <= runs->rows->count);
	runs->jobs = arena_array(arena, runs->end - runs->first + 1, sizeof(*runs->jobs));
	for (size_t i = runs->first; i < runs->end; i++)
		runs->jobs[runs->count++] = db_int(runs->rows, i, CLAIM_NAME_JOB_ID);
	if (runs->count > 0)
		status = db_query(db, arena,
				  DB_CALL(lost_jobs, .jobs = P_IDS(runs->jobs, runs->count)),
				  &reading.jobs, error);
	if (status == STATUS_OK && runs->count > 0)
		status = batches_look(db, &runs->batches, error);
	runs->now = db_now(db);
	runs->known = reading.jobs;
	runs->waits = arena_array(arena, runs->known.count + 1, sizeof(*runs->waits));
	runs->missing.jobs = arena_array(arena, runs->count + 1, sizeof(*runs->missing.jobs));
	list_runs(&reading, runs);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* The line that a worker would have written of such an end of the job, whose row of lost_jobs it
 * is. */
static void log_end(const struct loss_runs *runs, size_t row, const struct cause *cause,
		    const struct db_rows *ends, size_t i)
{
	const char *outcome = db_text(ends, i, ENDS_AT_OUTCOME);
	const struct log_field fields[] = {
		LOG_INT("job", db_int(ends, i, ENDS_AT_JOB_ID)),
		LOG_TEXT("class", db_text(&runs->known, row, LOST_JOBS_CLASS_NAME)),
		LOG_TEXT("queue", db_text(&runs->known, row, LOST_JOBS_QUEUE_NAME)),
		LOG_INT("attempt", db_int(ends, i, ENDS_AT_ATTEMPT)),
		LOG_TEXT("exception", cause->error_class),
		LOG_TEXT("message", cause->message),
		LOG_TEXT("group", db_text(ends, i, ENDS_AT_ERROR_GROUP)),
		strcmp(outcome, "retried") == 0
			? LOG_REAL("wait", (double)runs->waits[row] / (double)CLOCK_SECOND)
			: LOG_END,
		LOG_END,
	};

	if (strcmp(outcome, "failed") == 0)
		log_write(LOG_WARN, "job.failed", fields);
	else if (strcmp(outcome, "retried") == 0)
		log_write(LOG_INFO, "job.retried", fields);
	else if (strcmp(outcome, "discarded") == 0)
		log_write(LOG_INFO, "job.discarded", fields);
}

/* Logs which of the jobs have come to an end, as their own worker cannot. */
static void log_ends(struct db *db, struct arena *arena, const struct loss_runs *runs)
{
	struct db_rows ends = { 0 };
	struct error error;

	if (runs->count == 0 || db_query(db, arena,
					 DB_CALL(ends_at, .jobs = P_IDS(runs->jobs, runs->count),
						 .now = P_TIME(runs->now)),
					 &ends, &error) != STATUS_OK)
		return;
	for (size_t i = 0; i < ends.count; i++) {
		const int64_t job = db_int(&ends, i, ENDS_AT_JOB_ID);
		const struct cause cause = cause_of(arena, db_text(&ends, i, ENDS_AT_ERROR));
		const size_t row = find_job(&runs->known, job);

		if (strcmp(db_text(&ends, i, ENDS_AT_OUTCOME), "cancelled") == 0)
			cancellation_log(job, cause.message);
		else if (row < runs->known.count)
			log_end(runs, row, &cause, &ends, i);
	}
}

/*
 * Runs `operation`, which loses them, between the two halves of their slots, and after it the
 * notes. Returns the operation's rows, or its NONE.
 */
MUST_CHECK static enum status loss_runs_end(struct slots *slots, const struct loss_runs *runs,
					    struct db_call operation, const struct db_calls *notes,
					    struct db_rows *rows, struct error *error)
{
	struct db_calls calls = { .arena = slots->arena };

	INVARIANT(runs->claims.count == runs->count);
	slots_before(slots, &calls);
	const size_t at = db_calls_add(&calls, operation);
	if (runs->batches)
		batches_leave(&calls, runs->jobs, runs->count);
	slots_after(slots, &calls);
	for (size_t i = 0; i < notes->count; i++)
		db_calls_add(&calls, notes->list[i]);
	enum status status = slots_run(slots, &calls, error);
	const struct db_call *own = &calls.list[at];
	*rows = own->rows;
	if (status == STATUS_OK && !own->none) {
		log_ends(slots->db, slots->arena, runs);
		missing_log(&runs->missing, "lose");
	}
	return status == STATUS_OK && own->none ? STATUS_NONE : status;
}

/* Burying, pruning, and orphans. */

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

	runs->rows = &rows;
	runs->end = rows.count;
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
		.claims = P_ROWS(&runs->claims), .failures = P_ROWS(&runs->failures),
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
	} else if (refused_row(status, error)) { /* for the sake of a claim: lost as orphans */
		const int64_t patience = refused_hurry(db);
		status = process_forget(db, gone->process_id, dead->heartbeat_before, error);
		result->processes += status == STATUS_OK;
		(void)db_set_retry_for(db, patience);
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
	return loss_error(arena, PRUNED_ERROR_CLASS,
			  arena_printf(arena,
				       "Process was found dead and pruned "
				       "(last heartbeat at: %s UTC)",
				       clock_say(arena, last_heartbeat_at)));
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
	enum status status = db_query(
		db, arena,
		DB_CALL(process_rewind, .heartbeat_after = P_TIME(pruning.now + prune->threshold),
			.now = P_TIME(pruning.now)),
		NULL, error);

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
	struct loss_runs runs = {
		.rows = &losing->orphans,
		.first = first,
		.end = first + count,
		.policy = policy,
		.error = loss_error(arena, MISSING_ERROR_CLASS,
				    "The process that was running this job no longer exists"),
	};
	enum status status = loss_runs_read(losing->db, arena, &runs, error);

	if (status != STATUS_OK)
		return status;
	const struct db_call lose =
		DB_CALL(lose, .claims = P_ROWS(&runs.claims), .failures = P_ROWS(&runs.failures),
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
	struct refused_work work = {
		.data = &losing, .db = db, .run = lose_claims, .alone = leave_claimed
	};
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
