#include "cli/recurring/fields.h"

#include <limits.h>

#include "cli/cli.h"
#include "common/text/parse.h"

#define INDEX(key) ((key)-FIELD_SCHEDULE)

/* An empty value restores the default; without the option nothing changes. */
static bool is_empty(const char *value)
{
	return *value == '\0';
}

static int number(const char *value, const char *option, int64_t least, int64_t most,
		  const struct argp_state *state)
{
	int64_t found = argument_number(value, option, least, state);

	if (found > most)
		argument_error(state, "%s: at most %lld", option, (long long)most);
	return (int)found;
}

static void parse_priority(struct recurring_fields *fields, const char *value,
			   const struct argp_state *state)
{
	fields->has_priority = !is_empty(value);
	fields->priority =
		is_empty(value) ? 0 : number(value, "--priority", INT_MIN, INT_MAX, state);
}

static void parse_enabled(struct recurring_fields *fields, const char *value,
			  const struct argp_state *state)
{
	bool enabled = true;

	if (!is_empty(value) && parse_bool(value, &enabled) != STATUS_OK)
		argument_error(state, "--enabled: \"%s\" is not true or false", value);
	fields->disabled = !enabled;
}

static int64_t duration(const char *value, const char *option, const struct argp_state *state)
{
	return is_empty(value) ? 0 : argument_duration(value, option, state);
}

error_t recurring_fields_parse(struct recurring_fields *fields, int key, const char *value,
			       const struct argp_state *state)
{
	if (key < FIELD_SCHEDULE || key >= FIELD_END)
		return ARGP_ERR_UNKNOWN;
	if (key < FIELD_TEXTS)
		fields->texts[INDEX(key)] = value;
	else if (key == FIELD_PRIORITY)
		parse_priority(fields, value, state);
	else if (key == FIELD_MISFIRE_LIMIT)
		fields->misfire_limit =
			is_empty(value)
				? 0
				: number(value, "--misfire-limit", task_least(TASK_MISFIRE_LIMIT),
					 task_most(TASK_MISFIRE_LIMIT), state);
	else if (key == FIELD_MISFIRE_WINDOW)
		fields->misfire_window = duration(value, "--misfire-window", state);
	else if (key == FIELD_JITTER)
		fields->jitter = duration(value, "--jitter", state);
	else if (key == FIELD_TIMEOUT)
		fields->timeout = duration(value, "--timeout", state);
	else if (key == FIELD_ENABLED)
		parse_enabled(fields, value, state);
	fields->given[INDEX(key)] = true;
	fields->any = true;
	return 0;
}

static void apply_numbers(const struct recurring_fields *fields, struct recurring_task *task,
			  struct recurring_options *options)
{
	if (fields->given[INDEX(FIELD_PRIORITY)]) {
		task->has_priority = fields->has_priority;
		task->priority = fields->priority;
	}
	if (fields->given[INDEX(FIELD_MISFIRE_LIMIT)])
		options->misfire_limit = fields->misfire_limit;
	if (fields->given[INDEX(FIELD_MISFIRE_WINDOW)])
		options->misfire_window = fields->misfire_window;
	if (fields->given[INDEX(FIELD_JITTER)])
		options->jitter = fields->jitter;
	if (fields->given[INDEX(FIELD_TIMEOUT)])
		options->timeout = fields->timeout;
	if (fields->given[INDEX(FIELD_ENABLED)])
		options->disabled = fields->disabled;
}

static bool is_given(const struct recurring_fields *fields, enum field_key key)
{
	return fields->texts[INDEX(key)] && !is_empty(fields->texts[INDEX(key)]);
}

static enum status apply_command(const struct recurring_fields *fields, struct arena *arena,
				 struct recurring_task *task, struct error *error)
{
	if (is_given(fields, FIELD_CLASS))
		return error_set(error, STATUS_INVALID,
				 "--class and --command are given, expected one of them");
	if (is_given(fields, FIELD_ARGS))
		return error_set(error, STATUS_INVALID,
				 "--args is given beside --command, whose arguments are its words");
	return recurring_command_set(arena, fields->texts[INDEX(FIELD_COMMAND)], task, error);
}

static enum status apply_arguments(const struct recurring_fields *fields, struct arena *arena,
				   struct recurring_task *task, struct error *error)
{
	const char *args = fields->texts[INDEX(FIELD_ARGS)];

	if (!args)
		return STATUS_OK;
	task->arguments = NULL;
	if (is_empty(args))
		return STATUS_OK;
	enum status status = recurring_arguments_store(arena, args, &task->arguments, error);
	return status == STATUS_OK ? status : error_prefix(error, "--args");
}

/* A class replaces a command, and a command replaces a class. */
static enum status apply_work(const struct recurring_fields *fields, struct arena *arena,
			      struct recurring_task *task, struct error *error)
{
	const char *class = fields->texts[INDEX(FIELD_CLASS)];

	if (class || fields->texts[INDEX(FIELD_COMMAND)])
		recurring_command_unset(task);
	if (is_given(fields, FIELD_COMMAND))
		return apply_command(fields, arena, task, error);
	if (class)
		task->class_name = is_empty(class) ? NULL : class;
	return apply_arguments(fields, arena, task, error);
}

enum status recurring_fields_apply(const struct recurring_fields *fields, struct arena *arena,
				   struct recurring_task *task, struct recurring_options *options,
				   struct error *error)
{
	const char **const texts[] = {
		[INDEX(FIELD_SCHEDULE)] = &task->schedule,
		[INDEX(FIELD_QUEUE)] = &task->queue,
		[INDEX(FIELD_DESCRIPTION)] = &task->description,
		[INDEX(FIELD_TIME_ZONE)] = &options->time_zone,
		[INDEX(FIELD_DST_GAP)] = &options->dst_gap,
		[INDEX(FIELD_DST_OVERLAP)] = &options->dst_overlap,
		[INDEX(FIELD_MISFIRE)] = &options->misfire,
		[INDEX(FIELD_OVERLAP)] = &options->overlap,
		[INDEX(FIELD_START_AT)] = &options->start_at,
		[INDEX(FIELD_END_AT)] = &options->end_at,
	};
	enum status status = apply_work(fields, arena, task, error);

	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (texts[i] && fields->texts[i])
			*texts[i] = is_empty(fields->texts[i]) ? NULL : fields->texts[i];
	apply_numbers(fields, task, options);
	return STATUS_OK;
}
