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

/* One enqueue under way. */
struct batch {
	struct arena *arena;
	struct db *db;
	int64_t now;
	struct text json;
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

static int64_t due_at(const struct batch *batch, const struct new_job *job)
{
	int64_t at = job->at > 0 ? job->at : batch->now + (job->delay > 0 ? job->delay : 0);

	return at > batch->now ? at : batch->now;
}

static void add_text(struct text *json, const char *key, const char *value)
{
	text_printf(json, ",\"%s\":", key);
	text_json(json, value);
}

/* Adds the job's object to the batch's JSON array. */
static enum status add_job(struct batch *batch, const struct new_job *job, size_t position,
			   struct enqueued *result)
{
	const char *queue = job->queue ? job->queue : "default";
	int64_t scheduled_at = due_at(batch, job);
	const char *payload;
	char time[CLOCK_TEXT_SIZE];
	enum status status = check(batch, job, queue);

	*result = (struct enqueued){ .created_at = batch->now };
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
	text_printf(&batch->json, "%s{\"position\":%zu,\"priority\":%d", position > 0 ? "," : "",
		    position, job->has_priority ? job->priority : 0);
	add_text(&batch->json, "queue_name", queue);
	add_text(&batch->json, "class_name", job->class_name);
	add_text(&batch->json, "arguments", payload);
	add_text(&batch->json, "active_job_id", result->active_job_id);
	add_text(&batch->json, "scheduled_at", time);
	if (job->concurrency_key)
		add_text(&batch->json, "concurrency_key", job->concurrency_key);
	text_add(&batch->json, "}");
	return STATUS_OK;
}

static enum status add_jobs(struct batch *batch, const struct new_job jobs[], size_t count,
			    struct enqueued results[])
{
	text_add(&batch->json, "[");
	for (size_t i = 0; i < count; i++) {
		enum status status = add_job(batch, &jobs[i], i, &results[i]);
		if (status != STATUS_OK)
			return count == 1 ? status : error_prefix(batch->error, "job %zu", i + 1);
	}
	text_add(&batch->json, "]");
	return STATUS_OK;
}

static enum status insert(struct batch *batch, size_t count, struct enqueued results[])
{
	const struct db_value values[] = { DB_P_TEXT("jobs", text_string(&batch->json)),
					   DB_P_TIME("now", batch->now) };
	struct db_rows rows;
	enum status status =
		db_query(batch->db, batch->arena, "enqueue", values, 2, &rows, batch->error);

	if (status != STATUS_OK)
		return status;
	if (rows.count != count)
		return error_set(batch->error, STATUS_FATAL, "enqueue: %zu rows for %zu jobs",
				 rows.count, count);
	for (size_t i = 0; i < count; i++)
		results[i].id = db_int(&rows, i, 0);
	return STATUS_OK;
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
		status = insert(&batch, count, results);
	if (status == STATUS_UNCERTAIN)
		status = resolve(&batch, count, results);
	text_free(&batch.json);
	arena_free(batch.arena);
	return status;
}
