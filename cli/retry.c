#include "cli/commands.h"
#include "cli/selection.h"

static const struct argp_option options[] = {
	{ "all", SELECTION_ALL, NULL, 0, "every failed job", 0 },
	{ "queue", FILTER_QUEUE, "QUEUE", 0, "with --all: of this queue", 0 },
	{ "class", FILTER_CLASS, "CLASS", 0, "with --all: of this class", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	if (key == ARGP_KEY_END && selection->ids.count == 0 && !selection->all)
		argument_error(state, "which jobs? give their numbers, or --all");
	if (key == ARGP_KEY_END && selection->all)
		selection->many = true;
	return selection_parse(selection, key, value, state);
}

static int run(struct cli *cli, void *input)
{
	static const struct selection_verb verb = {
		.action = "retry",
		.done = "retried",
		.one = job_retry,
		.many = job_retry_all,
	};

	return selection_run(cli, input, &verb);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--all",
	.doc = "Put failed jobs back on their queues, with their counts of attempts reset. A job "
	       "that has not failed is named and left alone; the status is then 1."
	       "\vExamples:\n"
	       "  dray retry 42 43\n"
	       "  dray retry --all --queue mail --class WelcomeMailJob",
};

const struct command retry_command = {
	.name = "retry",
	.summary = "put failed jobs back on their queues",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct selection),
	.output = "an object with `retried` (number) and `refused` (array of `id`, "
		  "`reason`).",
	.run = run,
};
