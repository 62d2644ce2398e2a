/*
 * dray start, worker and so on: a deployment under its supervisor, or one role of it
 * without. What all of them do first is here, too: they leave process 1 of a container to a process
 * that only collects and passes signals on, and look for the modules and programs of jobs.yml
 * before anything is started. Options of the command line take precedence over the files, also
 * after each reload, so they are applied again to every configuration that is loaded.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/deploy/deploy.h"
#include "common/invariant.h"
#include "common/process.h"
#include "config/settings/setting.h"
#include "db/schema/schema.h"
#include "process/runner.h"
#include "scheduler/scheduler.h"
#include "supervisor/roles.h"
#include "supervisor/supervisor.h"
#include "worker/handler.h"
#include "worker/worker.h"

enum key { KEY_PIDFILE = 1, KEY_ENTRY, KEY_QUEUES, KEY_THREADS, KEY_WAIT };

/* What a container expects of process 1 */

#define KILLED 128 /* plus the signal, as in a shell */

static const int signals[] = { SIGTERM, SIGINT, SIGQUIT, SIGHUP, SIGUSR1, SIGUSR2, SIGCHLD };

/*
 * Collects all children that have ended. Returns the exit status of `child` if it is one of them,
 * otherwise -1.
 */
static int collect(pid_t child)
{
	int code = -1;
	int status;
	pid_t pid;

	while ((pid = waitpid(-1, &status, WNOHANG)) > 0)
		if (pid == child)
			code = WIFEXITED(status) ? WEXITSTATUS(status) : KILLED + WTERMSIG(status);
	return code;
}

/*
 * A signal from the terminal has already reached the whole group; a second one would have another
 * meaning.
 */
static void pass_on(pid_t child, const siginfo_t *info)
{
	if (info->si_code != SI_KERNEL)
		(void)kill(child, info->si_signo);
}

static void stay_behind(pid_t child, const sigset_t *set)
{
	int code = -1;

	process_title("dray: init");
	while (code < 0) {
		siginfo_t info;
		if (sigwaitinfo(set, &info) < 0)
			continue;
		if (info.si_signo == SIGCHLD)
			code = collect(child);
		else
			pass_on(child, &info);
	}
	_exit(code);
}

/*
 * In process 1, forks and returns in the child. The parent passes signals on, collects the
 * processes that jobs leave behind, and exits with the child's status. In any other process it does
 * nothing. To be called before any file or connection is open.
 */
static void container_enter(void)
{
	sigset_t set;
	sigset_t before;

	if (getpid() != 1)
		return;
	(void)sigemptyset(&set);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		(void)sigaddset(&set, signals[i]);
	(void)pthread_sigmask(SIG_BLOCK, &set, &before);
	pid_t child = fork();
	if (child > 0)
		stay_behind(child, &set);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (child < 0)
		cli_complain("cannot fork: continuing as process 1");
}

/* The modules and programs of jobs.yml */

static void report_handler(void *context, bool doubt, const char *text)
{
	const bool *fatal = context;

	cli_complain("%s%s", *fatal && !doubt ? "" : "warning: ", text);
}

/*
 * A missing program is not an error, because it may be installed later; a module that cannot be
 * loaded is.
 */
static int try_handlers(struct cli *cli)
{
	struct error error = { 0 };
	if (cli->config->worker_count > 0 && handlers_require(cli->config, &error) != STATUS_OK)
		return cli_fail(&error);
	bool fatal = handlers_try(cli->arena, cli->config, &error) != STATUS_OK;

	if (fatal || !cli->quiet)
		(void)handler_check(cli->config, report_handler, &fatal);
	return fatal ? EXIT_USAGE : EXIT_STOPPED;
}

/*
 * Loads every module, looks for every program, and prints what is wrong: in a child, because
 * modules run code when they are loaded, and stay loaded. Returns EXIT_STOPPED, or EXIT_USAGE if a
 * module cannot be used.
 */
static int check_handlers(struct cli *cli)
{
	int status;
	pid_t pid = fork();

	if (pid < 0) {
		cli_complain("fork: %s", strerrordesc_np(errno));
		return EXIT_ERROR;
	}
	if (pid == 0)
		_exit(try_handlers(cli));
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR) {
			cli_complain("waitpid: %s", strerrordesc_np(errno));
			return EXIT_ERROR;
		}
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	cli_complain("loading the modules of jobs.yml crashed with signal SIG%s",
		     sigabbrev_np(WTERMSIG(status)));
	return EXIT_USAGE;
}

/* The switches of Solid Queue's bin/jobs */

error_t switches_parse(struct switches *switches, int key, const char *value,
		       const struct argp_state *state)
{
	if (key == SWITCH_SKIP || key == SWITCH_NO_SKIP)
		switches->skip_recurring = key == SWITCH_SKIP ? SAID_YES : SAID_NO;
	else if (key == SWITCH_ONLY || key == SWITCH_NO_ONLY)
		switches->only_recurring = key == SWITCH_ONLY ? SAID_YES : SAID_NO;
	else if (key == SWITCH_MODE)
		switches->mode = value;
	else
		return ARGP_ERR_UNKNOWN;
	if (key == SWITCH_MODE && strcmp(value, "fork") != 0 && strcmp(value, "async") != 0)
		argument_error(state, "--mode: \"%s\", expected fork or async", value);
	return 0;
}

void switches_request(const struct switches *switches, struct cli *cli)
{
	/* Before any thread of ours. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *variable = getenv("SOLID_QUEUE_SUPERVISOR_MODE");
	const char *mode = switches->mode ? switches->mode : variable;

	cli->request.skip_recurring = switches->skip_recurring;
	cli->request.only_recurring = switches->only_recurring;
	if (mode && strcmp(mode, "async") == 0)
		cli_warn(cli,
			 "%s has no effect: each worker, dispatcher and scheduler is a process of "
			 "its own, as with fork",
			 switches->mode ? "--mode async" : "SOLID_QUEUE_SUPERVISOR_MODE=async");
}

/* dray start */

struct start {
	bool migrate, wait;
	const char *pidfile;
	struct switches switches;
};

static const struct argp_option start_options[] = {
	{ "migrate", 'm', NULL, 0, "create or update the tables first", 0 },
	{ "pidfile", KEY_PIDFILE, "PATH", 0,
	  "pidfile; refuse to start while the supervisor it names is running", 0 },
	{ "wait", KEY_WAIT, NULL, 0, WAIT_DOC, 0 },
	SWITCH_OPTIONS,
	{ 0 },
};

static error_t parse_start(int key, const char *value, struct argp_state *state)
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
static void override_start(struct config *config, const struct start *start)
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

struct start_origin {
	const struct cli *cli;
	const struct start *start;
};

static enum status load_start(void *context, struct arena *arena, struct config **config,
			      struct config_problems *problems)
{
	const struct start_origin *origin = context;
	enum status status = cli_load(origin->cli, arena, config, problems);

	if (status == STATUS_OK)
		override_start(*config, origin->start);
	return status;
}

static int run_start(struct cli *cli, void *input)
{
	const struct start *start = input;
	struct start_origin origin = { cli, start };
	const struct config_source source = { load_start, &origin };
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
	override_start(cli->config, start);
	if (require_pidfile(cli->config, &error) != STATUS_OK)
		return cli_fail(&error);
	cli_keep_level(cli);
	(void)signal(SIGPIPE, SIG_DFL); /* each role sets its own handling */
	return supervisor_run(cli->config, &supervisor);
}

static const struct argp start_argp = {
	.options = start_options,
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
	.argp = &start_argp,
	.parse = parse_start,
	.input_size = sizeof(struct start),
	.run = run_start,
};

/* dray worker and so on: one role without a supervisor */

#define MOST_THREADS 1024

struct role_input {
	const struct role *role;
	int64_t entry; /* counted from 1 */
	const char *queues;
	int64_t threads; /* 0 = as configured */
	bool wait;
};

static error_t parse_role(int key, const char *value, struct argp_state *state)
{
	struct role_input *input = state->input;

	if (key == KEY_ENTRY)
		input->entry = argument_number(value, "--entry", 1, state);
	else if (key == KEY_QUEUES)
		input->queues = value;
	else if (key == KEY_THREADS)
		input->threads = argument_number(value, "--threads", 1, state);
	else if (key == KEY_WAIT)
		input->wait = true;
	else
		return ARGP_ERR_UNKNOWN;
	if (input->threads > MOST_THREADS)
		argument_error(state, "--threads: at most %d", MOST_THREADS);
	return 0;
}

/* NULL if the configuration has that entry, otherwise a message. */
static const char *choose(const struct config *config, const struct role *role, int64_t entry)
{
	struct arena *arena = config->arena;
	const size_t count = role->section ? config_entries(config, role->section) : 1;
	const char *by = role == &scheduler_role ? config->skips_recurring : config->only_recurring;

	if ((uint64_t)entry <= count)
		return NULL;
	if (count == 0)
		return arena_printf(arena, "the configuration has no %s%s%s%s", role->word,
				    by ? " (" : "", by ? by : "", by ? ")" : "");
	return arena_printf(arena, "--entry: the configuration has %zu %s%s, not %lld", count,
			    role->word, count == 1 ? "" : "s", (long long)entry);
}

static char *trimmed(char *text)
{
	text += strspn(text, " ");
	for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
		text[end - 1] = '\0';
	return text;
}

/*
 * Splits "a, b*" as if it were the list in queue.yml; the worker refuses invalid names when it
 * starts.
 */
static void set_queues(struct arena *arena, struct config_worker *worker, const char *list)
{
	char *rest = arena_strdup(arena, list);

	worker->queues = arena_array(arena, strlen(list) + 1, sizeof(*worker->queues));
	worker->queue_count = 0;
	for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ","))
		worker->queues[worker->queue_count++] = trimmed(name);
}

/*
 * Options of the command line take precedence, also after a reload. Returns NULL, or what is wrong
 * with them.
 */
static const char *override_role(struct config *config, const struct role_input *input)
{
	const char *fault = choose(config, input->role, input->entry);

	if (fault || input->role != &worker_role)
		return fault;
	struct config_worker *worker = &config->workers[input->entry - 1];
	if (input->queues)
		set_queues(config->arena, worker, input->queues);
	if (input->threads > 0)
		worker->threads = (int)input->threads;
	return NULL;
}

struct role_origin {
	const struct cli *cli;
	const struct role_input *input;
};

static enum status load_role(void *context, struct arena *arena, struct config **config,
			     struct config_problems *problems)
{
	const struct role_origin *origin = context;
	enum status status = cli_load(origin->cli, arena, config, problems);
	const char *fault = status == STATUS_OK ? override_role(*config, origin->input) : NULL;

	if (!fault)
		return status;
	*problems = (struct config_problems){ arena_alloc(arena, sizeof(*problems->list)), 1 };
	problems->list[0].text = arena_strdup(arena, fault);
	config_free(*config);
	return STATUS_INVALID;
}

static int run_alone(struct cli *cli, const struct role_input *input)
{
	struct role_origin origin = { cli, input };
	const struct config_source source = { load_role, &origin };
	const struct runner_options options = {
		.config = cli->config,
		.roles = all_roles,
		.entry = (size_t)input->entry - 1,
		.wait = input->wait,
		.restarted = process_restarted(),
		.source = &source,
		.notice_fd = -1,
		.death_fd = -1,
	};

	cli_keep_level(cli);
	(void)signal(SIGPIPE, SIG_DFL); /* the role sets its own handling */
	int code = runner_main(input->role, &options);
	if (code != RUNNER_RESTART)
		return code;
	process_restart();
	cli_complain("cannot restart: %s", strerrordesc_np(errno));
	return EXIT_ERROR;
}

static int run_role(struct cli *cli, void *data)
{
	const struct role_input *input = data;

	container_enter();
	int code = cli_configure_loudly(cli);
	const char *fault = code == EXIT_STOPPED ? override_role(cli->config, input) : NULL;

	if (fault) {
		cli_complain("%s", fault);
		return EXIT_USAGE;
	}
	if (code == EXIT_STOPPED && input->role == &worker_role)
		code = check_handlers(cli);
	return code == EXIT_STOPPED ? run_alone(cli, input) : code;
}

/* What only a worker has. */
static const struct argp_option queues_option = {
	"queues", KEY_QUEUES, "LIST", 0, "serve these queues instead of the entry's: first,second*",
	0
};
static const struct argp_option threads_option = {
	"threads",
	KEY_THREADS,
	"NUMBER",
	0,
	"number of jobs to run at once, instead of the entry's",
	0
};
static const char worker_examples[] = "  dray worker\n"
				      "  dray worker --entry 2 --wait\n"
				      "  dray worker --queues mail,reports* --threads 5";

static const struct argp_option *role_options(struct arena *arena, const struct role *role,
					      bool list)
{
	const struct argp_option entry = {
		"entry",
		KEY_ENTRY,
		"NUMBER",
		0,
		arena_printf(arena, "which entry of %s in queue.yml to run (default 1)",
			     role->section),
		0
	};
	const struct argp_option wait = { "wait", KEY_WAIT, NULL, 0, WAIT_DOC, 0 };
	struct argp_option *options = arena_array(arena, 5, sizeof(*options));
	size_t count = 0;

	if (list)
		options[count++] = entry;
	if (role == &worker_role) {
		options[count++] = queues_option;
		options[count++] = threads_option;
	}
	options[count] = wait;
	return options;
}

static const char *role_doc(struct arena *arena, const struct role *role, const char *which)
{
	const char *examples =
		role == &worker_role
			? worker_examples
			: arena_printf(arena,
				       "  dray %s --wait\n  dray %s --environment production",
				       role->word, role->word);

	return arena_printf(
		arena,
		"Run %s %s of config/queue.yml in the foreground, without a supervisor: for "
		"containers and service managers, which restart it when it ends. Like a "
		"supervisor, it also finds processes that have vanished and returns their jobs to "
		"the queues. Signals and --wait have the same meaning as for `dray start`."
		"\vExamples:\n%s",
		which, role->word, examples);
}

/* dray watch: not a role of queue.yml, and no supervisor starts it */

static struct role_input watch_input = { .role = &watcher_role, .entry = 1 };

static const struct argp_option watch_options[] = {
	{ "wait", KEY_WAIT, NULL, 0, WAIT_DOC, 0 },
	{ 0 },
};

static const struct argp watch_argp = {
	.options = watch_options,
	.doc = "Only look, in the foreground: run no jobs, but find what should happen and does "
	       "not (see `dray health`), say in the log when it begins and when it ends, and run "
	       "on_alarm and on_well of config/queue.yml. All processes of a deployment share "
	       "that work, so nothing is said twice; this one is for a host of its own, from "
	       "which it is seen that all others are dead. Signals and --wait have the same "
	       "meaning as for `dray start`."
	       "\vExamples:\n"
	       "  dray watch --wait\n"
	       "  dray watch --config-file /etc/dray/watch.yml --database "
	       "postgresql://watcher@db/jobs",
};

const struct command watch_command = {
	.name = "watch",
	.summary = "only look, and tell people of what does not happen",
	.argp = &watch_argp,
	.parse = parse_role,
	.input_size = sizeof(watch_input),
	.input = &watch_input,
	.run = run_role,
};

struct role_command {
	struct role_input input;
	struct argp argp;
	struct command command;
};

/* A role that has no list of entries is there once at most. */
static const struct command *role_command(struct arena *arena, const struct role *role, bool list)
{
	const char *which = list ? "one" : "the";
	struct role_command *own = arena_alloc(arena, sizeof(*own));

	own->input = (struct role_input){ .role = role, .entry = 1 };
	own->argp = (struct argp){ .options = role_options(arena, role, list),
				   .doc = role_doc(arena, role, which) };
	own->command = (struct command){
		.name = role->word,
		.summary = arena_printf(arena, "run %s %s without a supervisor", which, role->word),
		.argp = &own->argp,
		.parse = parse_role,
		.input_size = sizeof(own->input),
		.input = &own->input,
		.run = run_role,
	};
	return &own->command;
}

size_t role_commands(struct arena *arena, const struct command *commands[])
{
	size_t count = 0;
	const struct setting *row;

	for (row = setting_next_role(NULL); row; row = setting_next_role(row))
		for (size_t i = 0; all_roles[i]; i++)
			if (strcmp(all_roles[i]->section, row->key) == 0) {
				INVARIANT(count < ROLES_MOST);
				commands[count++] = role_command(arena, all_roles[i],
								 row->type == SETTING_ENTRIES);
			}
	return count;
}
