#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "common/process.h"
#include "db/schema.h"

struct db_command {
	struct cli *cli;
	const char *verb;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct db_command *command = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = command->cli;
	else if (key == ARGP_KEY_ARG && !command->verb)
		command->verb = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static int migrate(struct cli *cli)
{
	struct error error = { 0 };
	size_t applied;

	if (schema_migrate(cli->db, cli->arena, &applied, &error) != STATUS_OK)
		return cli_fail(&error);
	(void)printf("%zu migrations applied\n", applied);
	return EXIT_STOPPED;
}

int command_db(struct cli *cli, int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&global_argp,       0, "Global options:", 20 },
                { 0}
	};
	static const struct argp argp = { .parser = parse,
					  .args_doc = "migrate",
					  .children = children };
	struct db_command command = { .cli = cli };

	if (argp_parse(&argp, argc, argv, 0, NULL, &command) != 0)
		return EXIT_USAGE;
	int code = cli_connect(cli);
	if (code == EXIT_STOPPED && command.verb && strcmp(command.verb, "migrate") == 0)
		code = migrate(cli);
	return code;
}
