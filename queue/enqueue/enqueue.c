/*
 * Jobs in: any number of them in one transaction, in parts that fit into a server's packet.
 *
 * Every job has its Active Job id before the transaction begins. So after an uncertain commit the
 * jobs are looked for by these ids, and nothing is enqueued a second time.
 */
#include "queue/enqueue/enqueue.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "common/text/uuid.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/payload/payload.h"
#include "schedule/task_keys.h"

/* After an uncertain commit: were the jobs enqueued? */

#define PAUSE_FIRST (5 * CLOCK_MILLISECOND)
#define PAUSE_LIMIT (500 * CLOCK_MILLISECOND)

/* One search for the jobs of an enqueue. */
struct search {
	struct db *db;
	struct arena *arena;
	struct enqueued *jobs;
	size_t count;
	int64_t horizon; /* transactions in progress at the first look are up to it; 0 = none */
	bool looked;
};

/*
 * Rows are in the order of the jobs; a job that no longer exists (deleted when it finished) is
 * skipped.
 */
static bool take_found(const struct search *search, const struct db_rows *rows)
{
	size_t row = 0;

	if (rows->count == 0 || db_is_null(rows, 0, FOUND_JOB_ID))
		return false;
	for (size_t i = 0; i < search->count && row < rows->count; i++)
		if (strcmp(db_text(rows, row, FOUND_ACTIVE_JOB_ID),
			   search->jobs[i].active_job_id) == 0)
			search->jobs[i].id = db_int(rows, row++, FOUND_JOB_ID);
	return true;
}

/*
 * NONE only when the lost connection's session is over and no transaction from before the first
 * look remains that could still bring the jobs; on PostgreSQL a commit that waits (for a replica,
 * say) is invisible, where the other databases make us wait.
 */
static enum status look_for(struct search *search, struct error *error)
{
	struct db_list ids = { .arena = search->arena };
	struct db_rows rows = { 0 };
	enum status status = db_settled(search->db, error);

	for (size_t i = 0; i < search->count; i++)
		DB_ADD(&ids, found_row, .active_job_id = P_TEXT(search->jobs[i].active_job_id));
	if (status == STATUS_OK)
		status = db_query(search->db, search->arena,
				  DB_CALL(found, .jobs = P_ROWS(&ids),
					  .now = P_TIME(search->jobs[0].created_at)),
				  &rows, error);
	if (status != STATUS_OK)
		return status;
	if (take_found(search, &rows))
		return STATUS_OK;
	if (!search->looked)
		search->horizon = rows.count > 0 ? db_int(&rows, 0, FOUND_NEXT) : 0;
	search->looked = true;
	if (search->horizon == 0 || db_int(&rows, 0, FOUND_OLDEST) >= search->horizon)
		return STATUS_NONE;
	return error_set(error, STATUS_UNCERTAIN, "an older transaction is still under way");
}

static bool may_change(enum status status)
{
	return status == STATUS_UNCERTAIN || status == STATUS_DOWN || status == STATUS_RETRY;
}

static enum status look_until(struct search *search, int64_t deadline, struct error *error)
{
	int64_t pause = PAUSE_FIRST;
	enum status status = look_for(search, error);

	while (may_change(status) && clock_monotonic() < deadline) {
		clock_sleep(pause + (int64_t)random_below((uint64_t)pause));
		pause = pause < PAUSE_LIMIT ? 2 * pause : PAUSE_LIMIT;
		arena_clear(search->arena);
		status = look_for(search, error);
	}
	return status;
}

enum status enqueue_resolve(struct db *db, struct enqueued jobs[], size_t count,
			    struct error *error)
{
	struct search search = { .db = db, .arena = arena_new(), .jobs = jobs, .count = count };
	struct error why = { 0 };
	int64_t deadline = clock_monotonic() + db_retry_for(db);

	enum status status = count > 0 ? look_until(&search, deadline, &why) : STATUS_OK;
	arena_free(search.arena);
	if (status == STATUS_OK)
		return status;
	if (status == STATUS_NONE)
		return error_set(error, status, "nothing was enqueued");
	return error_set(error, STATUS_UNCERTAIN, "it is unknown whether anything was enqueued: %s",
			 why.text);
}

/*
 * A batch of jobs.
 *
 * What an enqueue does is a list of steps. Each looks at every job in turn and adds its rows to
 * lists; then each adds its calls, in one transaction; then each takes what these have returned.
 */

#define NAME_MAXIMUM 255 /* MySQL's varchar; counted in characters */

/* One enqueue in progress. */
struct batch {
	struct arena *arena;
	struct db *db;
	int64_t now;
	const struct new_job *jobs;
	struct enqueued *results;
	size_t count;
	const char *payload;  /* of the job that is looked at */
	int64_t scheduled_at; /* the same */
	struct db_list rows;  /* enqueued_row */
	struct db_list keys;  /* key_row: the further keys of jobs that have several */
	struct db_list runs;  /* occurrence_row: of each job, or of none */
	size_t first;         /* of the calls: the one that inserts the first part of the rows */
	struct db_calls calls;
	struct slots slots;
	enqueue_more *more; /* adds calls of its own */
	void *data;         /* NULL = none */
	struct error *error;
};

/* What is left out does nothing. */
struct enqueue_step {
	enum status (*look)(struct batch *batch, size_t at);
	enum status (*call)(struct batch *batch);
	enum status (*take)(struct batch *batch);
};

/* names */

static size_t characters(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

enum status name_check(const char *what, const char *name, struct error *error)
{
	size_t fault;

	if (!name || *name == '\0')
		return error_set(error, STATUS_INVALID, "the %s is missing", what);
	if (!utf8_valid(name, strlen(name), &fault))
		return error_set(error, STATUS_INVALID, "the %s is not UTF-8 (byte %zu)", what,
				 fault);
	if (characters(name) > NAME_MAXIMUM)
		return error_set(error, STATUS_INVALID, "the %s is longer than %d characters", what,
				 NAME_MAXIMUM);
	return STATUS_OK;
}

static const char *queue_of(const struct new_job *job)
{
	return job->queue ? job->queue : "default";
}

static enum status look_at_names(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];
	enum status status = name_check("class", job->class_name, batch->error);

	if (status == STATUS_OK)
		status = name_check("queue", queue_of(job), batch->error);
	if (status == STATUS_OK && job->concurrency_key)
		status = name_check("concurrency key", job->concurrency_key, batch->error);
	for (size_t i = 0; i < job->more_count && status == STATUS_OK; i++)
		status = name_check("concurrency key", job->more_keys[i], batch->error);
	if (status == STATUS_OK && job->timeout > 0 && job->timeout > task_most(TASK_TIMEOUT))
		status = error_set(batch->error, STATUS_INVALID, "the timeout is longer than %s",
				   task_keys[TASK_TIMEOUT].most);
	return status;
}

/* payloads */

static enum status look_when_due(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];
	int64_t due = job->at;

	if (due <= 0 && __builtin_add_overflow(batch->now, job->delay, &due))
		due = INT64_MAX;
	if (due > CLOCK_LAST)
		return error_set(batch->error, STATUS_INVALID,
				 "the time it is due lies after the year 9999");
	batch->scheduled_at = due > batch->now ? due : batch->now;
	return STATUS_OK;
}

/* A given payload is stored as it is; its job_id becomes the column's. */
static enum status take_payload(struct batch *batch, const char *text, char id[40])
{
	struct payload payload;
	enum status status = payload_parse(text, &payload, batch->error);

	if (status != STATUS_OK)
		return status;
	const char *job_id = json_string_value(json_object_get(payload.root, "job_id"));
	if (job_id && (size_t)snprintf(id, 40, "%s", job_id) >= 40)
		status = error_set(batch->error, STATUS_INVALID,
				   "payload: job_id is longer than 39 characters");
	if (!job_id)
		uuid_v7(batch->now, id);
	payload_clear(&payload);
	batch->payload = text;
	return status;
}

static enum status make_payload(struct batch *batch, const struct new_job *job, char id[40])
{
	char priority[16];
	const char *arguments = job->array;

	if (!arguments && job->arguments) {
		struct payload read;
		enum status status = payload_arguments(batch->arena, job->arguments, NULL, &read,
						       &arguments, batch->error);
		if (status != STATUS_OK)
			return status;
		payload_clear(&read);
	}
	uuid_v7(batch->now, id);
	snprintf(priority, sizeof(priority), "%d", job->priority);
	const struct payload_parts parts = { .class_name = job->class_name,
					     .active_job_id = id,
					     .queue = queue_of(job),
					     .priority = job->has_priority ? priority : NULL,
					     .arguments = arguments,
					     .enqueued_at = batch->now,
					     .scheduled_at = batch->scheduled_at,
					     .timeout = job->timeout };
	return payload_build(batch->arena, &parts, &batch->payload, batch->error);
}

static enum status look_at_payload(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];
	const size_t most = db_text_maximum(batch->db);
	char *id = batch->results[at].active_job_id;
	enum status status =
		job->payload ? take_payload(batch, job->payload, id) : make_payload(batch, job, id);

	if (status == STATUS_OK && strlen(batch->payload) > most)
		return error_set(batch->error, STATUS_INVALID,
				 "the payload has %zu bytes, this database's column holds %zu",
				 strlen(batch->payload), most);
	return status;
}

/* jobs, and the occurrences of recurring tasks that they are for */

static enum status add_row(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];

	DB_ADD(&batch->rows, enqueued_row, .position = P_INT(at + 1),
	       .priority = P_INT(job->has_priority ? job->priority : 0),
	       .queue_name = P_TEXT(queue_of(job)), .class_name = P_TEXT(job->class_name),
	       .arguments = P_TEXT(batch->payload),
	       .active_job_id = P_TEXT(batch->results[at].active_job_id),
	       .scheduled_at = P_TIME(batch->scheduled_at),
	       .concurrency_key = P_TEXT(job->concurrency_key));
	return STATUS_OK;
}

static enum status add_occurrence(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];

	/* recurring_record looks at all the jobs that enqueue has inserted before it. */
	if (!job->task_key != !batch->jobs[0].task_key)
		return error_set(batch->error, STATUS_INVALID,
				 "some jobs have a recurring task, and others none");
	if (job->task_key)
		DB_ADD(&batch->runs, occurrence_row,
		       .active_job_id = P_TEXT(batch->results[at].active_job_id),
		       .task_key = P_TEXT(job->task_key), .run_at = P_TIME(job->run_at),
		       .outcome = P_TEXT(job->outcome ? job->outcome : "enqueued"),
		       .since = job->task_since > 0 ? P_TIME(job->task_since) : P_NULL,
		       .dynamic = job->task_dynamic ? P_INT(1) : P_NULL);
	return STATUS_OK;
}

/* Occurrences are recorded right after their jobs, and so before slots: a repeated job gets none.
 */
static enum status insert_rows(struct batch *batch)
{
	const struct db_value now = P_TIME(batch->now);
	struct db_part part = { 0 };

	batch->first = batch->calls.count;
	while (db_part_next(&part, &batch->rows, &batch->runs)) {
		struct db_call call =
			DB_CALL(enqueue, .jobs = P_PART(&batch->rows, part), .now = now);
		if (batch->slots.keys.count > 0)
			call.operation = DB_LIKE(enqueue_limited, enqueue);
		db_calls_add(&batch->calls, call);
		if (batch->runs.count > 0)
			db_calls_add(&batch->calls,
				     DB_CALL(recurring_record, .runs = P_PART(&batch->runs, part),
					     .now = now));
	}
	return STATUS_OK;
}

DB_ALIKE(enqueue, enqueue_limited);
DB_ALIKE(slots_conflict, recurring_record);

/* Jobs that on_conflict, or their record, deleted again: their results are changed. */
static void take_deleted(struct batch *batch, const struct db_rows *deleted, struct enqueued gone)
{
	for (size_t row = 0; row < deleted->count; row++) {
		int64_t id = db_int(deleted, row, SLOTS_CONFLICT_JOB_ID);
		for (size_t i = 0; i < batch->count; i++) {
			gone.created_at = batch->results[i].created_at;
			if (batch->results[i].id == id)
				batch->results[i] = gone;
		}
	}
}

static enum status take_ids(struct batch *batch)
{
	const struct db_call *call = &batch->calls.list[batch->first];
	struct db_part part = { 0 };

	while (db_part_next(&part, &batch->rows, &batch->runs)) {
		const struct db_rows *rows = &(call++)->rows;
		if (rows->count < part.count)
			return error_set(batch->error, STATUS_FATAL,
					 "enqueue: %zu rows for %u jobs", rows->count, part.count);
		/* Before them there may be older jobs that share an active_job_id. */
		for (size_t i = 0; i < part.count; i++)
			batch->results[part.first + i].id =
				db_int(rows, rows->count - part.count + i, ENQUEUE_JOB_ID);
		if (batch->runs.count > 0)
			take_deleted(batch, &(call++)->rows, (struct enqueued){ .repeated = true });
	}
	return STATUS_OK;
}

/* limits */

static enum status lock_slots(struct batch *batch)
{
	slots_find_new(&batch->slots, batch->jobs, batch->count, batch->now);
	slots_before(&batch->slots, &batch->calls);
	return STATUS_OK;
}

static enum status add_keys(struct batch *batch, size_t at)
{
	const struct new_job *job = &batch->jobs[at];

	for (size_t i = 0; i < job->more_count; i++)
		if (slots_differ(job, i))
			DB_ADD(&batch->keys, key_row,
			       .active_job_id = P_TEXT(batch->results[at].active_job_id),
			       .position = P_INT(i + 1), .key = P_TEXT(job->more_keys[i]));
	return STATUS_OK;
}

static enum status insert_keys(struct batch *batch)
{
	struct db_part part = { 0 };

	while (db_part_next(&part, &batch->keys, NULL))
		db_calls_add(&batch->calls,
			     DB_CALL(enqueue_keys, .keys = P_PART(&batch->keys, part),
				     .now = P_TIME(batch->now)));
	return STATUS_OK;
}

static enum status admit(struct batch *batch)
{
	slots_after(&batch->slots, &batch->calls);
	return slots_conflict(&batch->slots, &batch->calls, batch->error);
}

static enum status take_discarded(struct batch *batch)
{
	if (batch->slots.keys.count > 0)
		take_deleted(batch, &batch->calls.list[batch->slots.conflict].rows,
			     (struct enqueued){ .discarded = true });
	return STATUS_OK;
}

/* all of it */

static enum status add_more(struct batch *batch)
{
	if (batch->more)
		batch->more(batch->data, batch->now, &batch->calls);
	return STATUS_OK;
}

static const struct enqueue_step steps[] = {
	{ .call = lock_slots },
	{ .look = look_at_names },
	{ .look = look_when_due },
	{ .look = look_at_payload },
	{ .look = add_row, .call = insert_rows, .take = take_ids },
	{ .look = add_keys, .call = insert_keys },
	{ .look = add_occurrence, .call = add_more },
	{ .call = admit, .take = take_discarded },
};

#define STEPS (sizeof(steps) / sizeof(steps[0]))

static enum status look_at_jobs(struct batch *batch)
{
	enum status status = STATUS_OK;

	for (size_t at = 0; at < batch->count && status == STATUS_OK; at++) {
		batch->results[at] = (struct enqueued){ .created_at = batch->now };
		for (size_t i = 0; i < STEPS && status == STATUS_OK; i++)
			status = steps[i].look ? steps[i].look(batch, at) : STATUS_OK;
		batch->results[at].refused = status == STATUS_INVALID;
		if (status != STATUS_OK && batch->count > 1)
			(void)error_prefix(batch->error, "job %zu", at + 1);
	}
	return status;
}

static enum status insert(struct batch *batch)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < STEPS && status == STATUS_OK; i++)
		status = steps[i].call ? steps[i].call(batch) : STATUS_OK;
	if (status == STATUS_OK)
		status = slots_run_new(&batch->slots, &batch->calls, batch->error);
	for (size_t i = 0; i < STEPS && status == STATUS_OK; i++)
		status = steps[i].take ? steps[i].take(batch) : STATUS_OK;
	return status;
}

/* The commit is uncertain: the jobs' own IDs tell whether it took place. */
static enum status resolve(const struct batch *batch)
{
	struct error found = { 0 };
	enum status status = enqueue_resolve(batch->db, batch->results, batch->count, &found);

	if (status == STATUS_NONE)
		return error_set(batch->error, STATUS_DOWN,
				 "the connection was lost before anything was enqueued");
	return status == STATUS_OK ? status : error_set(batch->error, status, "%s", found.text);
}

/* The batch has only db, jobs, results, more and error set. */
static enum status enqueue_batch(struct batch batch)
{
	struct arena *arena = arena_new();

	batch.arena = batch.rows.arena = batch.keys.arena = batch.runs.arena = arena;
	batch.calls.arena = arena;
	batch.now = db_now(batch.db);
	batch.slots = (struct slots){ .db = batch.db, .arena = arena, .now = batch.now };
	enum status status = look_at_jobs(&batch);

	if (status == STATUS_OK && batch.count > 0)
		status = insert(&batch);
	if (status == STATUS_UNCERTAIN && batch.runs.count == 0)
		status = resolve(&batch);
	arena_free(arena);
	return status;
}

enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error)
{
	return enqueue_batch((struct batch){
		.db = db, .jobs = jobs, .results = results, .count = count, .error = error });
}

enum status enqueue_with(struct db *db, const struct new_job *job, enqueue_more *more, void *data,
			 struct enqueued *result, struct error *error)
{
	return enqueue_batch((struct batch){ .db = db,
					     .jobs = job,
					     .results = result,
					     .count = 1,
					     .more = more,
					     .data = data,
					     .error = error });
}
