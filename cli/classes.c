#include "cli/classes.h"

#include "common/text/parse.h"
#include "worker/exec/command.h"

void classes_warn(const struct cli *cli, const char *class_name)
{
	const struct config *config = cli->config;
	struct arena *arena;

	if (config_class_find(config, class_name))
		return;
	arena = arena_new();
	const char **names = arena_array(arena, config->class_count, sizeof(*names));
	for (size_t i = 0; i < config->class_count; i++)
		names[i] = config->classes[i].name;
	const char *nearest = nearest_word(class_name, names, config->class_count);
	if (nearest)
		cli_warn(cli, "class %s is not in jobs.yml: did you mean %s?", class_name, nearest);
	else
		cli_warn(cli, "class %s is not in jobs.yml", class_name);
	arena_free(arena);
}

void classes_warn_of_arguments(const struct cli *cli, const char *class_name,
			       const struct payload *read)
{
	const struct config_class *class = config_class_find(cli->config, class_name);
	struct arena *arena = arena_new();
	struct error error = { 0 };
	const char **argv;

	if (class && class->handler == HANDLER_COMMAND &&
	    command_render(arena, class->command, read, &argv, &error) != STATUS_OK)
		cli_warn(cli, "the job will fail: %s (the command of %s, %s:%d)", error.text,
			 class_name, class->file, class->line);
	arena_free(arena);
}
