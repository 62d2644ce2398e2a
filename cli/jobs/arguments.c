#include "cli/jobs/arguments.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/text.h"
#include "config/config.h"
#include "worker/exec/command.h"

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define RESERVED        "_aj_" /* prefix of Active Job's own names */

#define SHOWN_WORD    60 /* characters of a word that are shown */
#define SHOWN_MAXIMUM 400

struct words {
	const struct argument_rule *rule;
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

/* A limit's key is a template of the class, too. */
static bool uses(const struct config_class *class, const char *name)
{
	if (command_uses(class->command, name))
		return true;
	for (size_t i = 0; i < class->concurrency_count; i++)
		if (class->concurrency[i].key &&
		    command_uses((const char *const[]){ class->concurrency[i].key, NULL }, name))
			return true;
	return false;
}

static bool is_named(struct arena *arena, const struct words *words, const char *word,
		     size_t length)
{
	const struct argument_rule *rule = words->rule;

	if (length == 0 || rule->names != NAMES_BY_CLASS)
		return length > 0 && rule->names == NAMES_ALWAYS;
	if (rule->class && rule->class->handler == HANDLER_COMMAND)
		return uses(rule->class, arena_strndup(arena, word, length));
	return word[length + 1] != '\0';
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

static enum status add(struct arena *arena, struct words *words, const char *word, size_t position,
		       struct error *error)
{
	size_t length = name_length(word);

	if (is_named(arena, words, word, length))
		return add_named(words, word, length, error);
	json_t *value = json_string(word);
	if (!value)
		return error_set(error, STATUS_INVALID, "argument %zu is not UTF-8", position);
	json_array_append_new(words->array, value);
	return STATUS_OK;
}

static void show_word(struct text *shown, const char *word)
{
	if (shown->length < SHOWN_MAXIMUM)
		(void)text_json_part(shown, word, strlen(word), SHOWN_WORD);
	else
		text_add(shown, "...");
}

/* As Ruby would write the call: "access.log", template: "welcome". */
static const char *show(struct arena *arena, const struct words *words)
{
	struct text shown = { 0 };
	json_t *value;
	size_t i;

	json_array_foreach(words->array, i, value)
	{
		text_add(&shown, i > 0 ? ", " : "");
		show_word(&shown, json_string_value(value));
	}
	json_array_foreach(words->names, i, value)
	{
		const char *name = json_string_value(value);
		text_printf(&shown, "%s%.60s: ", shown.length > 0 ? ", " : "", name);
		show_word(&shown, json_string_value(json_object_get(words->named, name)));
	}
	return text_take(&shown, arena);
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

enum status arguments_json(struct arena *arena, const struct arguments *given,
			   const struct argument_rule *rule, const char **json, const char **shown,
			   struct error *error)
{
	struct words all = { rule, json_array(), json_object(), json_array() };
	enum status status = STATUS_OK;

	for (size_t i = 1; i < given->count && status == STATUS_OK; i++)
		status = add(arena, &all, given->list[i], i, error);
	if (status == STATUS_OK) {
		*shown = given->count > 1 ? show(arena, &all) : NULL;
		*json = finish(arena, &all);
	}
	json_decref(all.array);
	json_decref(all.named);
	json_decref(all.names);
	return status;
}
