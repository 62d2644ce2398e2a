/* How the jobs of a task with a command begin and end: what `defaults` of jobs.yml say, and the
 * task itself. */
#include "config/files/reader.h"

/* Does the task say nothing of this key? Then its value is the one of `defaults`. */
static bool inherits(const struct reader *reader, const struct instance *settings, const char *key)
{
	struct place *place = instance_place(settings, key);

	if (place->file)
		return false;
	*place = *instance_place(reader->defaults, key);
	return true;
}

static void read_retry(struct reader *reader, const struct instance *settings,
		       const struct node *node, bool publish)
{
	struct config_task *task = (struct config_task *)settings->base;
	const char *prefix = arena_printf(reader->arena, "%s.retry", settings->prefix);
	struct instance *retry = NULL;

	task->retry = arena_alloc(reader->arena, sizeof(*task->retry));
	*task->retry = ((const struct config_class *)reader->defaults->base)->retry;
	retry = instance_copy(reader, reader->default_retry, prefix, task->retry);
	retry_read(reader, retry, node);
	if (task->retry->given && publish)
		instance_publish(reader, retry);
}

void recurring_ends_read(struct reader *reader, const struct instance *settings,
			 const struct node *node, bool publish)
{
	const struct config_class *defaults = (const struct config_class *)reader->defaults->base;
	struct config_task *task = (struct config_task *)settings->base;

	if (inherits(reader, settings, "exit")) {
		task->exit = defaults->exit;
		task->exit_count = defaults->exit_count;
	}
	if (inherits(reader, settings, "history"))
		task->history = defaults->history;
	if (inherits(reader, settings, "stdin"))
		task->input = defaults->input;
	read_retry(reader, settings, node_get(node, "retry"), publish);
}

void recurring_ends_refuse(struct reader *reader, const struct instance *settings,
			   const struct node *node)
{
	static const char *const keys[] = { "retry", "exit", "history", "stdin" };
	const struct config_task *task = (const struct config_task *)settings->base;

	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const struct node *given = node_get(node, keys[i]);
		if (!node_is_null(given))
			report_error(
				reader->report, given->place,
				"%s.%s is for a command, expected %s of the class %s in jobs.yml",
				settings->prefix, keys[i], keys[i],
				quoted(reader->arena, task->class));
	}
}
