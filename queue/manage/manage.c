/*
 * What people do to jobs, in batches.
 *
 * A batch looks the jobs up, refuses those that are in the wrong state, and does the others with
 * one script between the two halves of their slots. The script takes only rows that still exist:
 * jobs that it did not return are looked up again, and refused with what has become of them. A job
 * that is cancelled may begin to run between the look and the script, and is tried again. What the
 * database refuses for one job is done for the others.
 */
#include "queue/manage/manage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"
#include "queue/processes/wake.h"
#include "queue/refused/refused.h"
#include "queue/settle/cancellations.h"
#include "queue/settle/settle.h"

/* Which jobs an action takes, and what is said of others. */

static const struct {
	bool takes[JOB_STATES + 1]; /* the last entry: jobs in no table */
	const char *refused;        /* what a job in another state is, for the refusal */
} verbs[] = {
	[ACTION_RETRY] = { { [JOB_FAILED] = true }, "not failed" },
	[ACTION_DISCARD] = { { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true,
			       [JOB_STATES] = true },
			     NULL },
	[ACTION_RUN_NOW] = { { [JOB_SCHEDULED] = true }, "not scheduled" },
	[ACTION_ARRANGE] = { { [JOB_READY] = true,
			       [JOB_SCHEDULED] = true,
			       [JOB_BLOCKED] = true,
			       [JOB_FAILED] = true },
			     "neither waiting nor failed" },
	[ACTION_CANCEL] = { { [JOB_READY] = true,
			      [JOB_SCHEDULED] = true,
			      [JOB_BLOCKED] = true,
			      [JOB_CLAIMED] = true },
			    NULL },
};

bool action_takes(enum action_kind kind, enum job_state state)
{
	return verbs[kind].takes[state];
}

/* When, by whom and why it was cancelled; NULL = it was not, or the history does not have it. */
static const char *how_cancelled(const struct action *action, const struct job *job)
{
	struct db_rows rows = { 0 };
	char when[CLOCK_TEXT_SIZE];
	struct error error;

	if (!job->outcome || strcmp(job->outcome, "cancelled") != 0 ||
	    db_query(action->db, action->arena,
		     DB_CALL(job_runs, .id = P_INT(job->id), .limit = P_INT(1)), &rows,
		     &error) != STATUS_OK ||
	    rows.count == 0)
		return NULL;
	const struct cause cause = cause_of(action->arena, db_text(&rows, 0, JOB_RUNS_ERROR));
	clock_format_iso(db_time(&rows, 0, JOB_RUNS_ENDED_AT), when);
	return cause.error_class ? arena_printf(action->arena, "it has ended: at %s it was %s",
						when, cause.message)
				 : NULL;
}

/* Why nothing was done to a job that is now in this state. */
static const char *action_refuses(const struct action *action, const struct job *job)
{
	if (action->kind == ACTION_CANCEL && job->state == JOB_CLAIMED)
		return "the process that runs it does not stop cancelled jobs: it is of other "
		       "software, or of an earlier dray";
	if (action_takes(action->kind, job->state))
		return "its state changed meanwhile";
	if (verbs[action->kind].refused)
		return arena_printf(action->arena, "it is %s, %s", job_state_name(job->state),
				    verbs[action->kind].refused);
	if (job->state == JOB_FINISHED) {
		const char *how = how_cancelled(action, job);
		return how ? how : "it is already finished";
	}
	if (job->state == JOB_FAILED)
		return "it has failed: discard it";
	if (job->state == JOB_STATES)
		return "it is in no state: `dray doctor` mends that";
	return "it is running: cancel it";
}

/*
 * Adds the call that notes it for those of these jobs that run. Of its rows known_since and
 * known_by are null when the job was not cancelled before.
 */
static void cancel_running(struct db_calls *calls, struct db_value jobs, struct db_value audit,
			   const char *reason, int64_t now)
{
	char by[CANCEL_BY];

	cancel_by(by);
	db_calls_add(calls,
		     DB_CALL(cancel_running, .jobs = jobs, .audit = audit,
			     .requested_by = P_TEXT(arena_strdup(calls->arena, by)),
			     .reason = reason ? P_TEXT(reason) : P_NULL, .now = P_TIME(now)));
}

/* A batch. */

#define TRIES 4 /* a job may move from one state to another meanwhile */

/* Some jobs that are acted on in one transaction. */
struct batch {
	struct action *action;
	const struct job *jobs;
	const int64_t *ids;
	size_t count;
	struct db_list retries; /* retry_row */
	struct slots slots;
	struct db_calls calls;
	size_t first; /* where the operation's own calls begin */
	size_t own;
	bool waiting; /* of applying */
};

/*
 * The job's row for "retry". If its payload cannot be read, or would become too long, it is retried
 * unchanged.
 */
static void add_retry(const struct action *action, const struct job *job, struct db_list *list)
{
	const char *payload;
	const bool reset =
		payload_reset(action->arena, job->payload, &payload, NULL) == STATUS_OK &&
		strlen(payload) <= db_text_maximum(action->db);

	DB_ADD(list, retry_row, .job_id = P_INT(job->id),
	       .arguments = P_TEXT(reset ? payload : NULL),
	       .executions = P_INT(reset ? payload_executions(job->payload) : 0));
}

static const char *own_error(const struct action *action)
{
	char by[CANCEL_BY];

	cancel_by(by);
	return cancel_error(action->arena, by, action->reason);
}

static struct db_value own_user(const struct action *action)
{
	char who[USERNAME_SIZE];

	process_user(who);
	return P_TEXT(arena_strdup(action->arena, who));
}

static struct db_value own_host(const struct action *action)
{
	char host[HOSTNAME_SIZE];

	process_hostname(host);
	return P_TEXT(arena_strdup(action->arena, host));
}

/* The operation for these jobs, which are IDs or rows. */
static struct db_call call_of(const struct batch *batch, struct db_value jobs,
			      struct db_value audit)
{
	const struct action *action = batch->action;
	const struct db_value now = P_TIME(batch->slots.now);

	switch (action->kind) {
	case ACTION_RETRY:
		return db_call_keep(action->arena,
				    DB_CALL(retry, .jobs = jobs, .now = now, .audit = audit,
					    .who = own_user(action), .host = own_host(action)));
	case ACTION_DISCARD:
		return db_call_keep(action->arena, DB_CALL(discard, .jobs = jobs, .audit = audit));
	case ACTION_RUN_NOW:
		return db_call_keep(action->arena,
				    DB_CALL(run_now, .jobs = jobs, .now = now, .audit = audit));
	case ACTION_ARRANGE:
		return db_call_keep(
			action->arena,
			DB_CALL(arrange, .jobs = jobs, .queue = P_TEXT(action->queue),
				.priority = action->has_priority ? P_INT(action->priority) : P_NULL,
				.now = now, .audit = audit));
	case ACTION_CANCEL:
		return db_call_keep(action->arena,
				    DB_CALL(cancel, .jobs = jobs, .audit = audit,
					    .error = P_TEXT(own_error(action)), .now = now));
	}
	return DB_PLAIN(nothing);
}

static void add_call(struct batch *batch, struct db_value jobs)
{
	const struct action *action = batch->action;
	const struct db_value audit = action->audit ? P_INT(action->audit) : P_NULL;

	db_calls_add(&batch->calls, call_of(batch, jobs, audit));
	if (action->kind == ACTION_CANCEL && !batch->waiting) /* some were claimed meanwhile */
		cancel_running(&batch->calls, jobs, audit, action->reason, batch->slots.now);
}

static void add_calls(struct batch *batch)
{
	struct db_part part = { 0 };
	int64_t *ids = arena_array(batch->action->arena, batch->count, sizeof(*ids));

	for (size_t i = 0; i < batch->count; i++)
		ids[i] = batch->jobs[i].id;
	batch->ids = ids;
	batch->first = batch->calls.count;
	if (batch->action->kind != ACTION_RETRY)
		add_call(batch, P_IDS(ids, batch->count));
	while (db_part_next(&part, &batch->retries, NULL))
		add_call(batch, P_PART(&batch->retries, part));
	batch->own = batch->calls.count - batch->first;
}

/* Finds the slots of the jobs that have a key. */
static enum status find_slots(struct batch *batch, struct error *error)
{
	int64_t *limited = arena_array(batch->slots.arena, batch->count + 1, sizeof(*limited));
	size_t many = 0;

	for (size_t i = 0; i < batch->count; i++)
		if (batch->jobs[i].concurrency_key)
			limited[many++] = batch->jobs[i].id;
	return slots_find(&batch->slots, limited, many, error);
}

/* What follows the calls of its kind. */
static enum status add_last(struct batch *batch, struct error *error)
{
	const struct action *action = batch->action;
	bool batches = false;
	enum status status = STATUS_OK;

	if (action->kind == ACTION_RUN_NOW)
		status = slots_conflict(&batch->slots, &batch->calls, error);
	if (action->kind == ACTION_CANCEL)
		status = batches_look(action->db, &batches, error);
	if (batches)
		batches_leave(&batch->calls, batch->ids, batch->count);
	return status;
}

static enum status run_calls(struct batch *batch, struct error *error)
{
	struct action *action = batch->action;

	batch->retries.arena = action->arena;
	for (size_t i = 0; i < batch->count && action->kind == ACTION_RETRY; i++)
		add_retry(action, &batch->jobs[i], &batch->retries);
	enum status status = find_slots(batch, error);
	if (status != STATUS_OK)
		return status;
	batch->calls.arena = action->arena;
	slots_before(&batch->slots, &batch->calls);
	add_calls(batch);
	slots_after(&batch->slots, &batch->calls);
	status = add_last(batch, error);
	if (status != STATUS_OK)
		return status;
	status = slots_run_new(&batch->slots, &batch->calls, error);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* Adds the IDs of the jobs that were changed: all operations give them first. */
DB_ALIKE(retry, discard);
DB_ALIKE(retry, run_now);
DB_ALIKE(retry, arrange);
DB_ALIKE(retry, cancel);
_Static_assert((int)RETRY_JOB_ID == (int)RUNNING_JOB_ID, "and so does cancel_running");

static void collect(const struct batch *batch, int64_t ids[], size_t *count)
{
	const struct db_call *list = batch->calls.list;

	for (size_t i = batch->first; i < batch->first + batch->own; i++)
		for (size_t row = 0; row < list[i].rows.count; row++)
			ids[(*count)++] = db_int(&list[i].rows, row, RETRY_JOB_ID);
}

static enum status read_jobs(const struct action *action, const int64_t ids[], size_t count,
			     struct job **jobs, size_t *found, struct error *error)
{
	return job_list_named(action->db, action->arena, &(struct job_ids){ ids, count }, jobs,
			      found, error);
}

/* Of the jobs that run, those that were cancelled before are stopped already. */
static void take_running(struct action *action, const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++) {
		if (db_is_null(rows, i, CANCEL_RUNNING_KNOWN_BY)) {
			action->stopping++;
			continue;
		}
		action->known = arena_extend(action->arena, action->known, action->known_count,
					     sizeof(*action->known));
		action->known[action->known_count++] =
			(struct stopping){ db_int(rows, i, RUNNING_JOB_ID),
					   db_time(rows, i, CANCEL_RUNNING_KNOWN_SINCE),
					   db_text(rows, i, CANCEL_RUNNING_KNOWN_BY) };
	}
	processes_wake(rows);
}

/* An action on jobs in the right state: which were changed, and what the database said of others.
 */
struct applying {
	struct action *action;
	bool filtered; /* a filter chose them */
	bool waiting;  /* ACTION_CANCEL: because they waited */
	const struct job *jobs;
	size_t count;
	int64_t *done; /* also what was done before; sorted in the end */
	size_t done_count;
	const char **words; /* of each of jobs; NULL = nothing */
};

static enum status run_part(void *data, size_t first, size_t count, struct error *error)
{
	struct applying *applying = data;
	struct action *action = applying->action;
	struct batch batch = { .action = action,
			       .jobs = applying->jobs + first,
			       .count = count,
			       .waiting = applying->waiting };

	batch.slots = (struct slots){ .db = action->db,
				      .arena = action->arena,
				      .now = db_now(action->db) };
	enum status status = run_calls(&batch, error);

	if (status != STATUS_OK)
		return status;
	collect(&batch, applying->done, &applying->done_count);
	if (action->kind == ACTION_CANCEL && !applying->waiting)
		take_running(action, &batch.calls.list[batch.first + 1].rows);
	return STATUS_OK;
}

static enum status leave_job(void *data, size_t at, const struct error *why, struct error *error)
{
	struct applying *applying = data;

	(void)error;
	applying->words[at] = arena_strdup(applying->action->arena, why->text);
	return STATUS_OK;
}

static const char *why_not(const struct applying *applying, const struct job *job)
{
	const struct action *action = applying->action;

	for (size_t i = 0; i < applying->count; i++)
		if (applying->jobs[i].id == job->id && applying->words[i])
			return arena_printf(action->arena, "the database refuses that: %s",
					    applying->words[i]);
	return action_refuses(action, job);
}

/*
 * What a filter chose to be cancelled may have ended meanwhile, or have been claimed although it
 * was chosen because it waited: then it was not meant.
 */
static bool is_meant(const struct applying *applying, enum job_state state)
{
	if (applying->action->kind != ACTION_CANCEL || !applying->filtered)
		return true;
	return action_takes(ACTION_CANCEL, state) && (state != JOB_CLAIMED || !applying->waiting);
}

/* Reports why these jobs were refused. */
static enum status refuse(const struct applying *applying, const int64_t ids[], size_t count,
			  struct error *error)
{
	struct action *action = applying->action;
	struct job *jobs;
	size_t found;

	if (count == 0)
		return STATUS_OK;
	enum status status = read_jobs(action, ids, count, &jobs, &found, error);
	if (status != STATUS_OK)
		return status;
	action->refused = arena_array(action->arena, count, sizeof(*action->refused));
	for (size_t i = 0; i < count; i++) {
		struct refusal refusal = { ids[i], "no such job", true, false };
		bool meant = is_meant(applying, JOB_STATES);
		for (size_t k = 0; k < found; k++)
			if (jobs[k].id == ids[i]) {
				refusal = (struct refusal){ ids[i], why_not(applying, &jobs[k]),
							    false,
							    action->kind == ACTION_CANCEL &&
								    jobs[k].state == JOB_CLAIMED };
				meant = is_meant(applying, jobs[k].state);
			}
		if (meant)
			action->refused[action->refused_count++] = refusal;
	}
	return STATUS_OK;
}

/* Does what can be done, and leaves of `wanted` those on which it was not. */
static enum status apply_once(struct applying *applying, struct job_ids wanted, int64_t left[],
			      size_t *left_count, struct error *error)
{
	struct arena *arena = applying->action->arena;
	struct refused_work work = { .data = applying,
				     .db = applying->action->db,
				     .strict = true,
				     .run = run_part,
				     .alone = leave_job };

	applying->words = arena_array(arena, applying->count + 1, sizeof(*applying->words));
	enum status status = refused_by_halves(&work, applying->count, error);
	applying->action->done = (int64_t)(applying->done_count - applying->action->known_count);
	qsort(applying->done, applying->done_count, sizeof(*applying->done), order_ids);
	*left_count = 0;
	for (size_t i = 0; i < wanted.count; i++)
		if (!bsearch(&wanted.list[i], applying->done, applying->done_count,
			     sizeof(*applying->done), order_ids))
			left[(*left_count)++] = wanted.list[i];
	return status;
}

/* Which of these are in the right state? */
static enum status choose(struct applying *applying, const int64_t ids[], size_t count,
			  struct error *error)
{
	const struct action *action = applying->action;
	struct job *jobs;
	size_t found;
	enum status status = read_jobs(action, ids, count, &jobs, &found, error);

	applying->jobs = jobs;
	applying->count = 0;
	for (size_t i = 0; status == STATUS_OK && i < found; i++)
		if (action_takes(action->kind, jobs[i].state) && is_meant(applying, jobs[i].state))
			jobs[applying->count++] = jobs[i];
	return status;
}

/*
 * Acts on the jobs that are in the right state, but for those of which the database refuses that;
 * those of `ids` on which it did not are refused. What is to be cancelled must not get away by
 * moving on meanwhile: a job that was claimed, or became ready, is tried again.
 */
static enum status apply(struct applying *applying, struct job_ids wanted, struct error *error)
{
	struct action *action = applying->action;
	int64_t *left = arena_array(action->arena, wanted.count + 1, sizeof(*left));
	size_t left_count;
	int tries = action->kind == ACTION_CANCEL ? TRIES : 1;
	enum status status;

	applying->done = arena_array(action->arena, wanted.count + 1, sizeof(*applying->done));
	do {
		status = apply_once(applying, wanted, left, &left_count, error);
		if (status == STATUS_OK && --tries > 0 && left_count > 0)
			status = choose(applying, left, left_count, error);
		else
			tries = 0;
	} while (status == STATUS_OK && tries > 0 && applying->count > 0);
	return status == STATUS_OK ? refuse(applying, left, left_count, error) : status;
}

static void begin(struct action *action)
{
	action->done = 0;
	action->stopping = 0;
	action->refused_count = 0;
	action->known = NULL;
	action->known_count = 0;
}

enum status action_ids(struct action *action, const int64_t ids[], size_t count,
		       struct error *error)
{
	struct applying applying = { .action = action };

	begin(action);
	enum status status = choose(&applying, ids, count, error);
	if (status != STATUS_OK)
		return status;
	return apply(&applying, (struct job_ids){ ids, count }, error);
}

enum status action_next(struct action *action, struct job_filter *filter, struct error *error)
{
	struct applying applying = { .action = action, .filtered = true };
	struct job *jobs;
	size_t count;

	begin(action);
	applying.waiting = filter->has_state && filter->state != JOB_CLAIMED;
	filter->limit = ACTION_BATCH;
	enum status status = job_list(action->db, action->arena, filter, &jobs, &count, error);
	if (status != STATUS_OK)
		return status;
	if (count == 0)
		return STATUS_NONE;
	int64_t *ids = arena_array(action->arena, count, sizeof(*ids));
	for (size_t i = 0; i < count; i++)
		ids[i] = jobs[i].id;
	applying.jobs = jobs;
	applying.count = count;
	status = apply(&applying, (struct job_ids){ ids, count }, error);
	if (status == STATUS_OK)
		filter->before = ids[count - 1];
	return status;
}

/* The same to one job, and to all of a filter. */

/* Acts on one job, given by its number. */
static enum status do_one(struct db *db, struct action action, int64_t id, struct error *error)
{
	struct arena *arena = arena_new();

	action.db = db;
	action.arena = arena;
	enum status status = action_ids(&action, &id, 1, error);

	if (status == STATUS_OK && action.refused_count > 0)
		status = error_set(error, action.refused[0].missing ? STATUS_NONE : STATUS_INVALID,
				   "job %" PRId64 ": %s", id, action.refused[0].reason);
	arena_free(arena);
	return status;
}

enum status job_retry(struct db *db, int64_t id, struct error *error)
{
	return do_one(db, (struct action){ .kind = ACTION_RETRY }, id, error);
}

enum status job_discard(struct db *db, int64_t id, struct error *error)
{
	return do_one(db, (struct action){ .kind = ACTION_DISCARD }, id, error);
}

enum status job_cancel(struct db *db, int64_t id, const char *reason, struct error *error)
{
	size_t fault;

	if (reason && strlen(reason) > CANCEL_REASON)
		return error_set(error, STATUS_INVALID, "the reason is longer than %d bytes",
				 CANCEL_REASON);
	if (reason && !utf8_valid(reason, strlen(reason), &fault))
		return error_set(error, STATUS_INVALID, "the reason is not UTF-8");
	return do_one(db, (struct action){ .kind = ACTION_CANCEL, .reason = reason }, id, error);
}

static enum status do_all(struct db *db, enum action_kind kind, struct job_filter filter,
			  int64_t *count, struct error *error)
{
	struct arena *arena = arena_new();
	struct action action = { .db = db, .arena = arena, .kind = kind };
	enum status status;

	*count = 0;
	do {
		arena_clear(arena);
		status = action_next(&action, &filter, error);
		*count += action.done;
	} while (status == STATUS_OK);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_retry_all(struct db *db, const struct job_filter *filter, int64_t *count,
			  struct error *error)
{
	struct job_filter failed = *filter;

	failed.has_state = true;
	failed.state = JOB_FAILED;
	return do_all(db, ACTION_RETRY, failed, count, error);
}

enum status job_discard_all(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error)
{
	if (!filter->has_state || !action_takes(ACTION_DISCARD, filter->state))
		return error_set(error, STATUS_INVALID,
				 "only ready, scheduled, blocked or failed jobs can be discarded");
	return do_all(db, ACTION_DISCARD, *filter, count, error);
}
