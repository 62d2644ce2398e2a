/* dray worker, dispatcher, scheduler: one role without a supervisor. */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cli/deploy/container.h"
#include "cli/deploy/deploy.h"
#include "cli/deploy/handlers.h"
#include "common/process.h"
#include "dispatcher/dispatcher.h"
#include "process/runner.h"
#include "scheduler/scheduler.h"
#include "worker/worker.h"

#define MOST_THREADS 1024

struct role_input {
	int64_t entry; /* counted from 1 */
	const char *queues;
	int64_t threads; /* 0 = as configured */
	bool wait;
};

#define WAIT_OPTION                                                                                \
	{                                                                                          \
		"wait", KEY_WAIT, NULL, 0, WAIT_DOC, 0                                             \
	}

enum key { KEY_ENTRY = 1, KEY_QUEUES, KEY_THREADS, KEY_WAIT };

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct role_input *input = state->input;

	if (key == ARGP_KEY_INIT)
		input->entry = 1;
	else if (key == KEY_ENTRY)
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
static const char *choose(const struct config *config, const struct role *role, int64_t entry,
			  size_t count)
{
	struct arena *arena = config->arena;
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
static const char *override_worker(struct config *config, const struct role_input *input)
{
	const char *fault = choose(config, &worker_role, input->entry, config->worker_count);

	if (fault)
		return fault;
	struct config_worker *worker = &config->workers[input->entry - 1];
	if (input->queues)
		set_queues(config->arena, worker, input->queues);
	if (input->threads > 0)
		worker->threads = (int)input->threads;
	return NULL;
}

static const char *override_dispatcher(struct config *config, const struct role_input *input)
{
	return choose(config, &dispatcher_role, input->entry, config->dispatcher_count);
}

static const char *override_scheduler(struct config *config, const struct role_input *input)
{
	return choose(config, &scheduler_role, input->entry, config->scheduler ? 1 : 0);
}

struct origin {
	const struct cli *cli;
	const struct role_input *input;
	const char *(*override)(struct config *config, const struct role_input *input);
};

static enum status load(void *context, struct arena *arena, struct config **config,
			struct config_problems *problems)
{
	const struct origin *origin = context;
	enum status status = cli_load(origin->cli, arena, config, problems);
	const char *fault = status == STATUS_OK ? origin->override(*config, origin->input) : NULL;

	if (!fault)
		return status;
	*problems = (struct config_problems){ arena_alloc(arena, sizeof(*problems->list)), 1 };
	problems->list[0].text = arena_strdup(arena, fault);
	config_free(*config);
	return STATUS_INVALID;
}

static int run_alone(struct cli *cli, const struct role *role, struct origin *origin)
{
	const struct config_source source = { load, origin };
	const struct runner_options options = {
		.config = cli->config,
		.entry = (size_t)origin->input->entry - 1,
		.wait = origin->input->wait,
		.restarted = process_restarted(),
		.source = &source,
		.notice_fd = -1,
		.death_fd = -1,
	};

	cli_keep_level(cli);
	(void)signal(SIGPIPE, SIG_DFL); /* the role sets its own handling */
	int code = runner_main(role, &options);
	if (code != RUNNER_RESTART)
		return code;
	process_restart();
	cli_complain("cannot restart: %s", strerrordesc_np(errno));
	return EXIT_ERROR;
}

static int run(struct cli *cli, const struct role *role, struct origin *origin)
{
	container_enter();
	int code = cli_configure_loudly(cli);
	const char *fault =
		code == EXIT_STOPPED ? origin->override(cli->config, origin->input) : NULL;

	if (fault) {
		cli_complain("%s", fault);
		return EXIT_USAGE;
	}
	if (code == EXIT_STOPPED && role == &worker_role)
		code = check_handlers(cli);
	return code == EXIT_STOPPED ? run_alone(cli, role, origin) : code;
}

static int run_worker(struct cli *cli, void *input)
{
	struct origin origin = { cli, input, override_worker };

	return run(cli, &worker_role, &origin);
}

static int run_dispatcher(struct cli *cli, void *input)
{
	struct origin origin = { cli, input, override_dispatcher };

	return run(cli, &dispatcher_role, &origin);
}

static int run_scheduler(struct cli *cli, void *input)
{
	struct origin origin = { cli, input, override_scheduler };

	return run(cli, &scheduler_role, &origin);
}

static const struct argp_option worker_options[] = {
	{ "entry", KEY_ENTRY, "NUMBER", 0, "which entry of workers in queue.yml to run (default 1)",
	  0 },
	{ "queues", KEY_QUEUES, "LIST", 0,
	  "serve these queues instead of the entry's: first,second*", 0 },
	{ "threads", KEY_THREADS, "NUMBER", 0,
	  "number of jobs to run at once, instead of the entry's", 0 },
	WAIT_OPTION,
	{ 0 },
};

static const struct argp worker_argp = {
	.options = worker_options,
	.doc = "Run one worker of config/queue.yml in the foreground, without a supervisor: for "
	       "containers and service managers, which restart it when it ends. Like a supervisor, "
	       "it also finds processes that have vanished and returns their jobs to the queues. "
	       "Signals and --wait have the same meaning as for `dray start`."
	       "\vExamples:\n"
	       "  dray worker\n"
	       "  dray worker --entry 2 --wait\n"
	       "  dray worker --queues mail,reports* --threads 5",
};

static const struct argp_option dispatcher_options[] = {
	{ "entry", KEY_ENTRY, "NUMBER", 0,
	  "which entry of dispatchers in queue.yml to run (default 1)", 0 },
	WAIT_OPTION,
	{ 0 },
};

static const struct argp dispatcher_argp = {
	.options = dispatcher_options,
	.doc = "Run one dispatcher of config/queue.yml in the foreground, without a supervisor. "
	       "Like a supervisor, it also finds processes that have vanished and returns their "
	       "jobs to the queues."
	       "\vExamples:\n"
	       "  dray dispatcher --wait\n"
	       "  dray dispatcher --environment production",
};

static const struct argp_option scheduler_options[] = { WAIT_OPTION, { 0 } };

static const struct argp scheduler_argp = {
	.options = scheduler_options,
	.doc = "Run the scheduler of config/queue.yml in the foreground, without a supervisor. "
	       "Like a supervisor, it also finds processes that have vanished and returns their "
	       "jobs to the queues."
	       "\vExamples:\n"
	       "  dray scheduler --wait\n"
	       "  dray scheduler --environment production",
};

const struct command worker_command = {
	.name = "worker",
	.summary = "run one worker without a supervisor",
	.argp = &worker_argp,
	.parse = parse,
	.input_size = sizeof(struct role_input),
	.run = run_worker,
};

const struct command dispatcher_command = {
	.name = "dispatcher",
	.summary = "run one dispatcher without a supervisor",
	.argp = &dispatcher_argp,
	.parse = parse,
	.input_size = sizeof(struct role_input),
	.run = run_dispatcher,
};

const struct command scheduler_command = {
	.name = "scheduler",
	.summary = "run the scheduler without a supervisor",
	.argp = &scheduler_argp,
	.parse = parse,
	.input_size = sizeof(struct role_input),
	.run = run_scheduler,
};
