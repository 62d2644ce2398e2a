#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/commands.h"
#include "common/process.h"
#include "db/schema.h"
#include "supervisor/supervisor.h"
#include "worker/handler.h"

struct start {
	bool migrate;
	const char *pidfile;
};

enum key { KEY_PIDFILE = 1 };

static const struct argp_option options[] = {
	{ "migrate", 'm', NULL, 0, "create or update the tables first", 0 },
	{ "pidfile", KEY_PIDFILE, "PATH", 0, "refuse to start beside a living supervisor", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct start *start = state->input;

	if (key == 'm')
		start->migrate = true;
	else if (key == KEY_PIDFILE)
		start->pidfile = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void report(void *context, const struct config_class *class, const char *text)
{
	const bool *fatal = context;

	(void)class;
	cli_complain("%s%s", *fatal ? "" : "warning: ", text);
}

/* A program that is missing may be installed later; a module that does not load stays wrong. */
static int check_handlers(struct cli *cli)
{
	struct error error = { 0 };
	bool fatal = handlers_try(cli->arena, cli->config, &error) != STATUS_OK;

	if (fatal || !cli->quiet)
		(void)handler_check(cli->config, report, &fatal);
	return fatal ? EXIT_USAGE : EXIT_STOPPED;
}

/* In a child, because modules run code when they are loaded and stay loaded. */
static int check_handlers_apart(struct cli *cli)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		cli_complain("fork: %s", strerrordesc_np(errno));
		return EXIT_ERROR;
	}
	if (pid == 0)
		_exit(check_handlers(cli));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return EXIT_BUG;
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	cli_complain("loading the modules of jobs.yml crashed with signal SIG%s",
		     sigabbrev_np(WTERMSIG(status)));
	return EXIT_USAGE;
}

static int migrate(struct cli *cli)
{
	struct error error = { 0 };
	size_t applied;
	int code = cli_open(cli, CLI_CREATE);

	if (code == EXIT_STOPPED &&
	    schema_migrate(cli->db, cli->arena, &applied, &error) != STATUS_OK)
		code = cli_fail(&error);
	db_close(cli->db); /* nothing may be open when the supervisor forks */
	cli->db = NULL;
	return code;
}

static int run(struct cli *cli, void *input)
{
	const struct start *start = input;
	int code = cli_configure_loudly(cli);

	if (code == EXIT_STOPPED)
		code = check_handlers_apart(cli);
	if (code == EXIT_STOPPED && start->migrate)
		code = migrate(cli);
	if (code != EXIT_STOPPED)
		return code;
	if (start->pidfile)
		cli->config->process.supervisor_pidfile = start->pidfile;
	(void)signal(SIGPIPE, SIG_DFL); /* the roles decide for themselves */
	return supervisor_run(cli->config, NULL);
}

static const struct argp argp = {
	.options = options,
	.doc = "Run the deployment of config/queue.yml in the foreground: a supervisor with its "
	       "workers and dispatchers. TERM or INT ends it when the running jobs are done or "
	       "shutdown_timeout is over, QUIT at once; unfinished jobs go back to their queue."
	       "\vExamples:\n"
	       "  dray start\n"
	       "  dray start --migrate --environment production\n"
	       "  dray start --database sqlite3:/var/lib/app/dray.sqlite3 --pidfile /run/dray.pid",
};

const struct command start_command = {
	.name = "start",
	.summary = "run the deployment: supervisor, workers, dispatchers",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct start),
	.run = run,
};
