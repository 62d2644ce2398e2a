#include "queue/processes/loss_runs.h"

#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/claim/claim_name.h"
#include "queue/payload/payload.h"

struct reading {
	struct arena *arena;
	const struct loss_runs *runs;
	struct db_rows jobs; /* of lost_jobs */
};

static void add_time(struct text *json, const char *key, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_short(instant, text);
	text_printf(json, ",\"%s\":\"%s\"", key, text);
}

/* What the class declares of losses that end a job, where that applies and there is such an end. */
static struct loss_end end_of(const struct reading *reading, size_t row, int executions)
{
	const struct loss_policy *policy = reading->runs->policy;

	if (!policy->end || policy->alike || db_is_null(&reading->jobs, row, 4))
		return (struct loss_end){ LOSS_FAILS, 0, NULL };
	return policy->end(reading->arena, db_text(&reading->jobs, row, 4), executions);
}

static void add_fate(const struct reading *reading, struct text *json, size_t row, int executions)
{
	const struct loss_end end = end_of(reading, row, executions);
	const char *payload;

	if (end.fate == LOSS_DISCARDS)
		text_add(json, ",\"fate\":\"discarded\"");
	if (end.fate != LOSS_RETRIES ||
	    payload_count_execution(reading->arena, db_text(&reading->jobs, row, 1), end.rule,
				    &payload, NULL) != STATUS_OK ||
	    strlen(payload) > PAYLOAD_MAXIMUM)
		return;
	text_add(json, ",\"fate\":\"retried\",\"payload\":");
	text_json(json, payload);
	add_time(json, "due", reading->runs->now + end.wait);
}

static void add_run(const struct reading *reading, struct text *json, int64_t claimed_at,
		    size_t row)
{
	const struct db_rows *jobs = &reading->jobs;
	const char *payload = db_text(jobs, row, 1);
	const int executions = payload ? payload_executions(payload) : 0;
	const struct job job = { .losses = db_int(jobs, row, 2),
				 .runs_before = db_int(jobs, row, 3) };

	text_printf(json, ",\"attempt\":%" PRId64, job_attempt(&job, executions));
	add_time(json, "began_at", claimed_at);
	add_time(json, "ended_at", reading->runs->now);
	if (payload)
		add_fate(reading, json, row, executions);
	text_add(json, ",\"error\":");
	text_json(json, reading->runs->error);
}

/* The row of the job; the number of rows if there is none. */
static size_t find_job(const struct reading *reading, int64_t id)
{
	size_t row = 0;

	while (row < reading->jobs.count && db_int(&reading->jobs, row, 0) != id)
		row++;
	return row;
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
	struct reading reading = { .arena = arena, .runs = runs };
	int64_t *jobs = arena_array(arena, runs->rows->count + 1, sizeof(*jobs));
	size_t count = 0;
	enum status status = STATUS_OK;

	for (size_t i = 0; i < runs->rows->count; i++)
		if (runs->chosen[i])
			jobs[count++] = db_int(runs->rows, i, 1);
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, count) };
	if (count > 0)
		status = db_query(db, arena, "lost_jobs", values, 1, &reading.jobs, error);
	runs->now = db_now(db);
	runs->claims = claim_rows_json(arena, runs->rows, runs->chosen);
	runs->failures = runs_json(&reading);
	return status == STATUS_NONE ? STATUS_OK : status;
}
