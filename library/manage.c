#include <string.h>

#include "library/client.h"
#include "queue/enqueue/enqueue.h"
#include "queue/manage/manage.h"

struct finding {
	int64_t id;
	struct dray_job_info *info;
};

static const enum dray_state states[JOB_STATES + 1] = {
	[JOB_READY] = DRAY_STATE_READY,     [JOB_SCHEDULED] = DRAY_STATE_SCHEDULED,
	[JOB_CLAIMED] = DRAY_STATE_CLAIMED, [JOB_BLOCKED] = DRAY_STATE_BLOCKED,
	[JOB_FAILED] = DRAY_STATE_FAILED,   [JOB_FINISHED] = DRAY_STATE_FINISHED,
	[JOB_STATES] = DRAY_STATE_UNKNOWN,
};

static enum status find(struct dray_client *client, void *args, struct error *error)
{
	static const struct client_struct which = { .macro = "DRAY_JOB_INFO",
						    .known = sizeof(struct dray_job_info),
						    .least = sizeof(struct dray_job_info) };
	struct finding *finding = args;
	struct dray_job_info own;
	struct job job;
	enum status status = client_read(&which, finding->info, &own, error);

	if (status == STATUS_OK)
		status = job_find(client->db, client->arena, finding->id, &job, error);
	if (status != STATUS_OK)
		return status;
	const struct dray_job_info found = { .size = finding->info->size,
					     .id = job.id,
					     .class_name = job.class_name,
					     .queue = job.queue,
					     .active_job_id = job.active_job_id,
					     .concurrency_key = job.concurrency_key,
					     .payload = job.payload,
					     .failure = job.error,
					     .created_at = job.created_at,
					     .scheduled_at = job.scheduled_at,
					     .finished_at = job.finished_at,
					     .since = job.since,
					     .priority = job.priority,
					     .state = states[job.state] };
	memcpy(finding->info, &found, sizeof(found));
	return STATUS_OK;
}

enum dray_status dray_find(struct dray_client *client, int64_t id, struct dray_job_info *info,
			   struct dray_error *error)
{
	struct finding finding = { .id = id, .info = info };

	return client_call(client, find, &finding, error);
}

static enum status retry(struct dray_client *client, void *args, struct error *error)
{
	return job_retry(client->db, *(const int64_t *)args, error);
}

enum dray_status dray_retry(struct dray_client *client, int64_t id, struct dray_error *error)
{
	return client_call(client, retry, &id, error);
}

static enum status discard(struct dray_client *client, void *args, struct error *error)
{
	return job_discard(client->db, *(const int64_t *)args, error);
}

enum dray_status dray_discard(struct dray_client *client, int64_t id, struct dray_error *error)
{
	return client_call(client, discard, &id, error);
}

struct cancelling {
	int64_t id;
	const char *reason;
};

static enum status cancel(struct dray_client *client, void *args, struct error *error)
{
	const struct cancelling *cancelling = args;

	return job_cancel(client->db, cancelling->id, cancelling->reason, error);
}

enum dray_status dray_cancel(struct dray_client *client, int64_t id, const char *reason,
			     struct dray_error *error)
{
	struct cancelling cancelling = { .id = id, .reason = reason };

	return client_call(client, cancel, &cancelling, error);
}

/* Changes one queue. The caller of the API gets OK whether anything changed or not. */
typedef enum status queue_verb(struct db *db, const char *name, bool *changed, struct error *error);

struct queue_change {
	queue_verb *verb;
	const char *queue;
};

static enum status change_queue(struct dray_client *client, void *args, struct error *error)
{
	const struct queue_change *change = args;
	enum status status = name_check("queue", change->queue, error);
	bool changed;

	if (status != STATUS_OK)
		return status;
	return change->verb(client->db, change->queue, &changed, error);
}

enum dray_status dray_pause_queue(struct dray_client *client, const char *queue,
				  struct dray_error *error)
{
	struct queue_change change = { .verb = queue_pause, .queue = queue };

	return client_call(client, change_queue, &change, error);
}

enum dray_status dray_resume_queue(struct dray_client *client, const char *queue,
				   struct dray_error *error)
{
	struct queue_change change = { .verb = queue_resume, .queue = queue };

	return client_call(client, change_queue, &change, error);
}
