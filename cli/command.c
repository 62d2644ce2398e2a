#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "common/process.h"
#include "common/text/parse.h"

#define MAXIMUM_COMMANDS 64

const struct command *command_find(const struct cli *cli, const char *name)
{
	for (size_t i = 0; cli->commands[i]; i++)
		if (strcmp(cli->commands[i]->name, name) == 0)
			return cli->commands[i];
	for (size_t i = 0; cli->hidden_commands[i]; i++)
		if (strcmp(cli->hidden_commands[i]->name, name) == 0)
			return cli->hidden_commands[i];
	return NULL;
}

/* The command with a similar name, or the first one that begins with it; NULL if there is none. */
static const char *nearest_command(const struct cli *cli, const char *name)
{
	const char *names[MAXIMUM_COMMANDS] = { NULL };
	size_t count = 0;

	for (; count < MAXIMUM_COMMANDS && cli->commands[count]; count++)
		names[count] = cli->commands[count]->name;
	const char *nearest = nearest_word(name, names, count);
	for (size_t i = 0; i < count && !nearest && *name; i++)
		if (strncmp(names[i], name, strlen(name)) == 0)
			nearest = names[i];
	return nearest;
}

/* What other programs call it, and what it is here. */
static const struct {
	const char *tried, *meant;
} habits[] = {
	{ "status", "`dray stats` counts jobs and processes, `dray top` watches them" },
	{ "ps", "`dray processes`" },
	{ "workers", "`dray processes`" },
	{ "logs",
	  "`dray start` writes its log to standard error (journalctl -u dray); `dray job ID` has "
	  "what became of a job" },
	{ "log",
	  "`dray start` writes its log to standard error (journalctl -u dray); `dray job ID` has "
	  "what became of a job" },
	{ "stop",
	  "Ctrl-C or TERM stops `dray start` (systemctl stop dray); `dray pause` stops a queue" },
	{ "restart", "`dray reload` takes over changed files" },
	{ "migrate", "`dray db migrate`" },
	{ "init", "`dray db migrate` makes the tables; the files are config/queue.yml (in a Rails "
		  "application config/dray.yml) and config/jobs.yml" },
	{ "setup", "`dray db migrate` makes the tables; the files are config/queue.yml (in a Rails "
		   "application config/dray.yml) and config/jobs.yml" },
	{ "run", "`dray start` runs the deployment, `dray enqueue` a job" },
	{ "list", "`dray jobs`" },
	{ "ls", "`dray jobs`" },
	{ "delete", "`dray discard`, `dray cancel` or `dray clear`" },
	{ "rm", "`dray discard`, `dray cancel` or `dray clear`" },
};

static const char *habit(const char *name)
{
	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++)
		if (strcmp(habits[i].tried, name) == 0)
			return habits[i].meant;
	return NULL;
}

int cli_unknown_command(const struct cli *cli, const char *name)
{
	const char *nearest = nearest_command(cli, name);
	const char *known = habit(name);

	if (known)
		cli_complain("\"%s\" is not a command: %s", name, known);
	else if (nearest)
		cli_complain("\"%s\" is not a command: did you mean \"%s\"?", name, nearest);
	else
		cli_complain("\"%s\" is not a command: `dray help` lists them", name);
	return EXIT_USAGE;
}

/* What the parser of a command needs. */
struct invocation {
	const struct command *command;
	struct cli *cli;
	void *input;
};

static error_t parse(int key, char *value, struct argp_state *state)
{
	const struct invocation *invocation = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = invocation->cli;
	if (!invocation->command->parse)
		return key == ARGP_KEY_INIT ? 0 : ARGP_ERR_UNKNOWN;
	state->input = invocation->input;
	return invocation->command->parse(key, value, state);
}

/* All relative paths start there: those of the files, the database, the password and the jobs. */
static int enter_root(struct cli *cli)
{
	const char *root = cli->request.root;

	if (root)
		cli->request.root = ".";
	if (!root || chdir(root) == 0)
		return EXIT_STOPPED;
	cli_complain("--root: %s: %s", root, strerrordesc_np(errno));
	return EXIT_USAGE;
}

/* For people, who may have meant another day or zone; scripts get it with --verbose. */
static void say_understood(const struct cli *cli)
{
	if (cli->understood && !cli->quiet && (cli->verbose || isatty(STDERR_FILENO) == 1))
		cli_complain("%s", cli->understood);
}

int command_run(const struct command *command, struct cli *cli, int argc, char **argv)
{
	static const struct argp_child children[] = {
		{ &global_argp, 0, "Global options:", 20 },
		{ 0 },
	};
	struct invocation invocation = {
		.command = command,
		.cli = cli,
		.input = arena_alloc(cli->arena, command->input_size),
	};
	struct argp argp = *command->argp;

	if (command->input)
		memcpy(invocation.input, command->input, command->input_size);
	argp.parser = parse;
	argp.children = children;
	argp.help_filter = help_filter;
	if (arguments_parse(&argp, argc, argv, 0, &invocation) != 0)
		return EXIT_USAGE;
	cli->request.needs = command->needs;
	say_understood(cli);
	int code = enter_root(cli);
	return code == EXIT_STOPPED ? command->run(cli, invocation.input) : code;
}
