#include <string.h>

#include "cli/commands.h"
#include "cli/table.h"
#include "common/parse.h"
#include "common/process.h"
#include "queue/manage.h"

struct pause {
	const char *queue;
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct pause *pause = state->input;

	if (key == ARGP_KEY_NO_ARGS)
		argument_error(state, "which queue?");
	if (key != ARGP_KEY_ARG || pause->queue)
		return ARGP_ERR_UNKNOWN;
	if (*value == '\0')
		argument_error(state, "a queue has a name");
	pause->queue = value;
	return 0;
}

/* Names of queues, from the database and from the files. */
struct names {
	const char **list;
	size_t count;
};

static struct names configured(const struct cli *cli, size_t room)
{
	const struct config *config = cli->config;
	size_t most = room + config->class_count;

	for (size_t i = 0; i < config->worker_count; i++)
		most += config->workers[i].queue_count;
	struct names names = { .list = arena_array(cli->arena, most, sizeof(*names.list)) };
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].queue)
			names.list[names.count++] = config->classes[i].queue;
	for (size_t i = 0; i < config->worker_count; i++)
		for (size_t j = 0; j < config->workers[i].queue_count; j++)
			if (!strchr(config->workers[i].queues[j], '*'))
				names.list[names.count++] = config->workers[i].queues[j];
	return names;
}

/* A name that nobody knows may be meant, and may be a typing error. */
static enum status warn_unknown(struct cli *cli, const char *queue, struct error *error)
{
	struct queue_row *rows;
	size_t count;
	enum status status = queue_list(cli->db, cli->arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	struct names names = configured(cli, count);
	for (size_t i = 0; i < count; i++)
		names.list[names.count++] = rows[i].name;
	for (size_t i = 0; i < names.count; i++)
		if (strcmp(names.list[i], queue) == 0)
			return STATUS_OK;
	const char *nearest = nearest_word(queue, names.list, names.count);
	if (nearest)
		cli_warn(cli, "no queue \"%s\" is known: did you mean \"%s\"?", queue, nearest);
	else
		cli_warn(cli, "no queue \"%s\" is known", queue);
	return STATUS_OK;
}

static void print(const struct cli *cli, const char *queue, bool paused, bool changed)
{
	const char *how = paused ? "paused" : "running";

	say(cli, "queue %s %s %s", queue, changed ? "is now" : "was already", how);
	json_print(cli, json_pack("{s:o, s:b, s:b}", "queue", value_text(queue), "paused", paused,
				  "changed", changed));
}

static int run_pause(struct cli *cli, void *input)
{
	const struct pause *pause = input;
	struct error error = { 0 };
	bool changed = false;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (warn_unknown(cli, pause->queue, &error) != STATUS_OK ||
	    queue_pause(cli->db, pause->queue, &changed, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, pause->queue, true, changed);
	return EXIT_STOPPED;
}

static int run_resume(struct cli *cli, void *input)
{
	const struct pause *pause = input;
	struct error error = { 0 };
	bool changed = false;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (queue_resume(cli->db, pause->queue, &changed, &error) != STATUS_OK ||
	    (!changed && warn_unknown(cli, pause->queue, &error) != STATUS_OK))
		return cli_fail(&error);
	print(cli, pause->queue, false, changed);
	return EXIT_STOPPED;
}

static const struct argp pause_argp = {
	.args_doc = "QUEUE",
	.doc = "Let no worker take jobs from a queue. Running jobs go on, and jobs can still be "
	       "enqueued. A queue that does not exist yet can be paused too."
	       "\vExamples:\n"
	       "  dray pause mail\n"
	       "  dray pause mail --json",
};

static const struct argp resume_argp = {
	.args_doc = "QUEUE",
	.doc = "Let workers take jobs from a paused queue again."
	       "\vExamples:\n"
	       "  dray resume mail\n"
	       "  dray resume mail --json",
};

const struct command pause_command = {
	.name = "pause",
	.summary = "let no worker take jobs from a queue",
	.argp = &pause_argp,
	.parse = parse,
	.input_size = sizeof(struct pause),
	.output = "an object with `queue`, `paused` (true) and `changed` (was it not so "
		  "before?).",
	.run = run_pause,
};

const struct command resume_command = {
	.name = "resume",
	.summary = "let workers take jobs from a paused queue again",
	.argp = &resume_argp,
	.parse = parse,
	.input_size = sizeof(struct pause),
	.output = "an object with `queue`, `paused` (false) and `changed` (was it not so "
		  "before?).",
	.run = run_resume,
};
