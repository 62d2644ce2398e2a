#include <stdio.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/commands.h"
#include "common/parse.h"
#include "common/process.h"

const struct command commands[] = {
	{"start", "run the deployment: supervisor, workers, dispatchers", command_start},
	{ "db",   "create, check and print the database's tables",        command_db   },
	{ NULL,   NULL,						   NULL         },
};

static int usage(FILE *out)
{
	(void)fputs("Usage: dray COMMAND [OPTIONS] [ARGUMENTS]\n\nCommands:\n", out);
	for (const struct command *command = commands; command->name; command++)
		(void)fprintf(out, "  %-12s %s\n", command->name, command->summary);
	return out == stdout ? EXIT_STOPPED : EXIT_USAGE;
}

static const struct command *find(const char *name)
{
	for (const struct command *command = commands; command->name; command++)
		if (strcmp(command->name, name) == 0)
			return command;
	return NULL;
}

static int run(struct cli *cli, int argc, char **argv)
{
	if (argc < 2)
		return usage(stderr);
	const struct command *command = find(argv[1]);
	if (!command)
		return usage(stderr);
	return command->run(cli, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
	struct cli cli = { .arena = arena_new() };

	process_standard_fds();
	process_init(argc, argv);
	int code = run(&cli, argc, argv);
	db_close(cli.db);
	config_free(cli.config);
	arena_free(cli.arena);
	return code;
}
