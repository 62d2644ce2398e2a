#include "cli/classes.h"

#include "common/text/parse.h"
#include "queue/payload/payload.h"
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

void classes_warn_of_arguments(const struct cli *cli, const struct new_job *job)
{
	const struct config_class *class = config_class_find(cli->config, job->class_name);
	struct arena *arena = arena_new();
	struct payload payload = { 0 };
	struct error error = { 0 };
	const char *array = NULL;
	const char **argv;

	/* What is wrong with the arguments themselves is for enqueue to say. */
	if (class && class->handler == HANDLER_COMMAND &&
	    payload_arguments(arena, job->arguments ? job->arguments : "[]", &array, &error) ==
		    STATUS_OK &&
	    payload_parse(arena_printf(arena, "{\"arguments\":%s}", array), &payload, &error) ==
		    STATUS_OK) {
		if (command_render(arena, class->command, &payload, &argv, &error) != STATUS_OK)
			cli_warn(cli, "the job will fail: %s (the command of %s, %s:%d)",
				 error.text, job->class_name, class->file, class->line);
		payload_clear(&payload);
	}
	arena_free(arena);
}
