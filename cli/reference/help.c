#include <stdio.h>
#include <string.h>

#include "cli/reference/reference.h"
#include "common/process.h"
#include "common/text/text.h"

struct help {
	const char *command;
	const char *format;
};

enum key { KEY_FORMAT = 1 };

static const struct argp_option options[] = {
	{ "format", KEY_FORMAT, "NAME", OPTION_HIDDEN, "man, markdown, bash, zsh or fish", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct help *help = state->input;

	if (key == KEY_FORMAT)
		help->format = value;
	else if (key == ARGP_KEY_ARG && !help->command)
		help->command = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* By the name of --format. */
static const struct reference {
	const char *name;
	void (*write)(FILE *file, const struct command *const commands[]);
} references[] = {
	{ "man", reference_man }, { "markdown", reference_markdown }, { "bash", reference_bash },
	{ "zsh", reference_zsh }, { "fish", reference_fish },         { 0 },
};

static int write_reference(const struct cli *cli, const char *format)
{
	for (const struct reference *reference = references; reference->name; reference++)
		if (strcmp(reference->name, format) == 0) {
			reference->write(stdout, cli->commands);
			return EXIT_STOPPED;
		}
	cli_complain("--format: expected man, markdown, bash, zsh or fish");
	return EXIT_USAGE;
}

static int run(struct cli *cli, void *input)
{
	const struct help *help = input;
	char name[] = "dray";
	char option[] = "--help";
	char *argv[] = { name, option, NULL };

	if (help->format)
		return write_reference(cli, help->format);
	if (!help->command) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
		argp_help(cli->root, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
			  name);
		return EXIT_STOPPED;
	}
	const struct command *command = command_find(cli, help->command);
	if (!command)
		return cli_unknown_command(cli, help->command);
	argv[0] = arena_printf(cli->arena, "dray %s", command->name);
	return command_run(command, cli, 2, argv);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "[COMMAND]",
	.doc = "List all commands, or print the help of one of them."
	       "\vExamples:\n"
	       "  dray help\n"
	       "  dray help enqueue",
};

const struct command help_command = {
	.name = "help",
	.summary = "list the commands, or print the help of one",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct help),
	.run = run,
};
