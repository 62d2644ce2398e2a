#include "cli/bulk/line.h"

#include <jansson.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"

/* The object that is being read. */
struct object {
	struct arena *arena;
	struct new_job *job;
	struct error *error;
	const char *keywords; /* JSON, or NULL */
	bool has_at;
	bool has_in;
};

static enum status expected(const struct object *object, const char *key, const char *what)
{
	return error_set(object->error, STATUS_INVALID, "%s: expected %s", key, what);
}

/* NULL if the value is not a string, or contains U+0000, which a C string cannot hold. */
static const char *plain_string(const json_t *value)
{
	const char *text = json_string_value(value);

	return text && strlen(text) == json_string_length(value) ? text : NULL;
}

static enum status read_text(struct object *object, const json_t *value, const char *key,
			     const char **out)
{
	const char *text = plain_string(value);

	if (!text)
		return expected(object, key, "a string");
	*out = arena_strdup(object->arena, text);
	return STATUS_OK;
}

static enum status read_class(struct object *object, const json_t *value)
{
	return read_text(object, value, "class", &object->job->class_name);
}

static enum status read_queue(struct object *object, const json_t *value)
{
	return read_text(object, value, "queue", &object->job->queue);
}

static enum status read_key(struct object *object, const json_t *value)
{
	return read_text(object, value, "concurrency_key", &object->job->concurrency_key);
}

static enum status read_arguments(struct object *object, const json_t *value)
{
	if (!json_is_array(value) && !json_is_object(value))
		return expected(object, "arguments", "an array or an object");
	object->job->arguments = wide_json_text(object->arena, value);
	return STATUS_OK;
}

static enum status read_keywords(struct object *object, const json_t *value)
{
	object->keywords = wide_json_text(object->arena, value);
	return STATUS_OK;
}

static enum status read_priority(struct object *object, const json_t *value)
{
	json_int_t number = json_integer_value(value);

	if (!json_is_integer(value) || number < INT_MIN || number > INT_MAX)
		return expected(object, "priority", "an integer of 32 bits");
	object->job->priority = (int)number;
	object->job->has_priority = true;
	return STATUS_OK;
}

static enum status read_at(struct object *object, const json_t *value)
{
	const char *text = plain_string(value);

	if (!text || clock_parse(text, &object->job->at) != STATUS_OK)
		return expected(object, "at", "a time such as \"2026-12-24T18:00:00Z\"");
	object->has_at = true;
	return STATUS_OK;
}

static enum status read_span(struct object *object, const json_t *value, const char *key,
			     int64_t least, int64_t *out)
{
	const char *text =
		json_is_number(value) ? wide_json_text(object->arena, value) : plain_string(value);
	enum status status = text ? parse_duration(text, out) : STATUS_INVALID;

	if (status != STATUS_OK || *out < least)
		return expected(object, key, "seconds or a duration such as \"1h30m\"");
	return STATUS_OK;
}

static enum status read_in(struct object *object, const json_t *value)
{
	object->has_in = true;
	return read_span(object, value, "in", 0, &object->job->delay);
}

static enum status read_timeout(struct object *object, const json_t *value)
{
	return read_span(object, value, "timeout", CLOCK_MILLISECOND, &object->job->timeout);
}

static const struct {
	const char *name;
	enum status (*read)(struct object *object, const json_t *value);
} keys[] = {
	{ "class", read_class }, { "arguments", read_arguments }, { "keywords", read_keywords },
	{ "queue", read_queue }, { "priority", read_priority },   { "at", read_at },
	{ "in", read_in },       { "concurrency_key", read_key }, { "timeout", read_timeout },
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

static enum status unknown_key(const struct object *object, const char *key)
{
	const char *names[KEYS];

	for (size_t i = 0; i < KEYS; i++)
		names[i] = keys[i].name;
	const char *nearest = nearest_word(key, names, KEYS);
	json_t *string = json_string(key);
	const char *quoted = wide_json_text(object->arena, string);
	json_decref(string);
	return error_set(object->error, STATUS_INVALID, "unknown key %.62s%s%s%s", quoted,
			 nearest ? ": did you mean \"" : "", nearest ? nearest : "",
			 nearest ? "\"?" : "");
}

static enum status read_member(struct object *object, const char *key, const json_t *value)
{
	for (size_t i = 0; i < KEYS; i++)
		if (strcmp(keys[i].name, key) == 0)
			return keys[i].read(object, value);
	return unknown_key(object, key);
}

static enum status read_object(struct object *object, json_t *root)
{
	enum status status = STATUS_OK;
	const char *key;
	json_t *value;

	if (!json_is_object(root))
		return error_set(object->error, STATUS_INVALID, "expected a JSON object");
	json_object_foreach(root, key, value)
	{
		status = read_member(object, key, value);
		if (status != STATUS_OK)
			return status;
	}
	if (!object->job->class_name || !*object->job->class_name)
		return error_set(object->error, STATUS_INVALID, "the class is missing");
	if (object->has_at && object->has_in)
		return error_set(object->error, STATUS_INVALID, "give at or in, not both");
	if (object->keywords)
		return payload_join(object->arena, object->job->arguments, object->keywords,
				    &object->job->arguments, object->error);
	return STATUS_OK;
}

enum status bulk_line_parse(struct arena *arena, const char *line, size_t length,
			    struct new_job *job, struct error *error)
{
	struct object object = { .arena = arena, .job = job, .error = error };
	json_error_t where;
	json_t *root = NULL;

	*job = (struct new_job){ 0 };
	if (strlen(line) < length)
		return error_set(error, STATUS_INVALID, "column %zu: a zero byte",
				 strlen(line) + 1);
	root = wide_json_load(line, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &where);
	if (!root)
		return error_set(error, STATUS_INVALID, "column %d: %s", where.column, where.text);
	enum status status = read_object(&object, root);
	json_decref(root);
	return status;
}
