#include "cli/jobs/job_json.h"

#include <stdio.h>

#include "cli/output/table.h"
#include "queue/payload/cause.h"

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
	json_object_set_new(row, "outcome", value_text(job->outcome));
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

void job_for_people(json_t *row)
{
	json_t *outcome = json_object_get(row, "outcome");

	if (json_is_string(outcome))
		json_object_set(row, "state", outcome);
}

json_t *job_arguments(const json_t *arguments)
{
	json_t *copy = json_deep_copy(arguments);
	json_t *argument;
	size_t i;

	json_array_foreach(copy, i, argument) json_object_del(argument, "_aj_ruby2_keywords");
	return copy;
}

json_t *job_brief(struct arena *arena, const struct job *job, const json_t *row)
{
	const struct cause cause = cause_of(arena, job->error);

	if (cause.brief)
		return value_text(cause.brief);
	return job->error ? value_json(job->error)
			  : job_arguments(json_object_get(row, "arguments"));
}

void error_print(const struct cli *cli, const json_t *error)
{
	const char *class_name = json_string_value(json_object_get(error, "exception_class"));
	const char *message = json_string_value(json_object_get(error, "message"));
	const json_t *lines = json_object_get(error, "backtrace");
	json_t *line;
	size_t i;

	if (!error || json_is_null(error))
		return;
	(void)puts("\nerror");
	if (!class_name || !message)
		text_print(cli, json_pretty(cli->arena, error));
	else
		text_print(cli, arena_printf(cli->arena, "%s: %s", class_name, message));
	json_array_foreach(lines, i, line) if (json_is_string(line))
		text_print(cli, arena_printf(cli->arena, "  %s", json_string_value(line)));
}
