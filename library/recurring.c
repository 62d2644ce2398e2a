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

/* NULL leaves the value, "" restores the default. */
static void set_text(const char **text, const char *given)
{
	if (given)
		*text = *given != '\0' ? given : NULL;
}

/* 0 leaves the value, a negative one restores the default. */
static void set_span(int64_t *span, int64_t given)
{
	if (given != 0)
		*span = given > 0 ? given : 0;
}

static void set_numbers(const struct dray_recurring *given, struct recurring_task *task,
			struct recurring_options *options)
{
	set_span(&options->misfire_window, given->misfire_window);
	set_span(&options->jitter, given->jitter);
	set_span(&options->timeout, given->timeout);
	if (given->misfire_limit != 0)
		options->misfire_limit = given->misfire_limit > 0 ? given->misfire_limit : 0;
	if (given->priority != 0) {
		task->has_priority = true;
		task->priority = given->priority;
	}
	if (given->enabled != 0)
		options->disabled = given->enabled < 0;
}

static bool is_given(const char *text)
{
	return text && *text != '\0';
}

static enum status set_arguments(struct arena *arena, struct recurring_task *task,
				 const char *given, struct error *error)
{
	if (!given)
		return STATUS_OK;
	task->arguments = NULL;
	return *given != '\0' ? recurring_arguments_store(arena, given, &task->arguments, error)
			      : STATUS_OK;
}

/* A class replaces a command, and a command replaces a class. */
static enum status set_work(struct arena *arena, struct recurring_task *task,
			    const struct dray_recurring *given, struct error *error)
{
	if (given->class_name || given->command)
		recurring_command_unset(task);
	if (!is_given(given->command)) {
		set_text(&task->class_name, given->class_name);
		return set_arguments(arena, task, given->arguments, error);
	}
	if (is_given(given->class_name) || is_given(given->arguments))
		return error_set(error, STATUS_INVALID,
				 "a command is given beside a class or arguments, expected one of "
				 "them");
	return recurring_command_set(arena, given->command, task, error);
}

static enum status set_all(struct arena *arena, struct recurring_task *task,
			   struct recurring_options *options, void *input, struct error *error)
{
	const struct dray_recurring *given = input;

	set_text(&task->schedule, given->schedule);
	set_text(&task->queue, given->queue);
	set_text(&task->description, given->description);
	set_text(&options->time_zone, given->time_zone);
	set_text(&options->dst_gap, given->dst_gap);
	set_text(&options->dst_overlap, given->dst_overlap);
	set_text(&options->misfire, given->misfire);
	set_text(&options->overlap, given->overlap);
	set_text(&options->start_at, given->start_at);
	set_text(&options->end_at, given->end_at);
	set_numbers(given, task, options);
	return set_work(arena, task, given, error);
}

static enum status add(struct dray_client *client, void *args, struct error *error)
{
	struct recurring_task task = { 0 };
	struct recurring_options options = { 0 };
	struct dray_recurring own;
	struct author author;
	enum status status = read_task(args, &own, error);

	if (status == STATUS_OK)
		status = set_all(client->arena, &task, &options, &own, error);
	if (status != STATUS_OK)
		return status;
	task.key = own.key;
	return recurring_add(client->db, &task, &options, sign(&author, NULL), error);
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
	return recurring_change(client->db, own.key, set_all, &own, sign(&author, NULL), error);
}

enum dray_status dray_recurring_change(struct dray_client *client,
				       const struct dray_recurring *task, struct dray_error *error)
{
	return client_call(client, change, (void *)task, error);
}

struct action {
	const char *key;
	const char *reason;
	int64_t job_id; /* result */
};

static enum status check_key(const struct action *action, struct error *error)
{
	if (action->key && *action->key != '\0')
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "the task's key is missing");
}

static enum status remove_task(struct dray_client *client, void *args, struct error *error)
{
	const struct action *action = args;
	struct author author;
	enum status status = check_key(action, error);

	return status == STATUS_OK
		       ? recurring_remove(client->db, action->key, sign(&author, NULL), error)
		       : status;
}

enum dray_status dray_recurring_remove(struct dray_client *client, const char *key,
				       struct dray_error *error)
{
	struct action action = { .key = key };

	return client_call(client, remove_task, &action, error);
}

static enum status pause_task(struct dray_client *client, void *args, struct error *error)
{
	const struct action *action = args;
	struct author author;
	bool changed;
	enum status status = check_key(action, error);

	if (status == STATUS_OK)
		status = recurring_pause(client->db, action->key, sign(&author, action->reason),
					 &changed, error);
	return status;
}

enum dray_status dray_recurring_pause(struct dray_client *client, const char *key,
				      const char *reason, struct dray_error *error)
{
	struct action action = { .key = key, .reason = reason };

	return client_call(client, pause_task, &action, error);
}

static enum status resume_task(struct dray_client *client, void *args, struct error *error)
{
	const struct action *action = args;
	struct author author;
	bool changed;
	enum status status = check_key(action, error);

	if (status == STATUS_OK)
		status = recurring_resume(client->db, action->key, sign(&author, NULL), &changed,
					  error);
	return status;
}

enum dray_status dray_recurring_resume(struct dray_client *client, const char *key,
				       struct dray_error *error)
{
	struct action action = { .key = key };

	return client_call(client, resume_task, &action, error);
}

static enum status run_task(struct dray_client *client, void *args, struct error *error)
{
	struct action *action = args;
	struct recurring_ran ran = { 0 };
	struct author author;
	enum status status = check_key(action, error);

	if (status == STATUS_OK)
		status = recurring_run_now(client->db, action->key, NULL, sign(&author, NULL), &ran,
					   error);
	action->job_id = ran.job.id;
	return status;
}

enum dray_status dray_recurring_run(struct dray_client *client, const char *key, int64_t *job_id,
				    struct dray_error *error)
{
	struct action action = { .key = key };
	enum dray_status status = client_call(client, run_task, &action, error);

	if (status == DRAY_STATUS_OK && job_id)
		*job_id = action.job_id;
	return status;
}
