/* Failures by their cause. */
#include "show/show.h"

#include "queue/payload/cause.h"

static json_t *trend_json(const struct error_group *group)
{
	json_t *values = json_array();

	for (size_t i = 0; i < ERRORS_TREND; i++)
		json_array_append_new(values, group->trend[i] < 0 ? json_null()
								  : json_integer(group->trend[i]));
	return values;
}

static json_t *classes_json(const struct error_group *group)
{
	json_t *values = json_array();

	for (size_t i = 0; i < group->class_count; i++)
		json_array_append_new(values, value_text(group->classes[i]));
	return values;
}

json_t *show_error_group(struct arena *arena, const struct error_group *group)
{
	const struct cause cause = cause_of(arena, group->error);
	json_t *row = json_object();

	json_object_set_new(row, "group", json_string(group->name));
	json_object_set_new(row, "count", json_integer(group->count));
	json_object_set_new(row, "first_at", value_time(group->first_at));
	json_object_set_new(row, "last_at", value_time(group->last_at));
	json_object_set_new(row, "trend", trend_json(group));
	json_object_set_new(row, "classes", classes_json(group));
	json_object_set_new(row, "exception_class", value_text(cause.error_class));
	json_object_set_new(row, "message", value_text(cause.line ? cause.line : cause.message));
	json_object_set_new(row, "job", value_id(group->run_count > 0 ? group->runs[0].job_id : 0));
	return row;
}

json_t *show_error_runs(const struct error_group *group)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < group->run_count; i++) {
		const struct error_run *one = &group->runs[i];
		json_array_append_new(
			rows, json_pack("{s:I, s:o, s:I, s:o, s:o}", "job", (json_int_t)one->job_id,
					"class", value_text(one->class_name), "attempt",
					(json_int_t)one->attempt, "at", value_time(one->ended_at),
					"outcome", value_text(one->outcome)));
	}
	return rows;
}
