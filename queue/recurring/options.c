/* The settings for which Solid Queue has no column, as JSON; and the arguments. */
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"
#include "queue/recurring/task.h"

static void add_text(struct text *json, const char *key, const char *value)
{
	if (!value)
		return;
	text_printf(json, ",\"%s\":", key);
	text_json(json, value);
}

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
};

const char *recurring_option_text(const struct recurring_options *options, enum task_key_id id)
{
	const char *text;

	memcpy(&text, (const char *)options + places[id], sizeof(text));
	return text;
}

int64_t recurring_option_number(const struct recurring_options *options, enum task_key_id id)
{
	int64_t span;
	int number;

	if (task_keys[id].kind == TASK_NUMBER) {
		memcpy(&number, (const char *)options + places[id], sizeof(number));
		return number;
	}
	memcpy(&span, (const char *)options + places[id], sizeof(span));
	return span;
}

const char *recurring_options_write(struct arena *arena, const struct recurring_options *options)
{
	struct text json = { 0 };

	text_printf(&json, "{\"enabled\":%s", options->disabled ? "false" : "true");
	add_text(&json, "file", options->file);
	for (enum task_key_id id = 0; id < TASK_KEYS; id++) {
		const struct task_key *key = &task_keys[id];
		if (key->kind == TASK_SPAN)
			add_span(&json, key->name, recurring_option_number(options, id));
		else if (key->kind == TASK_NUMBER)
			add_number(&json, key->name, recurring_option_number(options, id));
		else
			add_text(&json, key->name, recurring_option_text(options, id));
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
static int64_t read_span(const json_t *object, const char *key)
{
	double seconds = json_number_value(json_object_get(object, key));

	if (!(seconds > 0 && seconds < 1e9))
		return 0;
	return (int64_t)(seconds * CLOCK_SECOND + 0.5);
}

static int read_number(const json_t *object, const char *key)
{
	json_int_t number = json_integer_value(json_object_get(object, key));

	return number > 0 && number <= INT32_MAX ? (int)number : 0;
}

static void read_option(struct arena *arena, const json_t *object, enum task_key_id id,
			struct recurring_options *options)
{
	const struct task_key *key = &task_keys[id];
	char *place = (char *)options + places[id];

	if (key->kind == TASK_SPAN) {
		int64_t span = read_span(object, key->name);
		memcpy(place, &span, sizeof(span));
	} else if (key->kind == TASK_NUMBER) {
		int number = read_number(object, key->name);
		memcpy(place, &number, sizeof(number));
	} else {
		const char *text = read_text(arena, object, key->name);
		memcpy(place, &text, sizeof(text));
	}
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
	const char *text = NULL;

	*stored = NULL;
	if (!json)
		return STATUS_OK;
	enum status status = payload_arguments(arena, json, &text, error);
	if (status != STATUS_OK)
		return status;
	json_t *array = wide_json_load(text, 0, NULL);
	if (!array)
		out_of_memory();
	if (json_array_size(array) > 0)
		name_keys(array);
	*stored = wide_json_text(arena, array);
	json_decref(array);
	return STATUS_OK;
}
