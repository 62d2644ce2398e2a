#include <signal.h>

#include "cli/deploy/container.h"
#include "cli/deploy/deploy.h"
#include "cli/deploy/handlers.h"
#include "cli/deploy/switches.h"
#include "common/process.h"
#include "db/schema/schema.h"
#include "supervisor/supervisor.h"

struct start {
	bool migrate, wait;
	const char *pidfile;
	struct switches switches;
};

enum key { KEY_PIDFILE = 1, KEY_WAIT };

static const struct argp_option options[] = {
	{ "migrate", 'm', NULL, 0, "create or update the tables first", 0 },
	{ "pidfile", KEY_PIDFILE, "PATH", 0,
	  "pidfile; refuse to start while the supervisor it names is running", 0 },
	{ "wait", KEY_WAIT, NULL, 0, WAIT_DOC, 0 },
	SWITCH_OPTIONS,
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct start *start = state->input;

	if (key == 'm')
		start->migrate = true;
	else if (key == KEY_PIDFILE)
		start->pidfile = value;
	else if (key == KEY_WAIT)
		start->wait = true;
	else
		return switches_parse(&start->switches, key, value, state);
	return 0;
}

static enum status migrate(void *context, struct error *error)
{
	struct cli *cli = context;
	struct arena *arena = arena_new();
	size_t count;
	enum status status = cli_database(cli, CLI_CREATE, error);

	if (status == STATUS_OK)
		status = schema_migrate(cli->db, arena, &count, error);
	if (status == STATUS_OK)
		status = schema_mend(cli->db, arena, &count, error);
	arena_free(arena);
	db_close(cli->db); /* no connection may be open when the supervisor forks */
	cli->db = NULL;
	return status;
}

/* Options of the command line take precedence, also after a reload. */
static void override(struct config *config, const struct start *start)
{
	if (start->pidfile)
		config->process.supervisor_pidfile = start->pidfile;
}

static enum status require_pidfile(const struct config *config, struct error *error)
{
	const char *path = config->process.supervisor_pidfile;

	return path ? cli_require_state(config, arena_printf(config->arena, "pidfile %s", path),
					path, error)
		    : STATUS_OK;
}

struct origin {
	const struct cli *cli;
	const struct start *start;
};

static enum status load(void *context, struct arena *arena, struct config **config,
			struct config_problems *problems)
{
	const struct origin *origin = context;
	enum status status = cli_load(origin->cli, arena, config, problems);

	if (status == STATUS_OK)
		override(*config, origin->start);
	return status;
}

static int run(struct cli *cli, void *input)
{
	const struct start *start = input;
	struct origin origin = { cli, start };
	const struct config_source source = { load, &origin };
	const struct supervisor_options supervisor = {
		.source = &source,
		.wait = start->wait,
		.prepare = start->migrate ? migrate : NULL,
		.context = cli,
	};

	container_enter();
	switches_request(&start->switches, cli);
	struct error error = { 0 };
	int code = cli_configure_loudly(cli);

	if (code == EXIT_STOPPED)
		code = check_handlers(cli);
	if (code != EXIT_STOPPED)
		return code;
	override(cli->config, start);
	if (require_pidfile(cli->config, &error) != STATUS_OK)
		return cli_fail(&error);
	cli_keep_level(cli);
	(void)signal(SIGPIPE, SIG_DFL); /* each role sets its own handling */
	return supervisor_run(cli->config, &supervisor);
}

static const struct argp argp = {
	.options = options,
	.doc = "Run the deployment of config/queue.yml in the foreground: a supervisor with its "
	       "workers, dispatchers and scheduler. TERM or INT stops it: running jobs have "
	       "shutdown_timeout to finish; those that have not finished then get TERM, and KILL "
	       "after their grace. QUIT stops it at once. Unfinished jobs go back to their queues. "
	       "HUP (or `dray reload`) makes it read its configuration again. The switches of "
	       "Solid Queue's bin/jobs are accepted, with dashes or underscores. A database that "
	       "is away is waited for. What it refuses at the start (the login, the database, "
	       "missing tables) ends the command with status 2, or is waited for with --wait; a "
	       "file or folder that cannot be used always ends it."
	       "\vExamples:\n"
	       "  dray start\n"
	       "  dray start --migrate --environment production\n"
	       "  dray start --wait\n"
	       "  dray start --only-recurring\n"
	       "  dray start --database sqlite3:/var/lib/app/dray.sqlite3 --pidfile /run/dray.pid",
};

const struct command start_command = {
	.name = "start",
	.summary = "run the deployment: a supervisor and its processes",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct start),
	.run = run,
};
