#include "cli/jobs/job_json.h"

#include "cli/output/table.h"

json_t *job_json(const struct job *job)
{
	json_t *row = json_object();
	json_t *payload = value_json(job->payload);
	json_t *arguments = json_object_get(payload, "arguments");

	json_object_set_new(row, "id", json_integer(job->id));
	json_object_set_new(row, "class", value_text(job->class_name));
	json_object_set_new(row, "queue", value_text(job->queue));
	json_object_set_new(row, "priority", json_integer(job->priority));
	json_object_set_new(
		row, "state",
		json_string(job->state == JOB_STATES ? "lost" : job_state_name(job->state)));
	json_object_set_new(row, "active_job_id", value_text(job->active_job_id));
	json_object_set_new(row, "concurrency_key", value_text(job->concurrency_key));
	json_object_set(row, "arguments", arguments ? arguments : json_null());
	json_object_set_new(row, "created_at", value_time(job->created_at));
	json_object_set_new(row, "scheduled_at", value_time(job->scheduled_at));
	json_object_set_new(row, "finished_at", value_time(job->finished_at));
	json_object_set_new(row, "since", value_time(job->since));
	json_object_set_new(row, "process_id", value_id(job->process_id));
	json_object_set_new(row, "error", value_json(job->error));
	json_decref(payload);
	return row;
}

/* The arguments for people: without Rails' mark of named arguments. */
static json_t *readable(const json_t *arguments)
{
	json_t *copy = json_deep_copy(arguments);
	json_t *argument;
	size_t i;

	json_array_foreach(copy, i, argument) json_object_del(argument, "_aj_ruby2_keywords");
	return copy;
}

const char *job_error(struct arena *arena, const char *error)
{
	json_t *root = error ? json_loads(error, 0, NULL) : NULL;
	const char *class_name = json_string_value(json_object_get(root, "exception_class"));
	const char *message = json_string_value(json_object_get(root, "message"));
	const char *text = NULL;

	if (class_name && message)
		text = arena_printf(arena, "%s: %s", class_name, message);
	json_decref(root);
	return text;
}

json_t *job_brief(const json_t *job)
{
	const json_t *error = json_object_get(job, "error");
	const char *message = json_string_value(json_object_get(error, "message"));
	const char *class_name = json_string_value(json_object_get(error, "exception_class"));
	json_t *brief = NULL;

	if (message && class_name)
		brief = json_sprintf("%s: %s", class_name, message);
	if (!brief && json_is_null(error))
		brief = readable(json_object_get(job, "arguments"));
	return brief ? brief : json_incref(json_object_get(job, "error"));
}
