#include <stdio.h>

#include "cli/commands.h"
#include "common/process.h"

struct help {
	const char *command;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct help *help = state->input;

	if (key != ARGP_KEY_ARG || help->command)
		return ARGP_ERR_UNKNOWN;
	help->command = value;
	return 0;
}

static int run(struct cli *cli, void *input)
{
	const struct help *help = input;
	char name[] = "dray";
	char option[] = "--help";
	char *argv[] = { name, option, NULL };

	if (!help->command) {
		argp_help(&root_argp, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
			  name);
		return EXIT_STOPPED;
	}
	const struct command *command = command_find(help->command);
	if (!command)
		return cli_unknown_command(help->command);
	argv[0] = arena_printf(cli->arena, "dray %s", command->name);
	return command_run(command, cli, 2, argv);
}

static const struct argp argp = {
	.parser = parse,
	.args_doc = "[COMMAND]",
	.doc = "Print all commands, or how one of them is used."
	       "\vExamples:\n"
	       "  dray help\n"
	       "  dray help enqueue",
};

const struct command help_command = {
	.name = "help",
	.summary = "print all commands, or how one is used",
	.argp = &argp,
	.input_size = sizeof(struct help),
	.run = run,
};
