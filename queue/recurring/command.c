/* Tasks with a command line, added at run time. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/parse.h"
#include "queue/recurring/task.h"

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

enum status recurring_command_set(struct arena *arena, const char *line,
				  struct recurring_task *task, struct error *error)
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

void recurring_command_unset(struct recurring_task *task)
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
