#include "cli/jobs/arguments.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define RESERVED        "_aj_" /* prefix of Active Job's own names */

struct words {
	json_t *array;
	json_t *named;
	json_t *names; /* in the order given */
};

/* The length of NAME in NAME=VALUE; 0 if the word has another form. */
static size_t name_length(const char *word)
{
	size_t length = strspn(word, NAME_CHARACTERS);

	return word[length] == '=' && !(word[0] >= '0' && word[0] <= '9') ? length : 0;
}

static enum status add_named(struct words *words, const char *word, size_t length,
			     struct error *error)
{
	json_t *value = json_string(word + length + 1);
	json_t *name = json_stringn(word, length);
	const char *key = json_string_value(name);
	enum status status = STATUS_OK;

	if (strncmp(key, RESERVED, strlen(RESERVED)) == 0)
		status = error_set(error, STATUS_INVALID,
				   "argument \"%s\": names with " RESERVED " are reserved", key);
	else if (json_object_get(words->named, key))
		status = error_set(error, STATUS_INVALID, "argument \"%s\" is given twice", key);
	else if (value) {
		json_object_set(words->named, key, value);
		json_array_append(words->names, name);
	} else
		status = error_set(error, STATUS_INVALID, "argument \"%s\" is not UTF-8", key);
	json_decref(value);
	json_decref(name);
	return status;
}

static enum status add(struct words *words, const char *word, size_t position, struct error *error)
{
	size_t length = name_length(word);

	if (length > 0)
		return add_named(words, word, length, error);
	json_t *value = json_string(word);
	if (!value)
		return error_set(error, STATUS_INVALID, "argument %zu is not UTF-8", position);
	json_array_append_new(words->array, value);
	return STATUS_OK;
}

static const char *finish(struct arena *arena, struct words *words)
{
	if (json_object_size(words->named) > 0) {
		json_object_set(words->named, "_aj_ruby2_keywords", words->names);
		json_array_append(words->array, words->named);
	}
	char *text = json_dumps(words->array, JSON_COMPACT);
	if (!text)
		out_of_memory();
	const char *copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

enum status arguments_json(struct arena *arena, char *const words[], size_t count,
			   const char **json, struct error *error)
{
	struct words all = { json_array(), json_object(), json_array() };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count && status == STATUS_OK; i++)
		status = add(&all, words[i], i + 1, error);
	if (status == STATUS_OK)
		*json = finish(arena, &all);
	json_decref(all.array);
	json_decref(all.named);
	json_decref(all.names);
	return status;
}
