/*
 * What a task may say: its options as JSON in its row and as people give them, its arguments, its
 * command line, and whether all of it makes a task.
 *
 * A row may be of a later version, or somebody else's: what is not understood makes the task
 * faulty, and is never dropped in silence.
 */
#include "queue/recurring/task.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"

/* Options, and arguments. */

/* Without %f, which would use the decimal point of the caller's locale. */
static void add_span(struct text *json, const char *key, int64_t span)
{
	if (span > 0)
		text_printf(json, ",\"%s\":%" PRId64 ".%06d", key, span / CLOCK_SECOND,
			    (int)(span % CLOCK_SECOND));
}

static void add_number(struct text *json, const char *key, int64_t number)
{
	if (number > 0)
		text_printf(json, ",\"%s\":%" PRId64, key, number);
}

static const size_t places[TASK_KEYS] = {
	[TASK_TIME_ZONE] = offsetof(struct recurring_options, time_zone),
	[TASK_DST_GAP] = offsetof(struct recurring_options, dst_gap),
	[TASK_DST_OVERLAP] = offsetof(struct recurring_options, dst_overlap),
	[TASK_MISFIRE] = offsetof(struct recurring_options, misfire),
	[TASK_MISFIRE_LIMIT] = offsetof(struct recurring_options, misfire_limit),
	[TASK_MISFIRE_WINDOW] = offsetof(struct recurring_options, misfire_window),
	[TASK_OVERLAP] = offsetof(struct recurring_options, overlap),
	[TASK_JITTER] = offsetof(struct recurring_options, jitter),
	[TASK_TIMEOUT] = offsetof(struct recurring_options, timeout),
	[TASK_START_AT] = offsetof(struct recurring_options, start_at),
	[TASK_END_AT] = offsetof(struct recurring_options, end_at),
	[TASK_LATE_AFTER] = offsetof(struct recurring_options, late_after),
	[TASK_FAILURES_AFTER] = offsetof(struct recurring_options, failures_after),
};

const char *recurring_option_text(const struct recurring_options *options, enum task_key_id id)
{
	const char *text;

	memcpy(&text, (const char *)options + places[id], sizeof(text));
	return text;
}

static int64_t recurring_option_number(const struct recurring_options *options, enum task_key_id id)
{
	int64_t number;

	memcpy(&number, (const char *)options + places[id], sizeof(number));
	return number;
}

void recurring_option_set_text(struct recurring_options *options, enum task_key_id id,
			       const char *text)
{
	memcpy((char *)options + places[id], &text, sizeof(text));
}

void recurring_option_set_number(struct recurring_options *options, enum task_key_id id,
				 int64_t number)
{
	memcpy((char *)options + places[id], &number, sizeof(number));
}

const char *recurring_options_write(struct arena *arena, const struct recurring_options *options)
{
	struct text json = { 0 };

	text_printf(&json, "{\"enabled\":%s", options->disabled ? "false" : "true");
	text_json_member(&json, "file", options->file);
	for (enum task_key_id id = 0; id < TASK_KEYS; id++) {
		const struct task_key *key = &task_keys[id];
		if (key->kind == TASK_SPAN)
			add_span(&json, key->name, recurring_option_number(options, id));
		else if (key->kind == TASK_NUMBER)
			add_number(&json, key->name, recurring_option_number(options, id));
		else
			text_json_member(&json, key->name, recurring_option_text(options, id));
	}
	text_add(&json, "}");
	return text_take(&json, arena);
}

static const char *read_text(struct arena *arena, const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? arena_strdup(arena, text) : NULL;
}

/* Values out of range are ignored: what dray writes was checked before. */
static int64_t read_span(const json_t *object, const char *key, int64_t most)
{
	double span = json_number_value(json_object_get(object, key)) * CLOCK_SECOND;

	return span > 0 && span <= (double)most ? (int64_t)(span + 0.5) : 0;
}

static int64_t read_number(const json_t *object, const char *key)
{
	json_int_t number = json_integer_value(json_object_get(object, key));

	return number > 0 && number <= INT32_MAX ? number : 0;
}

static void read_option(struct arena *arena, const json_t *object, enum task_key_id id,
			struct recurring_options *options)
{
	const struct task_key *key = &task_keys[id];

	if (key->kind == TASK_SPAN)
		recurring_option_set_number(options, id,
					    read_span(object, key->name, task_most(id)));
	else if (key->kind == TASK_NUMBER)
		recurring_option_set_number(options, id, read_number(object, key->name));
	else
		recurring_option_set_text(options, id, read_text(arena, object, key->name));
}

enum status recurring_options_read(struct arena *arena, const char *settings,
				   struct recurring_options *options, struct error *error)
{
	json_error_t fault = { 0 };
	json_t *object = json_loads(settings, 0, &fault);

	if (!json_is_object(object)) {
		json_decref(object);
		if (!object && json_error_code(&fault) == json_error_out_of_memory)
			out_of_memory();
		return error_set(error, STATUS_INVALID,
				 "the task's settings are not a JSON object");
	}
	*options = (struct recurring_options){
		.disabled = json_is_false(json_object_get(object, "enabled")),
		.file = read_text(arena, object, "file"),
	};
	for (enum task_key_id id = 0; id < TASK_KEYS; id++)
		read_option(arena, object, id, options);
	json_decref(object);
	return STATUS_OK;
}

/* Is it a value that Active Job serializes as an object, such as a time? */
static bool is_serialized(json_t *object)
{
	const char *key;
	json_t *value;

	json_object_foreach(object, key, value) if (strncmp(key, "_aj_", 4) == 0) return true;
	return false;
}

static int add_names(json_t *object, json_t *names)
{
	const char *key;
	json_t *value;
	int failed = 0;

	json_object_foreach(object, key, value) failed |=
		json_array_append_new(names, wide_json_key(key));
	return failed | json_object_set(object, "_aj_symbol_keys", names);
}

/* Solid Queue stores named arguments as a mapping with symbols as keys, and passes keywords. */
static void name_keys(json_t *array)
{
	json_t *last = json_array_get(array, json_array_size(array) - 1);
	json_t *names = json_incref(json_object_get(last, "_aj_ruby2_keywords"));
	int failed = 0;

	if (names)
		failed = json_object_set(last, "_aj_symbol_keys", names) |
			 json_object_del(last, "_aj_ruby2_keywords");
	else if (json_is_object(last) && !is_serialized(last)) {
		names = json_array();
		failed = names ? add_names(last, names) : -1;
	}
	json_decref(names);
	if (failed)
		out_of_memory();
}

enum status recurring_arguments_store(struct arena *arena, const char *json, const char **stored,
				      struct error *error)
{
	struct payload read = { 0 };

	*stored = NULL;
	if (!json)
		return STATUS_OK;
	enum status status = payload_arguments(arena, json, NULL, &read, stored, error);
	if (status != STATUS_OK)
		return status;
	if (json_array_size(read.arguments) > 0)
		name_keys(read.arguments);
	*stored = wide_json_text(arena, read.arguments);
	payload_clear(&read);
	return STATUS_OK;
}

/* Tasks with a command line, added at run time. */

static bool is_commanded(const struct recurring_task *task)
{
	return task->class_name && strcmp(task->class_name, RECURRING_COMMAND_CLASS) == 0;
}

const char *recurring_queue(const struct recurring_task *task, const char *of_class)
{
	bool commanded = is_commanded(task) || !task->class_name;

	if (task->queue || of_class)
		return task->queue ? task->queue : of_class;
	return commanded ? COMMAND_QUEUE : NULL;
}

/* NULL: a word is not UTF-8. */
static json_t *words_json(const char *const words[], size_t count)
{
	json_t *array = json_array();

	for (size_t i = 0; array && i < count; i++) {
		json_t *word = json_string(words[i]);
		if (!word || json_array_append_new(array, word) != 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static enum status check_line(const char *line, struct error *error)
{
	if (!words_are_ruby(line))
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "the command is Ruby source, which dray does not run, expected a class, "
			 "or a command such as bin/rails runner ...");
}

static enum status set_command(struct arena *arena, const char *line, struct recurring_task *task,
			       struct error *error)
{
	const char **words = NULL;
	size_t count = 0;
	enum status status = check_line(line, error);

	if (status != STATUS_OK)
		return status;
	if (!words_split(arena, line, &words, &count))
		return error_set(
			error, STATUS_INVALID,
			"the command is \"%.100s\", which needs a shell, expected a program "
			"and its arguments",
			line);
	if (count == 0 || words[0][0] == '\0')
		return error_set(error, STATUS_INVALID, "the command has no program");
	json_t *array = words_json(words, count);
	if (!array)
		return error_set(error, STATUS_INVALID, "the command is not UTF-8");
	char *text = json_dumps(array, JSON_COMPACT);
	json_decref(array);
	if (!text)
		out_of_memory();
	task->class_name = RECURRING_COMMAND_CLASS;
	task->arguments = arena_strdup(arena, text);
	free(text);
	return STATUS_OK;
}

/* Its words are not arguments of another class. */
static void unset_command(struct recurring_task *task)
{
	if (!is_commanded(task))
		return;
	task->class_name = NULL;
	task->arguments = NULL;
}

const char *recurring_command_line(struct arena *arena, const struct recurring_task *task)
{
	if (!is_commanded(task) || !task->arguments)
		return task->command;
	json_t *array = json_loads(task->arguments, 0, NULL);
	size_t count = json_array_size(array);
	const char **words = arena_array(arena, count, sizeof(*words));
	bool plain = count > 0;

	for (size_t i = 0; i < count && plain; i++) {
		words[i] = json_string_value(json_array_get(array, i));
		plain = words[i];
	}
	const char *line = plain ? words_join(arena, words, count) : NULL;
	json_decref(array);
	return line;
}

/* What people change. */

static bool is_given(const char *text)
{
	return text && *text != '\0';
}

static void set_text(const char **text, const char *given)
{
	if (given)
		*text = *given != '\0' ? given : NULL;
}

static enum status set_arguments(struct arena *arena, const char *given,
				 struct recurring_task *task, struct error *error)
{
	if (!given)
		return STATUS_OK;
	return recurring_arguments_store(arena, *given != '\0' ? given : NULL, &task->arguments,
					 error);
}

static enum status set_work(const struct recurring_values *values, struct arena *arena,
			    struct recurring_task *task, struct error *error)
{
	if (values->class_name || values->command)
		unset_command(task);
	if (!is_given(values->command)) {
		set_text(&task->class_name, values->class_name);
		return set_arguments(arena, values->arguments, task, error);
	}
	if (is_given(values->class_name) || is_given(values->arguments))
		return error_set(error, STATUS_INVALID,
				 "a command is given beside a class or arguments, expected one of "
				 "them");
	return set_command(arena, values->command, task, error);
}

static void set_option(const struct recurring_options *values, enum task_key_id id,
		       struct recurring_options *options)
{
	enum task_kind kind = task_keys[id].kind;

	if (kind == TASK_TEXT || kind == TASK_WORD) {
		const char *text = recurring_option_text(options, id);
		set_text(&text, recurring_option_text(values, id));
		recurring_option_set_text(options, id, text);
		return;
	}
	int64_t number = recurring_option_number(values, id);
	if (number != 0)
		recurring_option_set_number(options, id, number > 0 ? number : 0);
}

enum status recurring_apply(const struct recurring_values *values, struct arena *arena,
			    struct recurring_task *task, struct error *error)
{
	set_text(&task->schedule, values->schedule);
	set_text(&task->queue, values->queue);
	set_text(&task->description, values->description);
	for (enum task_key_id id = 0; id < TASK_KEYS; id++)
		set_option(&values->options, id, &task->options);
	if (values->enabled != 0)
		task->options.disabled = values->enabled < 0;
	if (values->has_priority != PRIORITY_STAYS) {
		task->has_priority = values->has_priority == PRIORITY_GIVEN;
		task->priority = values->priority;
	}
	return set_work(values, arena, task, error);
}

/* What is right. */

#define NAME_MAXIMUM 255   /* characters */
#define TEXT_MAXIMUM 65535 /* bytes of MySQL's text column */

static bool printable(const char *text, size_t most)
{
	size_t fault;

	return utf8_valid(text, strlen(text), &fault) && text_is_name(text, most);
}

static enum status check_names(const struct recurring_task *task, struct error *error)
{
	if (!task->key || !printable(task->key, NAME_MAXIMUM))
		return error_set(error, STATUS_INVALID,
				 "the key is not valid, expected 1 to %d printable characters",
				 NAME_MAXIMUM);
	if (!task->class_name)
		return error_set(error, STATUS_INVALID,
				 "the class is missing, expected one or a command");
	if (!printable(task->class_name, NAME_MAXIMUM) || strchr(task->class_name, ' '))
		return error_set(error, STATUS_INVALID,
				 "the class is not valid, expected 1 to %d characters without "
				 "spaces",
				 NAME_MAXIMUM);
	if (task->description && task->description[0] != '\0' &&
	    !printable(task->description, TEXT_MAXIMUM / 4))
		return error_set(error, STATUS_INVALID,
				 "the description is not valid, expected one line of text");
	if (task->arguments && strlen(task->arguments) > TEXT_MAXIMUM)
		return error_set(error, STATUS_INVALID, "the arguments are too long");
	return task->queue ? name_check("queue", task->queue, error) : STATUS_OK;
}

/* NULL is the default. */
static enum status check_word(enum task_key_id id, const char *word, struct error *error)
{
	const char *const *words = task_keys[id].words;

	if (task_word(id, word) >= 0)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID, "%s is \"%s\", expected one of %s, %s, %s",
			 task_keys[id].shown, word, words[0], words[1], words[2]);
}

/* 0 is the default. */
static enum status check_number(enum task_key_id id, int64_t number, struct error *error)
{
	const struct task_key *key = &task_keys[id];

	if (number == 0 || (number >= task_least(id) && number <= task_most(id)))
		return STATUS_OK;
	if (key->kind == TASK_NUMBER)
		return error_set(error, STATUS_INVALID, "%s is %" PRId64 ", expected %s to %s",
				 key->shown, number, key->least, key->most);
	return error_set(error, STATUS_INVALID, "%s is out of range, expected %s to %s", key->shown,
			 key->least, key->most);
}

static enum status check_options(const struct recurring_options *options, struct error *error)
{
	enum status status = STATUS_OK;

	for (enum task_key_id id = 0; id < TASK_KEYS && status == STATUS_OK; id++) {
		enum task_kind kind = task_keys[id].kind;
		if (kind == TASK_WORD)
			status = check_word(id, recurring_option_text(options, id), error);
		else if (kind != TASK_TEXT)
			status = check_number(id, recurring_option_number(options, id), error);
	}
	return status;
}

static enum status read_time(const char *what, const char *text, int64_t *instant,
			     struct error *error)
{
	if (!text || clock_parse(text, instant) == STATUS_OK)
		return STATUS_OK;
	return error_set(error, STATUS_INVALID,
			 "%s is \"%.60s\", expected a time such as 2026-11-21T09:00:00Z", what,
			 text);
}

static enum status read_times(const struct recurring_options *options,
			      struct recurring_timing *timing, struct error *error)
{
	timing->starts = INT64_MIN;
	timing->ends = CLOCK_NEVER;
	enum status status = read_time("start_at", options->start_at, &timing->starts, error);
	if (status == STATUS_OK)
		status = read_time("end_at", options->end_at, &timing->ends, error);
	if (status == STATUS_OK && timing->starts > timing->ends)
		status = error_set(error, STATUS_INVALID, "end_at is before start_at");
	return status;
}

static enum status read_schedule(struct arena *arena, const struct recurring_task *task,
				 struct schedule_request *request, const struct schedule **timer,
				 struct error *error)
{
	struct schedule_note fault = { 0 };

	if (!task->schedule)
		return error_set(error, STATUS_INVALID, "the schedule is missing");
	enum status status = schedule_parse(arena, request, timer, &fault, error);
	if (status != STATUS_INVALID || !fault.text)
		return status;
	return error_set(error, status, "schedule: column %u: %s%s%s%s", fault.column, fault.text,
			 fault.suggestion ? "; did you mean \"" : "",
			 fault.suggestion ? fault.suggestion : "", fault.suggestion ? "\"?" : "");
}

void recurring_rails(struct arena *arena, const struct schedule *timer, struct zones *zones,
		     struct recurring_task *task)
{
	task->rails = schedule_rails(arena, timer, zones);
	task->own = !task->rails;
}

/* Can it be a constant of Ruby: "A", "A::B"? */
static bool may_be_ruby(const char *name)
{
	bool starts = true;

	for (const char *at = name; *at != '\0'; at++) {
		if (starts && (*at < 'A' || *at > 'Z'))
			return false;
		starts = at[0] == ':' && at[1] == ':';
		if (starts)
			at++;
		else if (*at == ':')
			return false;
	}
	return !starts;
}

void recurring_rails_dynamic(struct arena *arena, const struct schedule *timer, struct zones *zones,
			     struct recurring_task *task)
{
	recurring_rails(arena, timer, zones, task);
	if (!may_be_ruby(task->class_name))
		task->own = true;
}

enum status recurring_check(struct arena *arena, const struct recurring_reading *reading,
			    const struct recurring_task *task, struct recurring_timing *timing,
			    struct error *error)
{
	const struct recurring_options *options = &task->options;
	struct schedule_request request = {
		.text = task->schedule,
		.key = task->key,
		.zones = reading->zones,
		.strict = reading->strict,
	};
	enum status status = check_names(task, error);

	if (status == STATUS_OK)
		status = check_options(options, error);
	if (status == STATUS_OK) {
		request.gap = (enum schedule_gap)task_word(TASK_DST_GAP, options->dst_gap);
		request.overlap =
			(enum schedule_overlap)task_word(TASK_DST_OVERLAP, options->dst_overlap);
		status = read_times(options, timing, error);
	}
	if (status == STATUS_OK && options->time_zone)
		status = zones_find_setting(reading->zones, options->time_zone, &request.zone,
					    error);
	if (status == STATUS_OK)
		status = read_schedule(arena, task, &request, &timing->timer, error);
	return status;
}

bool recurring_next(const struct recurring_timing *timing, int64_t after,
		    struct schedule_occurrence *occurrence)
{
	if (timing->starts > after)
		after = timing->starts - 1;
	return schedule_next(timing->timer, after, occurrence) &&
	       occurrence->instant <= timing->ends;
}
