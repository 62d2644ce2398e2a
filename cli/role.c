/* dray worker, dispatcher, scheduler: one role without a supervisor. */
#include <signal.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/handlers.h"
#include "common/process.h"
#include "dispatcher/dispatcher.h"
#include "scheduler/scheduler.h"
#include "supervisor/runner.h"
#include "worker/worker.h"

#define MOST_THREADS 1024

struct role_input {
	int64_t entry; /* from 1 */
	const char *queues;
	int64_t threads; /* 0 = as configured */
};

enum key { KEY_ENTRY = 1, KEY_QUEUES, KEY_THREADS };

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
	else
		return ARGP_ERR_UNKNOWN;
	if (input->threads > MOST_THREADS)
		argument_error(state, "--threads: at most %d", MOST_THREADS);
	return 0;
}

/* As many entries as the list has: which one is wanted may not be there. */
static int choose(const struct role *role, const struct role_input *input, size_t count)
{
	if ((uint64_t)input->entry <= count)
		return EXIT_STOPPED;
	if (count == 0)
		cli_complain("the configuration has no %s", role->word);
	else
		cli_complain("--entry: the configuration has %zu %s%s, not %lld", count, role->word,
			     count == 1 ? "" : "s", (long long)input->entry);
	return EXIT_USAGE;
}

static int run_alone(struct cli *cli, const struct role *role, const struct role_input *input)
{
	const struct runner_options options = {
		.config = cli->config,
		.entry = (size_t)input->entry - 1,
		.notice_fd = -1,
		.death_fd = -1,
	};

	(void)signal(SIGPIPE, SIG_DFL); /* the role decides for itself */
	return runner_main(role, &options);
}

static char *trimmed(char *text)
{
	text += strspn(text, " ");
	for (size_t end = strlen(text); end > 0 && text[end - 1] == ' '; end--)
		text[end - 1] = '\0';
	return text;
}

/* "a, b*" as a list of queue.yml; what is no queue is refused when the worker starts. */
static void set_queues(struct arena *arena, struct config_worker *worker, const char *list)
{
	char *rest = arena_strdup(arena, list);

	worker->queues = arena_array(arena, strlen(list) + 1, sizeof(*worker->queues));
	worker->queue_count = 0;
	for (char *name = strsep(&rest, ","); name; name = strsep(&rest, ","))
		worker->queues[worker->queue_count++] = trimmed(name);
}

static int run_worker(struct cli *cli, void *data)
{
	const struct role_input *input = data;
	int code = cli_configure_loudly(cli);

	if (code == EXIT_STOPPED)
		code = choose(&worker_role, input, cli->config->worker_count);
	if (code == EXIT_STOPPED)
		code = check_handlers(cli);
	if (code != EXIT_STOPPED)
		return code;
	struct config_worker *worker = &cli->config->workers[input->entry - 1];
	if (input->queues)
		set_queues(cli->arena, worker, input->queues);
	if (input->threads > 0)
		worker->threads = (int)input->threads;
	return run_alone(cli, &worker_role, input);
}

static int run_dispatcher(struct cli *cli, void *data)
{
	const struct role_input *input = data;
	int code = cli_configure_loudly(cli);

	if (code == EXIT_STOPPED)
		code = choose(&dispatcher_role, input, cli->config->dispatcher_count);
	return code == EXIT_STOPPED ? run_alone(cli, &dispatcher_role, input) : code;
}

static int run_scheduler(struct cli *cli, void *data)
{
	const struct role_input *input = data;
	int code = cli_configure_loudly(cli);

	if (code == EXIT_STOPPED)
		code = choose(&scheduler_role, input, cli->config->scheduler ? 1 : 0);
	return code == EXIT_STOPPED ? run_alone(cli, &scheduler_role, input) : code;
}

static const struct argp_option worker_options[] = {
	{ "entry", KEY_ENTRY, "NUMBER", 0, "which one of workers in queue.yml (default 1)", 0 },
	{ "queues", KEY_QUEUES, "LIST", 0, "queues instead of the entry's: first,second*", 0 },
	{ "threads", KEY_THREADS, "NUMBER", 0, "jobs at once instead of the entry's", 0 },
	{ 0 },
};

static const struct argp worker_argp = {
	.options = worker_options,
	.doc = "Run one worker of config/queue.yml in the foreground, without a supervisor: for "
	       "containers and service managers, which start it again when it ends. It also does "
	       "what a supervisor does for everybody: it gives back the jobs of processes that "
	       "have vanished. Signals as for `dray start`."
	       "\vExamples:\n"
	       "  dray worker\n"
	       "  dray worker --entry 2\n"
	       "  dray worker --queues mail,reports* --threads 5",
};

static const struct argp_option dispatcher_options[] = {
	{ "entry", KEY_ENTRY, "NUMBER", 0, "which one of dispatchers in queue.yml (default 1)", 0 },
	{ 0 },
};

static const struct argp dispatcher_argp = {
	.options = dispatcher_options,
	.doc = "Run one dispatcher of config/queue.yml in the foreground, without a supervisor. It "
	       "also gives back the jobs of processes that have vanished."
	       "\vExamples:\n"
	       "  dray dispatcher\n"
	       "  dray dispatcher --environment production",
};

static const struct argp scheduler_argp = {
	.doc = "Run the scheduler of config/queue.yml in the foreground, without a supervisor. It "
	       "also gives back the jobs of processes that have vanished."
	       "\vExamples:\n"
	       "  dray scheduler",
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
