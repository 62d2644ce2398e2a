#include "cli/commands.h"
#include "common/process.h"
#include "db/schema.h"
#include "supervisor/supervisor.h"

struct start {
	struct cli *cli;
	bool migrate;
};

static const struct argp_option options[] = {
	{"migrate", 'm', NULL, 0, "create or update the tables first", 0 },
	{ 0    },
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	struct start *start = state->input;

	(void)value;
	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = start->cli;
	else if (key == 'm')
		start->migrate = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

int command_start(struct cli *cli, int argc, char **argv)
{
	static const struct argp_child children[] = {
		{&global_argp,       0, "Global options:", 20 },
                { 0}
	};
	static const struct argp argp = { .options = options,
					  .parser = parse,
					  .children = children };
	struct start start = { .cli = cli };
	struct error error = { 0 };
	size_t applied;

	if (argp_parse(&argp, argc, argv, 0, NULL, &start) != 0)
		return EXIT_USAGE;
	int code = cli_configure(cli);
	if (code == EXIT_STOPPED && start.migrate) {
		code = cli_connect(cli);
		if (code == EXIT_STOPPED &&
		    schema_migrate(cli->db, cli->arena, &applied, &error) != STATUS_OK)
			code = cli_fail(&error);
		db_close(cli->db);
		cli->db = NULL;
	}
	return code == EXIT_STOPPED ? supervisor_run(cli->config, NULL) : code;
}
