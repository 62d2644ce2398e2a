#include "queue/processes/loss_runs.h"

#include <inttypes.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "db/operations.h"
#include "queue/claim/claim_name.h"
#include "queue/payload/cause.h"
#include "queue/payload/fingerprint.h"
#include "queue/payload/payload.h"
#include "queue/settle/batches.h"
#include "queue/settle/cancellations.h"

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
 * The payload with one more execution, escaped, since the table's characters may be few. NULL: it
 * cannot be counted there.
 */
static const char *counted(const struct reading *reading, size_t row, const char *rule)
{
	const char *payload;

	if (payload_count_execution(reading->arena,
				    db_text(&reading->jobs, row, LOST_JOBS_ARGUMENTS), rule,
				    &payload, NULL) != STATUS_OK)
		return NULL;
	return payload_ascii(reading->arena, payload, reading->maximum);
}

/* False: the job was only lost, and is ready again. */
static bool add_outcome(const struct reading *reading, struct text *json, size_t row,
			int executions)
{
	const int64_t bound = loss_bound(reading->runs->policy,
					 job_bound(&reading->jobs, row, LOST_JOBS_MAX_LOSSES));
	const struct loss_end end = end_of(reading, row, executions);
	const char *payload;

	if (db_int(&reading->jobs, row, LOST_JOBS_LOSSES) + 1 <= bound) {
		text_add(json, ",\"outcome\":\"lost\"");
		return false;
	}
	if (end.fate == LOSS_DISCARDS) {
		text_add(json, ",\"outcome\":\"discarded\"");
	} else if (end.fate == LOSS_RETRIES && (payload = counted(reading, row, end.rule))) {
		text_add(json, ",\"outcome\":\"retried\",\"payload\":");
		text_json(json, payload);
		claim_time_add(json, "due", reading->runs->now + end.wait);
	} else {
		text_add(json, ",\"outcome\":\"failed\"");
	}
	return true;
}

static void add_run(const struct reading *reading, struct text *json, int64_t claimed_at,
		    size_t row)
{
	const struct db_rows *jobs = &reading->jobs;
	const char *payload = db_text(jobs, row, LOST_JOBS_ARGUMENTS);
	const int executions = payload ? payload_executions(payload) : 0;
	const struct job job = { .losses = db_int(jobs, row, LOST_JOBS_LOSSES),
				 .runs_before = db_int(jobs, row, LOST_JOBS_RUNS_BEFORE) };

	text_printf(json, ",\"attempt\":%" PRId64, job_attempt(&job, executions));
	claim_time_add(json, "began_at", claimed_at);
	claim_time_add(json, "ended_at", reading->runs->now);
	if (add_outcome(reading, json, row, executions))
		text_printf(json, ",\"error_group\":\"%s\"", reading->group);
	text_add(json, ",\"error\":");
	text_json(json, reading->runs->error);
}

/* The row of the job; the number of rows if there is none. */
static size_t find_job(const struct reading *reading, int64_t id)
{
	size_t first = 0;
	size_t end = reading->jobs.count;

	while (first < end) {
		const size_t middle = first + (end - first) / 2;
		if (db_int(&reading->jobs, middle, LOST_JOBS_JOB_ID) < id)
			first = middle + 1;
		else
			end = middle;
	}
	return first < reading->jobs.count && db_int(&reading->jobs, first, LOST_JOBS_JOB_ID) == id
		       ? first
		       : reading->jobs.count;
}

static const char *runs_json(const struct reading *reading)
{
	const struct loss_runs *runs = reading->runs;
	struct text json = { 0 };

	for (size_t i = 0; i < runs->rows->count; i++) {
		const struct claim_name name = claim_name_read(runs->rows, i, 0);
		const size_t row = find_job(reading, name.job_id);

		if (!runs->chosen[i] || row == reading->jobs.count)
			continue;
		text_add(&json, json.length == 0 ? "[{" : ",{");
		claim_row_add(&json, runs->rows, i);
		add_run(reading, &json, name.claimed_at, row);
		text_add(&json, "}");
	}
	text_add(&json, json.length == 0 ? "[]" : "]");
	return text_take(&json, reading->arena);
}

enum status loss_runs_read(struct db *db, struct arena *arena, struct loss_runs *runs,
			   struct error *error)
{
	const struct cause cause = cause_of(arena, runs->error);
	struct reading reading = { .arena = arena,
				   .runs = runs,
				   .maximum = db_text_maximum(db),
				   .group = fingerprint(arena, cause.error_class, cause.message) };
	enum status status = STATUS_OK;

	runs->jobs = arena_array(arena, runs->rows->count + 1, sizeof(*runs->jobs));
	for (size_t i = 0; i < runs->rows->count; i++)
		if (runs->chosen[i])
			runs->jobs[runs->count++] = db_int(runs->rows, i, CLAIM_NAME_JOB_ID);
	if (runs->count > 0)
		status = db_query(db, arena,
				  DB_CALL(lost_jobs, .jobs = P_IDS(runs->jobs, runs->count)),
				  &reading.jobs, error);
	if (status == STATUS_OK && runs->count > 0)
		status = batches_look(db, &runs->batches, error);
	runs->now = db_now(db);
	runs->claims = claim_rows_json(arena, runs->rows, runs->chosen);
	runs->failures = runs_json(&reading);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status loss_runs_end(struct slots *slots, const struct loss_runs *runs,
			  struct db_call operation, const struct db_calls *notes,
			  struct db_rows *rows, struct error *error)
{
	struct db_calls calls = { .arena = slots->arena };

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
	if (status == STATUS_OK && !own->none)
		cancellations_log(slots->db, slots->arena, runs->jobs, runs->count, runs->now);
	return status == STATUS_OK && own->none ? STATUS_NONE : status;
}
