/*
 * The program: the global options before the command's name, the table of commands, and how the
 * process begins and ends. Called by another name it is a host of modules (worker/host/).
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/audit.h"
#include "cli/cli.h"
#include "cli/deploy/deploy.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "cli/queues/queues.h"
#include "cli/recurring/recurring.h"
#include "cli/reference/reference.h"
#include "cli/top/top.h"
#include "common/process.h"
#include "common/text/text.h"
#include "worker/host/main.h"

/* dray version */

/* What `dray version` and --version print: an argp_program_version_hook; state may be NULL. */
static void version_print(FILE *stream, struct argp_state *state)
{
	(void)state;
	(void)fprintf(stream, "dray %s\nbackends: %s\n", DRAY_VERSION, db_backends());
}

static json_t *backends(void)
{
	json_t *list = json_array();

	for (const char *at = db_backends(); *at;) {
		size_t length = strcspn(at, " ");
		json_array_append_new(list, json_stringn(at, length));
		at += length + strspn(at + length, " ");
	}
	return list;
}

static int run_version(struct cli *cli, void *input)
{
	(void)input;
	if (cli->json)
		json_print(cli, json_pack("{s:s, s:o}", "version", DRAY_VERSION, "backends",
					  backends()));
	else
		version_print(stdout, NULL);
	return EXIT_STOPPED;
}

static const struct argp version_argp = {
	.doc = "Print the version and the databases that this program was built for."
	       "\vExamples:\n"
	       "  dray version\n"
	       "  dray version --json",
};

static const struct command version_command = {
	.name = "version",
	.summary = "print the version and the supported databases",
	.argp = &version_argp,
	.output = "an object with `version` and `backends` (array of texts).",
	.run = run_version,
};

/* Those that are listed; but start, those of roles and watch come before them. */
static const struct command *const listed[] = {
	&reload_command,    &check_command,        &db_command,      &enqueue_command,
	&jobs_command,      &job_command,          &why_command,     &errors_command,
	&retry_command,     &cancel_command,       &discard_command, &run_now_command,
	&move_command,      &reprioritize_command, &clear_command,   &queues_command,
	&stats_command,     &top_command,          &pause_command,   &resume_command,
	&recurring_command, &processes_command,    &audit_command,   &doctor_command,
	&health_command,    &version_command,      &help_command,    NULL,
};
static const struct command *commands[sizeof(listed) / sizeof(listed[0]) + ROLES_MOST + 2];

static void list_commands(struct arena *arena)
{
	size_t count = 0;

	commands[count++] = &start_command;
	count += role_commands(arena, commands + count);
	commands[count++] = &watch_command;
	for (size_t i = 0; listed[i]; i++)
		commands[count++] = listed[i];
}

/* Those that no text for users names. */
static const struct command *const hidden_commands[] = {
	&complete_command,
#ifdef DRAY_FAULTS
	&faults_command,
#endif
	NULL,
};

/* What the root parser finds: the global options before the command, and the command's position. */
struct root {
	struct cli *cli;
	int command; /* index in argv; 0 = none */
};

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's type */
static error_t parse_root(int key, char *value, struct argp_state *state)
{
	struct root *root = state->input;

	(void)value;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = root->cli;
		return 0;
	case ARGP_KEY_ARG:
		root->command = state->next - 1;
		state->next = state->argc; /* the rest is left to the command's parser */
		return 0;
	case ARGP_KEY_NO_ARGS:
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
		argp_state_help(state, stderr, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
		return EINVAL;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* An argp help_filter that puts the list of commands below the first paragraph. */
static char *filter(int key, const char *text, void *input)
{
	struct text all = { 0 };

	if (key != ARGP_KEY_HELP_PRE_DOC)
		return help_filter(key, text, input);
	text_printf(&all, "%s\n\nCommands:\n", text);
	for (size_t i = 0; commands[i]; i++)
		text_printf(&all, "  %-14s%s\n", commands[i]->name, commands[i]->summary);
	return all.data; /* argp frees it */
}

static const struct argp_child children[] = {
	{ &global_argp, 0, "Global options, before or after the command:", 20 },
	{ 0 },
};

static const struct argp root_argp = {
	.parser = parse_root,
	.args_doc = "COMMAND [ARGUMENT...]",
	.doc = "Background jobs in the database you already have."
	       "\vExamples:\n"
	       "  dray start --migrate            run what config/queue.yml describes\n"
	       "  dray enqueue CompressJob a.log  enqueue a job\n"
	       "  dray help enqueue               show the help of one command",
	.children = children,
	.help_filter = filter,
};

/*
 * Runs at every exit, argp's included. Output that could not be written is an error (a full disk),
 * except after EPIPE: then the process dies of SIGPIPE, as it would have if main did not ignore it.
 */
static void close_output(void)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return;
	if (errno == EPIPE) {
		(void)signal(SIGPIPE, SIG_DFL);
		(void)raise(SIGPIPE);
	}
	cli_complain("standard output: %s",
		     errno ? strerrordesc_np(errno) : "could not be written");
	_exit(EXIT_ERROR);
}

static int run_command(struct cli *cli, int argc, char **argv)
{
	struct root root = { .cli = cli };

#ifdef DRAY_FAULTS
	if (!faults_are_known(cli->arena))
		return EXIT_USAGE;
#endif
	if (arguments_parse(&root_argp, argc, argv, ARGP_IN_ORDER, &root) != 0 || !root.command)
		return EXIT_USAGE;
	char *name = argv[root.command];
	const struct command *command = command_find(cli, name);
	if (!command)
		return cli_unknown_command(cli, name);
	argv[root.command] = arena_printf(cli->arena, "dray %s", name);
	return command_run(command, cli, argc - root.command, argv + root.command);
}

static int dray_main(int argc, char **argv)
{
	struct cli cli = { .commands = commands,
			   .hidden_commands = hidden_commands,
			   .root = &root_argp,
			   .arena = arena_new(),
			   .request.check_url = db_check_url,
			   .request.url_below = db_url_below };

	list_commands(cli.arena);
	argp_err_exit_status = EXIT_USAGE;
	argp_program_version_hook = version_print;
	(void)signal(SIGPIPE, SIG_IGN); /* a closed connection is an error, not our end */
	(void)signal(SIGXFSZ,
		     SIG_IGN); /* likewise a file that may not grow (ulimit, LimitFSIZE=) */
	if (atexit(close_output) != 0) {
		cli_complain("no memory");
		return EXIT_ERROR;
	}
	int code = run_command(&cli, argc, argv);
	db_close(cli.db);
	config_free(cli.config);
	arena_free(cli.arena);
	return code;
}

int main(int argc, char **argv)
{
	bool host = argc > 0 && strcmp(argv[0], HOST_NAME) == 0;

	process_settle();
	process_init(argc, argv);
	return host ? host_main(argc, argv) : dray_main(argc, argv);
}
