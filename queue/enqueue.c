#include "queue/enqueue.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/parse.h"
#include "common/text.h"
#include "common/uuid.h"
#include "queue/payload.h"

#define NAME_MAXIMUM 255 /* MySQL's varchar; counted in characters */

/* A statement's values must fit into the server's largest packet: 16 MiB where it is smallest. */
#define PART_BYTES ((size_t)4 << 20)

/* As many jobs as one statement takes, as a JSON array. */
struct part {
	const char *json;
	size_t count;
};

/* One enqueue under way. */
struct batch {
	struct arena *arena;
	struct db *db;
	int64_t now;
	struct part *parts;
	size_t part_count;
	struct text json; /* of the part being filled */
	size_t json_count;
	struct error *error;
};

static size_t characters(const char *text)
{
	size_t count = 0;

	for (; *text != '\0'; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

static enum status check_name(const char *what, const char *name, struct error *error)
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
	enum status status = check_name("class", job->class_name, batch->error);

	if (status == STATUS_OK)
		status = check_name("queue", queue, batch->error);
	if (status == STATUS_OK && job->concurrency_key)
		status = check_name("concurrency key", job->concurrency_key, batch->error);
	return status;
}

/* A foreign payload is stored as it is; its job_id becomes the column's. */
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
					     .scheduled_at = scheduled_at };
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

static void add_text(struct text *json, const char *key, const char *value)
{
	text_printf(json, ",\"%s\":", key);
	text_json(json, value);
}

static void end_part(struct batch *batch)
{
	struct part *part = &batch->parts[batch->part_count++];

	text_add(&batch->json, "]");
	part->json = arena_strndup(batch->arena, batch->json.data, batch->json.length);
	part->count = batch->json_count;
	text_clear(&batch->json);
	batch->json_count = 0;
}

/* Adds the job's object to the part being filled. */
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
	text_printf(&batch->json, "%s{\"position\":%zu,\"priority\":%d",
		    batch->json_count > 0 ? "," : "[", batch->json_count,
		    job->has_priority ? job->priority : 0);
	add_text(&batch->json, "queue_name", queue);
	add_text(&batch->json, "class_name", job->class_name);
	add_text(&batch->json, "arguments", payload);
	add_text(&batch->json, "active_job_id", result->active_job_id);
	add_text(&batch->json, "scheduled_at", time);
	if (job->concurrency_key)
		add_text(&batch->json, "concurrency_key", job->concurrency_key);
	text_add(&batch->json, "}");
	batch->json_count++;
	return STATUS_OK;
}

static enum status add_jobs(struct batch *batch, const struct new_job jobs[], size_t count,
			    struct enqueued results[])
{
	batch->parts = arena_array(batch->arena, count, sizeof(*batch->parts));
	for (size_t i = 0; i < count; i++) {
		enum status status = add_job(batch, &jobs[i], &results[i]);
		if (status != STATUS_OK)
			return count == 1 ? status : error_prefix(batch->error, "job %zu", i + 1);
		if (batch->json.length >= PART_BYTES || i + 1 == count)
			end_part(batch);
	}
	return STATUS_OK;
}

/* Every part has its own statements; all of them are one transaction. */
static enum status insert(struct batch *batch, struct enqueued results[])
{
	size_t parts = batch->part_count;
	struct db_call *calls = arena_array(batch->arena, parts, sizeof(*calls));

	for (size_t i = 0; i < parts; i++) {
		struct db_value *values = arena_array(batch->arena, 2, sizeof(*values));
		values[0] = (struct db_value)DB_P_TEXT("jobs", batch->parts[i].json);
		values[1] = (struct db_value)DB_P_TIME("now", batch->now);
		calls[i] = (struct db_call){ .operation = "enqueue", .values = values, .count = 2 };
	}
	enum status status = db_run(batch->db, batch->arena, calls, parts, batch->error);
	for (size_t i = 0; i < parts && status == STATUS_OK; i++) {
		if (calls[i].rows.count != batch->parts[i].count)
			return error_set(batch->error, STATUS_FATAL,
					 "enqueue: %zu rows for %zu jobs", calls[i].rows.count,
					 batch->parts[i].count);
		for (size_t row = 0; row < calls[i].rows.count; row++)
			(results++)->id = db_int(&calls[i].rows, row, 0);
	}
	return status;
}

/* The commit's answer was lost: the jobs' own ids tell whether it took place. */
static enum status resolve(const struct batch *batch, size_t count, struct enqueued results[])
{
	struct error found = { 0 };
	enum status status = enqueue_resolve(batch->db, results, count, &found);

	if (status == STATUS_NONE)
		return error_set(batch->error, STATUS_DOWN,
				 "the connection was lost before anything was enqueued");
	return status == STATUS_OK ? status : error_set(batch->error, status, "%s", found.text);
}

enum status enqueue(struct db *db, const struct new_job jobs[], size_t count,
		    struct enqueued results[], struct error *error)
{
	struct batch batch = { .arena = arena_new(), .db = db, .now = db_now(db), .error = error };
	enum status status = count > 0 ? add_jobs(&batch, jobs, count, results) : STATUS_OK;

	if (status == STATUS_OK && count > 0)
		status = insert(&batch, results);
	if (status == STATUS_UNCERTAIN)
		status = resolve(&batch, count, results);
	text_free(&batch.json);
	arena_free(batch.arena);
	return status;
}
