/*
 * Jobs in: any number of them in one transaction, in chunks that fit into a server's packet.
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
#include "queue/chunks.h"
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
	const char *json;
	int64_t horizon; /* transactions in progress at the first look are up to it; 0 = none */
	bool looked;
};

static const char *ids_json(struct arena *arena, const struct enqueued jobs[], size_t count)
{
	struct text json = { 0 };

	for (size_t i = 0; i < count; i++) {
		text_add(&json, i == 0 ? "[{\"active_job_id\":" : ",{\"active_job_id\":");
		text_json(&json, jobs[i].active_job_id);
		text_add(&json, "}");
	}
	text_add(&json, "]");
	const char *copy = arena_strndup(arena, json.data, json.length);
	text_free(&json);
	return copy;
}

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
	struct db_rows rows = { 0 };
	enum status status = db_settled(search->db, error);

	if (status == STATUS_OK)
		status = db_query(search->db, search->arena,
				  DB_CALL(found, .jobs = P_TEXT(search->json),
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
		search->json = ids_json(search->arena, search->jobs, search->count);
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

	search.json = ids_json(search.arena, jobs, count);
	enum status status = count > 0 ? look_until(&search, deadline, &why) : STATUS_OK;
	arena_free(search.arena);
	if (status == STATUS_OK)
		return status;
	if (status == STATUS_NONE)
		return error_set(error, status, "nothing was enqueued");
	return error_set(error, STATUS_UNCERTAIN, "it is unknown whether anything was enqueued: %s",
			 why.text);
}

/* A batch of jobs. */

#define NAME_MAXIMUM 255 /* MySQL's varchar; counted in characters */

/* One enqueue in progress. */
struct batch {
	struct arena *arena;
	struct db *db;
	int64_t now;
	struct chunks chunks;
	struct chunks keys; /* the further keys of jobs that have several */
	struct chunks runs; /* occurrences of recurring tasks: of each chunk's jobs */
	struct slots slots;
	enqueue_more *more; /* adds calls of its own */
	void *data;         /* NULL = none */
	struct error *error;
};

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

static enum status check(const struct batch *batch, const struct new_job *job, const char *queue)
{
	enum status status = name_check("class", job->class_name, batch->error);

	if (status == STATUS_OK)
		status = name_check("queue", queue, batch->error);
	if (status == STATUS_OK && job->concurrency_key)
		status = name_check("concurrency key", job->concurrency_key, batch->error);
	for (size_t i = 0; i < job->more_count && status == STATUS_OK; i++)
		status = name_check("concurrency key", job->more_keys[i], batch->error);
	if (status == STATUS_OK && job->timeout > 0 && job->timeout > task_most(TASK_TIMEOUT))
		status = error_set(batch->error, STATUS_INVALID, "the timeout is longer than %s",
				   task_keys[TASK_TIMEOUT].most);
	return status;
}

/* A given payload is stored as it is; its job_id becomes the column's. */
static enum status take_payload(const struct batch *batch, const char *text, char id[40],
				const char **out)
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
	*out = text;
	return status;
}

static enum status make_payload(const struct batch *batch, const struct new_job *job,
				const char *queue, int64_t scheduled_at, char id[40],
				const char **out)
{
	char priority[16];
	const char *arguments = NULL;

	if (job->payload)
		return take_payload(batch, job->payload, id, out);
	if (job->arguments) {
		enum status status =
			payload_arguments(batch->arena, job->arguments, &arguments, batch->error);
		if (status != STATUS_OK)
			return status;
	}
	uuid_v7(batch->now, id);
	snprintf(priority, sizeof(priority), "%d", job->priority);
	const struct payload_parts parts = { .class_name = job->class_name,
					     .active_job_id = id,
					     .queue = queue,
					     .priority = job->has_priority ? priority : NULL,
					     .arguments = arguments,
					     .enqueued_at = batch->now,
					     .scheduled_at = scheduled_at,
					     .timeout = job->timeout };
	return payload_build(batch->arena, &parts, out, batch->error);
}

static enum status due_at(const struct batch *batch, const struct new_job *job, int64_t *out)
{
	int64_t at = job->at;

	if (at <= 0 && __builtin_add_overflow(batch->now, job->delay, &at))
		at = INT64_MAX;
	if (at > CLOCK_LAST)
		return error_set(batch->error, STATUS_INVALID,
				 "the time it is due lies after the year 9999");
	*out = at > batch->now ? at : batch->now;
	return STATUS_OK;
}

static void add_keys(struct batch *batch, const struct new_job *job, const char *id)
{
	for (size_t i = 0; i < job->more_count; i++) {
		if (!slots_differ(job, i))
			continue;
		struct text *json = chunks_next(&batch->keys);
		text_printf(json, "{\"position\":%zu", i + 1);
		text_json_member(json, "active_job_id", id);
		text_json_member(json, "key", job->more_keys[i]);
		text_add(json, "}");
	}
}

static void add_run(struct batch *batch, const struct new_job *job, const char *id)
{
	char time[CLOCK_TEXT_SIZE];

	if (!job->task_key)
		return;
	if (batch->runs.count < batch->chunks.count)
		chunks_cut(&batch->runs);
	struct text *json = chunks_next(&batch->runs);
	clock_format_short(job->run_at, time);
	text_add(json, "{\"active_job_id\":");
	text_json(json, id);
	text_json_member(json, "task_key", job->task_key);
	text_json_member(json, "run_at", time);
	text_json_member(json, "outcome", job->outcome ? job->outcome : "enqueued");
	clock_format_short(job->task_since, time);
	if (job->task_since > 0)
		text_json_member(json, "since", time);
	text_add(json, job->task_dynamic ? ",\"dynamic\":1}" : "}");
}

/* Where to write the next job. A chunk of jobs ends where its chunk of occurrences does. */
static struct text *next_job(struct batch *batch)
{
	if (batch->runs.json.length >= CHUNK_BYTES)
		chunks_cut(&batch->chunks);
	return chunks_next(&batch->chunks);
}

/* Adds the job's object to the list. */
static enum status add_job(struct batch *batch, const struct new_job *job, struct enqueued *result)
{
	const char *queue = job->queue ? job->queue : "default";
	int64_t scheduled_at = 0;
	const char *payload;
	char time[CLOCK_TEXT_SIZE];
	enum status status = check(batch, job, queue);

	*result = (struct enqueued){ .created_at = batch->now };
	if (status == STATUS_OK)
		status = due_at(batch, job, &scheduled_at);
	if (status == STATUS_OK)
		status = make_payload(batch, job, queue, scheduled_at, result->active_job_id,
				      &payload);
	if (status != STATUS_OK)
		return status;
	if (strlen(payload) > db_text_maximum(batch->db))
		return error_set(batch->error, STATUS_INVALID,
				 "the payload has %zu bytes, this database's column holds %zu",
				 strlen(payload), db_text_maximum(batch->db));
	clock_format_short(scheduled_at, time);
	struct text *json = next_job(batch);
	text_printf(json, "{\"position\":%zu,\"priority\":%d", batch->chunks.filled,
		    job->has_priority ? job->priority : 0);
	text_json_member(json, "queue_name", queue);
	text_json_member(json, "class_name", job->class_name);
	text_json_member(json, "arguments", payload);
	text_json_member(json, "active_job_id", result->active_job_id);
	text_json_member(json, "scheduled_at", time);
	if (job->concurrency_key)
		text_json_member(json, "concurrency_key", job->concurrency_key);
	text_add(json, "}");
	add_keys(batch, job, result->active_job_id);
	add_run(batch, job, result->active_job_id);
	return STATUS_OK;
}

static enum status add_jobs(struct batch *batch, const struct new_job jobs[], size_t count,
			    struct enqueued results[])
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		status = add_job(batch, &jobs[i], &results[i]);
		/* recurring_record looks at all the jobs that enqueue has inserted before it. */
		if (status == STATUS_OK && !jobs[i].task_key != !jobs[0].task_key)
			status = error_set(batch->error, STATUS_INVALID,
					   "some jobs have a recurring task, and others none");
		results[i].refused = status == STATUS_INVALID;
		if (status != STATUS_OK && count > 1)
			(void)error_prefix(batch->error, "job %zu", i + 1);
	}
	return status;
}

/* Occurrences are recorded right after their jobs, and so before slots: a repeated job gets none.
 */
static void add_calls(const struct batch *batch, struct db_calls *calls)
{
	const struct db_value now = P_TIME(batch->now);

	for (size_t i = 0; i < batch->chunks.count; i++) {
		struct db_call call =
			DB_CALL(enqueue, .jobs = P_TEXT(batch->chunks.list[i].json), .now = now);
		if (batch->slots.keys.count > 0)
			call.operation = DB_LIKE(enqueue_limited, enqueue);
		db_calls_add(calls, call);
		if (batch->runs.count > 0)
			db_calls_add(calls,
				     DB_CALL(recurring_record,
					     .runs = P_TEXT(batch->runs.list[i].json), .now = now));
	}
	for (size_t i = 0; i < batch->keys.count; i++)
		db_calls_add(calls, DB_CALL(enqueue_keys, .keys = P_TEXT(batch->keys.list[i].json),
					    .now = now));
	if (batch->more)
		batch->more(batch->data, batch->now, calls);
}

static size_t calls_of_chunk(const struct batch *batch)
{
	return batch->runs.count > 0 ? 2 : 1;
}

DB_ALIKE(enqueue, enqueue_limited);

static enum status take_ids(const struct batch *batch, const struct db_call calls[],
			    struct enqueued results[])
{
	const struct chunks *chunks = &batch->chunks;

	for (size_t i = 0; i < chunks->count; i++) {
		const struct db_rows *rows = &calls[i * calls_of_chunk(batch)].rows;
		size_t wanted = chunks->list[i].count;
		if (rows->count < wanted)
			return error_set(batch->error, STATUS_FATAL,
					 "enqueue: %zu rows for %zu jobs", rows->count, wanted);
		/* Before them there may be older jobs that share an active_job_id. */
		for (size_t row = rows->count - wanted; row < rows->count; row++)
			(results++)->id = db_int(rows, row, ENQUEUE_JOB_ID);
	}
	return STATUS_OK;
}

DB_ALIKE(slots_conflict, recurring_record);

/* Jobs that on_conflict, or their record, deleted again: their results are changed. */
static void take_deleted(const struct db_rows *deleted, struct enqueued results[], size_t count,
			 struct enqueued gone)
{
	for (size_t row = 0; row < deleted->count; row++) {
		int64_t id = db_int(deleted, row, SLOTS_CONFLICT_JOB_ID);
		for (size_t i = 0; i < count; i++) {
			gone.created_at = results[i].created_at;
			if (results[i].id == id)
				results[i] = gone;
		}
	}
}

static void take_repeated(const struct batch *batch, const struct db_call calls[],
			  struct enqueued results[], size_t count)
{
	for (size_t i = 0; i < batch->runs.count; i++)
		take_deleted(&calls[2 * i + 1].rows, results, count,
			     (struct enqueued){ .repeated = true });
}

static enum status insert(struct batch *batch, struct enqueued results[], size_t count)
{
	struct db_calls calls = { .arena = batch->arena };

	slots_before(&batch->slots, &calls);
	size_t first = calls.count;
	add_calls(batch, &calls);
	slots_after(&batch->slots, &calls);
	enum status status = slots_conflict(&batch->slots, &calls, batch->error);
	if (status == STATUS_OK)
		status = slots_run_new(&batch->slots, &calls, batch->error);
	if (status == STATUS_OK)
		status = take_ids(batch, &calls.list[first], results);
	if (status == STATUS_OK)
		take_repeated(batch, &calls.list[first], results, count);
	if (status == STATUS_OK && batch->slots.keys.count > 0)
		take_deleted(&calls.list[batch->slots.conflict].rows, results, count,
			     (struct enqueued){ .discarded = true });
	return status;
}

/* The commit is uncertain: the jobs' own IDs tell whether it took place. */
static enum status resolve(const struct batch *batch, size_t count, struct enqueued results[])
{
	struct error found = { 0 };
	enum status status = enqueue_resolve(batch->db, results, count, &found);

	if (status == STATUS_NONE)
		return error_set(batch->error, STATUS_DOWN,
				 "the connection was lost before anything was enqueued");
	return status == STATUS_OK ? status : error_set(batch->error, status, "%s", found.text);
}

/* The batch has only db, more and error set. */
static enum status enqueue_batch(struct batch batch, const struct new_job jobs[], size_t count,
				 struct enqueued results[])
{
	struct arena *arena = arena_new();

	batch.arena = batch.chunks.arena = batch.keys.arena = batch.runs.arena = arena;
	batch.now = db_now(batch.db);
	batch.slots = (struct slots){ .db = batch.db, .arena = arena, .now = batch.now };
	enum status status = count > 0 ? add_jobs(&batch, jobs, count, results) : STATUS_OK;

	chunks_end(&batch.chunks);
	chunks_end(&batch.keys);
	chunks_end(&batch.runs);
	slots_find_new(&batch.slots, jobs, status == STATUS_OK ? count : 0, batch.now);
	if (status == STATUS_OK && count > 0)
		status = insert(&batch, results, count);
	if (status == STATUS_UNCERTAIN && batch.runs.count == 0)
		status = resolve(&batch, count, results);
	arena_free(batch.arena);
	return status;
}

enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error)
{
	return enqueue_batch((struct batch){ .db = db, .error = error }, jobs, count, results);
}

enum status enqueue_with(struct db *db, const struct new_job *job, enqueue_more *more, void *data,
			 struct enqueued *result, struct error *error)
{
	const struct batch batch = { .db = db, .more = more, .data = data, .error = error };

	return enqueue_batch(batch, job, 1, result);
}
