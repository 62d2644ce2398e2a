#include <stdio.h>
#include <string.h>

#include "library/client.h"
#include "queue/enqueue/enqueue.h"

/* One dray_enqueue_all or dray_resolve. */
struct enqueueing {
	struct dray_new_job *jobs; /* the caller's, with the size that the caller knows */
	size_t count;
	struct enqueued *results; /* in the client's arena; NULL until they are made */
};

static struct dray_new_job *job_at(const struct enqueueing *enqueueing, size_t at)
{
	return (struct dray_new_job *)((char *)enqueueing->jobs + at * enqueueing->jobs->size);
}

static enum status read_job(const struct enqueueing *enqueueing, size_t at, struct new_job *job,
			    struct error *error)
{
	static const struct client_struct which = { .macro = "DRAY_NEW_JOB",
						    .known = sizeof(struct dray_new_job),
						    .least = sizeof(struct dray_new_job) };
	struct dray_new_job own;
	enum status status = client_read(&which, job_at(enqueueing, at), &own, error);

	if (status != STATUS_OK)
		return status;
	if (own.size != enqueueing->jobs->size)
		return error_set(error, STATUS_INVALID, "its size differs from the first job's");
	if (own.timeout < 0)
		return error_set(error, STATUS_INVALID, "the timeout is negative");
	*job = (struct new_job){ .class_name = own.class_name,
				 .arguments = own.arguments,
				 .queue = own.queue,
				 .has_priority = own.priority != 0,
				 .priority = own.priority,
				 .at = own.at,
				 .delay = own.delay,
				 .timeout = own.timeout,
				 .concurrency_key = own.concurrency_key };
	return STATUS_OK;
}

/* Every job is checked before a result is written into any of them. */
static enum status read_jobs(const struct enqueueing *enqueueing, struct new_job list[],
			     struct error *error)
{
	if (!enqueueing->jobs)
		return error_set(error, STATUS_INVALID, "the jobs are missing");
	for (size_t i = 0; i < enqueueing->count; i++) {
		enum status status = read_job(enqueueing, i, &list[i], error);
		if (status != STATUS_OK)
			return error_prefix(error, "job %zu", i + 1);
	}
	return STATUS_OK;
}

static void write_results(const struct enqueueing *enqueueing)
{
	for (size_t i = 0; i < enqueueing->count; i++) {
		struct dray_new_job *job = job_at(enqueueing, i);
		const struct enqueued *result = &enqueueing->results[i];
		job->id = result->id;
		job->created_at = result->created_at;
		memcpy(job->active_job_id, result->active_job_id, sizeof(job->active_job_id));
	}
}

_Static_assert(sizeof(((struct enqueued *)NULL)->active_job_id) ==
		       sizeof(((struct dray_new_job *)NULL)->active_job_id),
	       "the ids are copied whole");

static enum status enqueue_jobs(struct dray_client *client, void *args, struct error *error)
{
	struct enqueueing *enqueueing = args;
	size_t count = enqueueing->count;

	if (count == 0)
		return STATUS_OK;
	struct new_job *list = arena_array(client->arena, count, sizeof(*list));
	struct enqueued *results = arena_array(client->arena, count, sizeof(*results));
	enum status status = read_jobs(enqueueing, list, error);
	if (status != STATUS_OK)
		return status;
	enqueueing->results = results;
	write_results(enqueueing); /* clears what an earlier call left */
	return enqueue(client->db, list, count, results, error);
}

enum dray_status dray_enqueue_all(struct dray_client *client, struct dray_new_job jobs[],
				  size_t count, struct dray_error *error)
{
	struct enqueueing enqueueing = { .jobs = jobs, .count = count };
	enum dray_status status = client_call(client, enqueue_jobs, &enqueueing, error);
	bool written = status == DRAY_STATUS_OK || status == DRAY_STATUS_UNCERTAIN ||
		       status == DRAY_STATUS_MEMORY;

	if (written && enqueueing.results)
		write_results(&enqueueing);
	return status;
}

enum dray_status dray_enqueue(struct dray_client *client, struct dray_new_job *job,
			      struct dray_error *error)
{
	return dray_enqueue_all(client, job, 1, error);
}

/* False when some job never got its ID: then none was sent. */
static bool collect(const struct enqueueing *enqueueing, struct enqueued results[])
{
	for (size_t i = 0; i < enqueueing->count; i++) {
		const struct dray_new_job *job = job_at(enqueueing, i);
		if (job->active_job_id[0] == '\0')
			return false;
		results[i].created_at = job->created_at;
		(void)snprintf(results[i].active_job_id, sizeof(results[i].active_job_id), "%s",
			       job->active_job_id);
	}
	return true;
}

static enum status resolve_jobs(struct dray_client *client, void *args, struct error *error)
{
	struct enqueueing *enqueueing = args;
	size_t count = enqueueing->count;

	if (count == 0)
		return STATUS_OK;
	struct new_job *list = arena_array(client->arena, count, sizeof(*list));
	struct enqueued *results = arena_array(client->arena, count, sizeof(*results));
	enum status status = read_jobs(enqueueing, list, error);
	if (status != STATUS_OK)
		return status;
	if (!collect(enqueueing, results))
		return error_set(error, STATUS_NONE, "nothing was enqueued");
	status = enqueue_resolve(client->db, results, count, error);
	if (status == STATUS_OK) {
		enqueueing->results = results;
		write_results(enqueueing);
	}
	return status;
}

enum dray_status dray_resolve(struct dray_client *client, struct dray_new_job jobs[], size_t count,
			      struct dray_error *error)
{
	struct enqueueing enqueueing = { .jobs = jobs, .count = count };

	return client_call(client, resolve_jobs, &enqueueing, error);
}
