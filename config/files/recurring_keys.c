/* The keys of a task in recurring.yml: known, misspelt and unknown ones. */
#include <string.h>

#include "common/text/parse.h"
#include "config/files/reader.h"

/* The setting that this key names, or a similar one; NULL = none. */
static const char *nearest_setting(const struct node *key)
{
	const char *words[SETTINGS_MAXIMUM];

	for (size_t i = 0; i < task_settings.count; i++)
		words[i] = task_settings.rows[i].key;
	return nearest_word(key->text, words, task_settings.count);
}

/* A setting of classes has no effect in a task: where does it have one? */
static void refuse_of_class(struct reader *reader, const struct node *task, const struct node *key,
			    const char *prefix)
{
	const struct node *class = node_get(task, "class");
	const char *where = "under defaults";

	if (class && class->kind == NODE_SCALAR)
		where = arena_printf(reader->arena, "in the class %s",
				     quoted(reader->arena, class->text));
	report_error(reader->report, key->place,
		     "%s.%s is a setting of classes, expected it %s of jobs.yml", prefix, key->text,
		     where);
}

static void leave_out(struct reader *reader, const struct node *key, const char *prefix)
{
	const char *known = setting_habit(&task_settings, key->text);

	report_warning(reader->report, key->place,
		       "%s has a key %s, which means nothing to dray: it is left out%s%s", prefix,
		       quoted(reader->arena, key->text), known ? "; expected " : "",
		       known ? known : "");
}

/*
 * Solid Queue ignores unknown keys, so only what looks like a misspelt setting, or like one of a
 * class, is an error.
 */
void recurring_drop_foreign(struct reader *reader, struct node *task, const char *prefix)
{
	for (size_t i = task->count; i-- > 0;) {
		const struct node *key = task->pairs[i].key;
		bool of_class = setting_find(&class_settings, key->text) &&
				!setting_find(&task_settings, key->text);
		if (key->fault || (!of_class && nearest_setting(key)))
			continue;
		if (of_class)
			refuse_of_class(reader, task, key, prefix);
		else
			leave_out(reader, key, prefix);
		node_drop(task, i);
	}
}

/* A mapping with a class or command is meant to be a task; a section holds tasks. */
static bool is_meant_for_task(const struct node *node)
{
	const struct node *class = node_get(node, "class");
	const struct node *command = node_get(node, "command");

	return (class && class->kind == NODE_SCALAR) || (command && command->kind != NODE_MAPPING);
}

static bool is_for_schedule(const struct node *key)
{
	const char *nearest = nearest_setting(key);
	const char *known = setting_habit(&task_settings, key->text);

	return (nearest && strcmp(nearest, "schedule") == 0 && strcmp(key->text, nearest) != 0) ||
	       (known && strncmp(known, "\"schedule\"", 10) == 0);
}

static const struct node *find_misspelt_schedule(const struct node *node)
{
	for (size_t i = 0; i < node->count; i++) {
		const struct node *key = node->pairs[i].key;
		if (key->fault || node->pairs[i].value->kind != NODE_SCALAR)
			continue;
		if (is_for_schedule(key))
			return key;
	}
	return NULL;
}

bool recurring_has_schedule(struct reader *reader, const struct node_pair *task, const char *prefix)
{
	if (node_get(task->value, "schedule"))
		return true;
	const struct node *misspelt = find_misspelt_schedule(task->value);
	if (misspelt)
		setting_unknown(reader->report, reader->arena, &task_settings, misspelt, prefix);
	else if (is_meant_for_task(task->value))
		report_warning(reader->report, task->key->place,
			       "%s has no schedule: the task is left out", prefix);
	return false;
}
