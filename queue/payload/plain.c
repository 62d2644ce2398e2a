/* A job's arguments one by one, simplified for programs. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"

#define RECORD     "_aj_globalid"
#define SERIALIZED "_aj_serialized"
#define RANGE      "ActiveJob::Serializers::RangeSerializer"

/* What Active Job adds to a hash besides the application's own keys. */
static const char *const notes[] = {
	SERIALIZED,
	"_aj_symbol_keys",
	"_aj_ruby2_keywords",
	"_aj_hash_with_indifferent_access",
};

/* The GlobalID, when the value is a record. */
static json_t *record_id(const json_t *value)
{
	json_t *id = json_object_get(value, RECORD);

	return json_is_string(id) && json_object_size(value) == 1 ? id : NULL;
}

/* A symbol, a time, a decimal of Active Job: a command gets its "value". */
static json_t *unwrap(json_t *value)
{
	while (json_object_get(value, SERIALIZED) && json_object_get(value, "value"))
		value = json_object_get(value, "value");
	return value;
}

static json_t *unwrap_all(json_t *value)
{
	json_t *inner = unwrap(value);
	json_t *id = record_id(inner);

	return id ? id : inner;
}

json_t *payload_named(const json_t *arguments)
{
	json_t *last = json_array_get(arguments, json_array_size(arguments) - 1);

	return json_is_object(last) && !json_object_get(last, SERIALIZED) && !record_id(last)
		       ? last
		       : NULL;
}

static json_t *find_argument(const struct payload *payload, const char *name)
{
	char *end;

	if (name[0] >= '0' && name[0] <= '9') {
		unsigned long index = strtoul(name, &end, 10);
		if (*end == '\0')
			return json_array_get(payload->arguments, index);
	}
	if (strncmp(name, PAYLOAD_MARKS, strlen(PAYLOAD_MARKS)) == 0)
		return NULL;
	return json_object_get(payload->named, name);
}

const json_t *payload_argument(const struct payload *payload, const char *name)
{
	return unwrap(find_argument(payload, name));
}

size_t payload_positional(const struct payload *payload)
{
	return json_array_size(payload->arguments) - (payload->named ? 1 : 0);
}

/* An argument of a program cannot contain U+0000: it is written as in JSON. */
static const char *string_text(struct arena *arena, const json_t *value)
{
	const char *string = json_string_value(value);
	size_t length = wide_json_number(value) ? 0 : json_string_length(value);
	const char *end = string + length;
	const char *result = arena_strdup(arena, string);

	while ((string += strlen(string)) < end)
		result = arena_printf(arena, "%s\\u0000%s", result, ++string);
	return result;
}

static const char *value_text(struct arena *arena, const json_t *value)
{
	if (!value || json_is_null(value))
		return "";
	if (json_is_string(value))
		return string_text(arena, value);
	return wide_json_text(arena, value);
}

/* As Ruby writes it: "1..5", "1...5" without its end, "1.." without an end at all. */
static json_t *range(struct arena *arena, const json_t *value)
{
	bool without_end = json_is_true(json_object_get(value, "exclude_end"));

	return json_string(arena_printf(
		arena, "%s%s%s", value_text(arena, unwrap_all(json_object_get(value, "begin"))),
		without_end ? "..." : "..",
		value_text(arena, unwrap_all(json_object_get(value, "end")))));
}

/* What replaces a value, with a reference of its own; the values inside it are not changed yet. */
static json_t *simplest(struct arena *arena, json_t *value)
{
	json_t *inner = unwrap_all(value);
	const char *serializer = json_string_value(json_object_get(inner, SERIALIZED));

	if (!serializer || strcmp(serializer, RANGE) != 0)
		return json_incref(inner);
	json_t *words = range(arena, inner);
	if (!words)
		out_of_memory();
	return words;
}

/*
 * Puts it where its original is (`key` in an object, else `index`); the values inside it come next.
 */
static void replace(json_t *holder, const char *key, size_t index, json_t *simple, json_t *pending)
{
	int failed = 0;

	if (json_is_array(simple) || json_is_object(simple))
		failed = json_array_append(pending, simple);
	if (key)
		failed |= json_object_set_new_nocheck(holder, key, simple);
	else
		failed |= json_array_set_new(holder, index, simple);
	if (failed)
		out_of_memory();
}

static void simplify_members(struct arena *arena, json_t *holder, json_t *pending)
{
	const char *key;
	size_t index;
	json_t *value;

	json_array_foreach(holder, index, value)
		replace(holder, NULL, index, simplest(arena, value), pending);
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		(void)json_object_del(holder, notes[i]);
	json_object_foreach(holder, key, value)
		replace(holder, key, 0, simplest(arena, value), pending);
}

/* One container after the other, not by recursion: their depth is not limited here. */
static json_t *plain(struct arena *arena, const json_t *value)
{
	json_t *all = json_array();
	json_t *pending = json_array();

	if (!pending || json_array_append_new(all, json_deep_copy(value)) != 0 ||
	    json_array_append(pending, all) != 0)
		out_of_memory();
	for (size_t left = 1; left > 0; left = json_array_size(pending)) {
		json_t *holder = json_incref(json_array_get(pending, left - 1));
		(void)json_array_remove(pending, left - 1);
		simplify_members(arena, holder, pending);
		json_decref(holder);
	}
	json_t *result = json_incref(json_array_get(all, 0));
	json_decref(pending);
	json_decref(all);
	return result;
}

const char *payload_plain(struct arena *arena, const struct payload *payload)
{
	json_t *copy = plain(arena, payload->arguments);
	const char *text = wide_json_text(arena, copy);

	json_decref(copy);
	return text;
}

const char *payload_text(struct arena *arena, const struct payload *payload, const char *name)
{
	const json_t *value = find_argument(payload, name);

	if (!value)
		return NULL;
	json_t *copy = plain(arena, value);
	const char *text = value_text(arena, copy);
	json_decref(copy);
	return text;
}
