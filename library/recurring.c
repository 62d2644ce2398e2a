#include <string.h>

#include "library/client.h"
#include "queue/recurring/task.h"

/* Who does it, for the audit trail: the user of this process. */
struct author {
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
};

static const struct pause_note *sign(struct author *author, const char *reason)
{
	pause_note_init(&author->note, author->who, author->host);
	author->note.reason = reason;
	return &author->note;
}

static enum status read_task(const struct dray_recurring *given, struct dray_recurring *own,
			     struct error *error)
{
	static const struct client_struct which = { .macro = "DRAY_RECURRING",
						    .known = sizeof(struct dray_recurring),
						    .least = sizeof(struct dray_recurring) };
	enum status status = client_read(&which, given, own, error);

	if (status == STATUS_OK && (!own->key || *own->key == '\0'))
		status = error_set(error, STATUS_INVALID, "the task's key is missing");
	return status;
}

static enum status apply(struct arena *arena, struct recurring_task *task, void *input,
			 struct error *error)
{
	const struct dray_recurring *given = input;
	const struct recurring_values values = {
		.schedule = given->schedule,
		.queue = given->queue,
		.description = given->description,
		.class_name = given->class_name,
		.command = given->command,
		.arguments = given->arguments,
		.has_priority = given->priority != 0 ? PRIORITY_GIVEN : PRIORITY_STAYS,
		.priority = given->priority,
		.enabled = given->enabled,
		.options = { .time_zone = given->time_zone,
			     .dst_gap = given->dst_gap,
			     .dst_overlap = given->dst_overlap,
			     .misfire = given->misfire,
			     .misfire_limit = given->misfire_limit,
			     .misfire_window = given->misfire_window,
			     .overlap = given->overlap,
			     .jitter = given->jitter,
			     .timeout = given->timeout,
			     .start_at = given->start_at,
			     .end_at = given->end_at,
			     .late_after = given->late_after,
			     .failures_after = given->failures_after },
	};

	return recurring_apply(&values, arena, task, error);
}

static enum status add(struct dray_client *client, void *args, struct error *error)
{
	struct recurring_task task = { 0 };
	struct dray_recurring own;
	struct author author;
	enum status status = read_task(args, &own, error);

	if (status == STATUS_OK)
		status = apply(client->arena, &task, &own, error);
	if (status != STATUS_OK)
		return status;
	task.key = own.key;
	return recurring_add(client->db, &task, sign(&author, NULL), error);
}

enum dray_status dray_recurring_add(struct dray_client *client, const struct dray_recurring *task,
				    struct dray_error *error)
{
	return client_call(client, add, (void *)task, error);
}

static enum status change(struct dray_client *client, void *args, struct error *error)
{
	struct dray_recurring own;
	struct author author;
	enum status status = read_task(args, &own, error);

	if (status != STATUS_OK)
		return status;
	return recurring_change(client->db, own.key, apply, &own, sign(&author, NULL), error);
}

enum dray_status dray_recurring_change(struct dray_client *client,
				       const struct dray_recurring *task, struct dray_error *error)
{
	return client_call(client, change, (void *)task, error);
}

enum verb { REMOVE, PAUSE, RESUME, RUN };

struct action {
	enum verb verb;
	const char *key;
	const char *reason;
	int64_t job_id; /* result of RUN */
};

static enum status act(struct dray_client *client, void *args, struct error *error)
{
	struct action *action = args;
	struct recurring_ran ran = { 0 };
	struct author author;
	const struct pause_note *note = sign(&author, action->reason);
	enum status status = STATUS_OK;
	bool changed;

	if (!action->key || *action->key == '\0')
		return error_set(error, STATUS_INVALID, "the task's key is missing");
	switch (action->verb) {
	case REMOVE:
		return recurring_remove(client->db, action->key, note, error);
	case PAUSE:
		return recurring_pause(client->db, action->key, note, &changed, error);
	case RESUME:
		return recurring_resume(client->db, action->key, note, &changed, error);
	case RUN:
		status = recurring_run_now(client->db, action->key, NULL, note, &ran, error);
		action->job_id = ran.job.id;
	}
	return status;
}

enum dray_status dray_recurring_remove(struct dray_client *client, const char *key,
				       struct dray_error *error)
{
	return client_call(client, act, &(struct action){ .verb = REMOVE, .key = key }, error);
}

enum dray_status dray_recurring_pause(struct dray_client *client, const char *key,
				      const char *reason, struct dray_error *error)
{
	struct action action = { .verb = PAUSE, .key = key, .reason = reason };

	return client_call(client, act, &action, error);
}

enum dray_status dray_recurring_resume(struct dray_client *client, const char *key,
				       struct dray_error *error)
{
	return client_call(client, act, &(struct action){ .verb = RESUME, .key = key }, error);
}

enum dray_status dray_recurring_run(struct dray_client *client, const char *key, int64_t *job_id,
				    struct dray_error *error)
{
	struct action action = { .verb = RUN, .key = key };
	enum dray_status status = client_call(client, act, &action, error);

	if (status == DRAY_STATUS_OK && job_id)
		*job_id = action.job_id;
	return status;
}
