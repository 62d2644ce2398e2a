#include "cli/commands.h"
#include "cli/selection.h"

static const struct argp_option options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "every job that is ready, scheduled, blocked or failed", 0 },
	{ "queue", FILTER_QUEUE, "QUEUE", 0, "with --state: of this queue", 0 },
	{ "class", FILTER_CLASS, "CLASS", 0, "with --state: of this class", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	if (key == ARGP_KEY_END && selection->ids.count == 0 && !selection->filter.has_state)
		argument_error(state, "which jobs? give their numbers, or --state");
	if (key == ARGP_KEY_END && selection->filter.has_state)
		selection->many = true;
	return selection_parse(selection, key, value, state);
}

static int run(struct cli *cli, void *input)
{
	static const struct selection_verb verb = {
		.action = "discard",
		.done = "discarded",
		.one = job_discard,
		.many = job_discard_all,
	};

	return selection_run(cli, input, &verb);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--state STATE",
	.doc = "Delete jobs that are not wanted any more. A job that is running or finished is "
	       "named and left alone; the status is then 1."
	       "\vExamples:\n"
	       "  dray discard 42 43\n"
	       "  dray discard --state scheduled --class ReportJob",
};

const struct command discard_command = {
	.name = "discard",
	.summary = "delete jobs that are not wanted any more",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct selection),
	.output = "an object with `discarded` (number) and `refused` (array of `id`, "
		  "`reason`).",
	.run = run,
};
