/*
 * What every command stands on (cli.h): messages, the global options, the files and the database,
 * and how a command is found, parsed and run. A message is one line, whatever names it contains.
 * Each command names the parts of the files that it needs: a mistake elsewhere is one warning, and
 * does not stop it.
 */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/output/cells.h"
#include "common/log/log.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "db/schema/schema.h"

/* Global options, messages, files, database */

enum key {
	KEY_JOBS = 1000,
	KEY_RECURRING,
	KEY_ROOT,
	KEY_DATABASE,
	KEY_JSON,
	KEY_WIDE,
	KEY_COLOR,
	KEY_NO_COLOR
};

static const struct argp_option global_options[] = {
	{ "config-file", 'c', "PATH", 0, "queue.yml (default config/queue.yml)", 0 },
	{ "config", 0, NULL, OPTION_ALIAS, NULL, 0 },
	{ "config_file", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 }, /* as in bin/jobs */
	{ "jobs-file", KEY_JOBS, "PATH", 0, "jobs.yml (default config/jobs.yml)", 0 },
	{ "jobs", 0, NULL, OPTION_ALIAS, NULL, 0 },
	{ "recurring-file", KEY_RECURRING, "PATH", 0,
	  "recurring.yml (default config/recurring.yml)", 0 },
	{ "recurring_schedule_file", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },
	{ "recurring-schedule-file", 0, NULL, OPTION_ALIAS | OPTION_HIDDEN, NULL, 0 },
	{ "root", KEY_ROOT, "DIR", 0, "change to this directory first; relative paths start there",
	  0 },
	{ "environment", 'e', "NAME", 0, "section of the files to use (default development)", 0 },
	{ "database", KEY_DATABASE, "URL", 0, "sqlite3:PATH, postgres://... or mysql://...", 0 },
	{ "json", KEY_JSON, NULL, 0, "print JSON", 0 },
	{ "wide", KEY_WIDE, NULL, 0, "print all columns in full, even if lines wrap on a terminal",
	  0 },
	{ "color", KEY_COLOR, NULL, 0, "use colour even if output is not a terminal", 0 },
	{ "no-color", KEY_NO_COLOR, NULL, 0, "use no colour, even on a terminal", 0 },
	{ "quiet", 'q', NULL, 0, "print no progress, and no warnings other than the log's", 0 },
	{ "verbose", 'v', NULL, 0, "print more detail", 0 },
	{ 0 },
};

/* Where to store the value of a text option; NULL if the key is not that of one. */
static const char **text_option(struct cli *cli, int key)
{
	switch (key) {
	case 'c':
		return &cli->request.config_file;
	case KEY_JOBS:
		return &cli->request.jobs_file;
	case KEY_RECURRING:
		return &cli->request.recurring_file;
	case KEY_ROOT:
		return &cli->request.root;
	case 'e':
		return &cli->request.environment;
	case KEY_DATABASE:
		return &cli->request.database_url;
	default:
		return NULL;
	}
}

/* NOLINTNEXTLINE(readability-non-const-parameter): argp's type */
static error_t parse_global(int key, char *value, struct argp_state *state)
{
	struct cli *cli = state->input;
	const char **text = text_option(cli, key);

	if (text)
		*text = value;
	else if (key == KEY_JSON)
		cli->json = true;
	else if (key == KEY_WIDE)
		cli->wide = true;
	else if (key == KEY_COLOR || key == KEY_NO_COLOR)
		cli->color = key == KEY_COLOR ? COLOR_ALWAYS : COLOR_NEVER;
	else if (key == 'q')
		cli->quiet = true;
	else if (key == 'v')
		cli->verbose = true;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

const struct argp global_argp = { .options = global_options, .parser = parse_global };

int cli_fail(const struct error *error)
{
	static const int codes[] = {
		[STATUS_NONE] = EXIT_ERROR,     [STATUS_RETRY] = EXIT_DATABASE,
		[STATUS_DOWN] = EXIT_DATABASE,  [STATUS_UNCERTAIN] = EXIT_DATABASE,
		[STATUS_CONFLICT] = EXIT_ERROR, [STATUS_INVALID] = EXIT_USAGE,
		[STATUS_FATAL] = EXIT_ERROR, /* mostly the database's refusal: permissions, tables
					      */
	};

	cli_complain("%s", error->text);
	return codes[error->status];
}

static PRINTF_LIKE(2, 0) void complain(const char *kind, const char *format, va_list args)
{
	struct error line = { 0 }; /* error_set keeps it on one line, whatever names it contains */

	(void)error_set_va(&line, STATUS_INVALID, format, args);
	struct arena *arena = arena_new();
	(void)fprintf(stderr, "dray: %s%s\n", kind, cell_clean(arena, line.text));
	arena_free(arena);
}

void cli_complain(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	complain("", format, args);
	va_end(args);
}

void cli_warn(const struct cli *cli, const char *format, ...)
{
	va_list args;

	if (cli->quiet)
		return;
	va_start(args, format);
	complain("warning: ", format, args);
	va_end(args);
}

static void warn_of_others(const struct cli *cli, const struct config_problem *first, size_t count)
{
	if (count == 1)
		cli_warn(cli, "%s (this command does not need that part)", first->text);
	else if (count > 1)
		cli_warn(cli, "%s (and %zu more mistake%s; this command does not need those parts)",
			 first->text, count - 1, count == 2 ? "" : "s");
}

static void print_problems(const struct cli *cli, const struct config_problems *problems,
			   bool warnings)
{
	const struct config_problem *first = NULL;
	size_t elsewhere = 0;

	for (size_t i = 0; i < problems->count; i++) {
		const struct config_problem *problem = &problems->list[i];
		if (problem->elsewhere) {
			first = first ? first : problem;
			elsewhere++;
		} else if (!problem->warning) {
			cli_complain("%s", problem->text);
		} else if (warnings) {
			cli_warn(cli, "%s", problem->text);
		}
	}
	if (!cli->request.keep_faulty)
		warn_of_others(cli, first, elsewhere);
}

static enum log_level log_level(const struct cli *cli, const struct config *config)
{
	if (cli->verbose)
		return LOG_DEBUG;
	return cli->quiet && config->log.level < LOG_WARN ? LOG_WARN : config->log.level;
}

/*
 * Root uses nothing that the files name where another user can write: it is that user from here on.
 */
static enum status become_owner(struct config **config, struct arena *arena, bool running,
				struct config_problems *problems)
{
	struct config_problem *problem = arena_alloc(arena, sizeof(*problem));
	struct error error = { 0 };

	if (!(*config)->state ||
	    process_become_owner((*config)->state, running, &error) == STATUS_OK)
		return STATUS_OK;
	problem->text = arena_strdup(arena, error.text);
	*problems = (struct config_problems){ .list = problem, .count = 1 };
	config_free(*config);
	*config = NULL;
	return STATUS_INVALID;
}

enum status cli_read(struct cli *cli, struct config_problems *problems)
{
	enum status status = config_load(&cli->config, cli->arena, &cli->request, problems);

	if (cli->config && become_owner(&cli->config, cli->arena, false, problems) != STATUS_OK)
		return STATUS_INVALID;
	return status;
}

static int configure(struct cli *cli, bool warnings)
{
	struct config_problems problems = { 0 };
	enum status status = cli_read(cli, &problems);

	print_problems(cli, &problems, warnings || cli->verbose);
	if (!cli->config || (status != STATUS_OK && !cli->request.keep_faulty))
		return EXIT_USAGE;
	if (!warnings && !cli->verbose && cli->config->home && isatty(STDERR_FILENO) == 1)
		cli_warn(cli,
			 "there is no folder config here: using the configuration in %s for the "
			 "environment %s, and relative paths in it below %s",
			 cli->config->home, cli->config->environment, cli->config->state);
	if (!warnings && !cli->verbose && cli->config->elsewhere && isatty(STDERR_FILENO) == 1)
		cli_warn(cli, "%s", cli->config->elsewhere);
	const struct log_options log = { .level = log_level(cli, cli->config),
					 .format = cli->config->log.format,
					 .fd = 2 };
	log_configure(&log);
	return EXIT_STOPPED;
}

int cli_configure(struct cli *cli)
{
	return configure(cli, false);
}

int cli_configure_loudly(struct cli *cli)
{
	return configure(cli, true);
}

enum status cli_load(const struct cli *cli, struct arena *arena, struct config **config,
		     struct config_problems *problems)
{
	enum status status = config_load(config, arena, &cli->request, problems);

	if (status == STATUS_OK)
		status = become_owner(config, arena, true, problems);
	if (status == STATUS_OK)
		(*config)->log.level = log_level(cli, *config);
	return status;
}

void cli_keep_level(struct cli *cli)
{
	cli->config->log.level = log_level(cli, cli->config);
}

/* An invalid url is often not the one that was meant, so the message says where it comes from. */
static enum status say_origin(enum status status, const struct config *config, const char *origin,
			      bool said, struct error *error)
{
	const char *elsewhere = config->elsewhere;
	char text[ERROR_TEXT_SIZE];

	if (status != STATUS_INVALID || !error)
		return status;
	(void)snprintf(text, sizeof(text), "%s", error->text);
	if (said)
		return error_set(error, status, "%s (the url comes from %s)", text, origin);
	return error_set(error, status,
			 "%s (the default url: neither a file nor --database gives another%s%s)",
			 text, elsewhere ? "; " : "", elsewhere ? elsewhere : "");
}

enum status cli_require_state(const struct config *config, const char *what, const char *path,
			      struct error *error)
{
	const char *state = config->state;

	if (!state || strncmp(path, state, strlen(state)) != 0 || path[strlen(state)] != '/' ||
	    access(state, F_OK) == 0 || errno != ENOENT)
		return STATUS_OK;
	return error_set(
		error, STATUS_INVALID,
		"%s: there is no folder %s; 'install -d -o dray -g dray %s' creates it for "
		"dray's units",
		what, state, state);
}

static enum status require_state(const struct config *config, struct error *error)
{
	const char *url = config->database.url;

	if (!db_is_file(url))
		return STATUS_OK;
	const char *path = strchrnul(url, ':');
	path += strncmp(path, ":///", 4) == 0 ? 3 : *path == ':';
	return cli_require_state(config, url, path, error);
}

enum status cli_database(struct cli *cli, enum cli_open how, struct error *error)
{
	struct config *config = cli->config;
	const char *origin = config_origin(config, "database.url");
	bool said = origin && strcmp(origin, "default") != 0;
	const struct db_options db_options = {
		.schema = config->database.schema,
		.password_file = config->database.password_file,
		.connect_timeout = config->database.connect_timeout,
		.call_timeout = config->database.call_timeout,
		.retry_for = db_retry_setting(config->database.retry_for),
		.no_skip_locked = !config->database.use_skip_locked,
		.no_folders = how == CLI_CREATE && said,
		.must_exist = how == CLI_EXISTING,
		.of_rails = config->database.of_rails,
	};

	enum status status = require_state(config, error);
	if (status == STATUS_OK)
		status = db_open(&cli->db, config->database.url, &db_options, error);
	return say_origin(status, config, origin, said, error);
}

int cli_refused(const struct error *error)
{
	int code = cli_fail(error);

	return code == EXIT_USAGE ? EXIT_ERROR : code;
}

int cli_open(struct cli *cli, enum cli_open how)
{
	struct error error = { 0 };
	int code = cli->config ? EXIT_STOPPED : cli_configure(cli);

	if (code == EXIT_STOPPED && cli_database(cli, how, &error) != STATUS_OK)
		code = db_is_file(cli->config->database.url) ? cli_fail(&error)
							     : cli_refused(&error);
	return code;
}

int cli_connect(struct cli *cli)
{
	struct error error = { 0 };
	int code = cli_open(cli, CLI_EXISTING);

	if (code == EXIT_STOPPED && schema_require(cli->db, &error) != STATUS_OK)
		code = cli_refused(&error);
	return code;
}

/* Commands */

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
	{ "ps workers", "`dray processes`" },
	{ "logs log",
	  "`dray start` writes its log to standard error (journalctl -u dray); `dray job ID` has "
	  "what became of a job" },
	{ "stop",
	  "Ctrl-C or TERM stops `dray start` (systemctl stop dray); `dray pause` stops a queue" },
	{ "restart", "`dray reload` takes over changed files" },
	{ "migrate", "`dray db migrate`" },
	{ "init setup",
	  "`dray db migrate` makes the tables; the files are config/queue.yml (in a Rails "
	  "application config/dray.yml) and config/jobs.yml" },
	{ "run", "`dray start` runs the deployment, `dray enqueue` a job" },
	{ "failed", "`dray jobs --state failed`, `dray errors`" },
	{ "show", "`dray job ID`, `dray queues`" },
	{ "info", "`dray job ID`, `dray stats`" },
	{ "tail", "`dray start` writes its log to standard error (journalctl -fu dray)" },
	{ "monitor watch", "`dray top`" },
	{ "health", "`dray doctor`" },
	{ "add", "`dray enqueue`, or `dray recurring add`" },
	{ "push", "`dray enqueue`" },
	{ "requeue", "`dray retry`" },
	{ "kill", "`dray cancel ID` stops a job; a signal to its process stops `dray start`" },
	{ "drain", "USR1 to `dray start`: nothing new is taken; or `dray pause --all`" },
	{ "cron", "`dray recurring`" },
	{ "list ls", "`dray jobs`" },
	{ "delete rm remove", "`dray discard`, `dray cancel` or `dray clear`" },
	{ "purge", "`dray clear` deletes finished jobs, `dray discard` others" },
};

static const char *habit(const char *name)
{
	for (size_t i = 0; i < sizeof(habits) / sizeof(habits[0]); i++)
		if (name_listed(habits[i].tried, name))
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

static error_t parse_command(int key, char *value, struct argp_state *state)
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
	argp.parser = parse_command;
	argp.children = children;
	argp.help_filter = command->unknown ? help_filter_judging : help_filter;
	if (command->unknown)
		argp_err_exit_status = command->unknown;
	if (arguments_parse(&argp, argc, argv, 0, &invocation) != 0)
		return argp_err_exit_status;
	cli->request.needs = command->needs;
	say_understood(cli);
	if (enter_root(cli) != EXIT_STOPPED)
		return argp_err_exit_status;
	return command->run(cli, invocation.input);
}
