#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"

static const struct selection_verb verb = {
	.action = "retry",
	.done = "retried",
	.kind = ACTION_RETRY,
	.states = { JOB_FAILED },
	.state_count = 1,
};

static const struct argp_option options[] = {
	{ "all", SELECTION_ALL, NULL, 0, "every failed job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, "only `failed`, which is the same as --all", 0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--all\nFILTER...",
	.doc = "Put failed jobs back on their queues and reset their counts of "
	       "attempts. " SELECTION_DOC "\vExamples:\n"
	       "  dray retry 42 43\n"
	       "  dray retry --queue mail --class WelcomeMailJob --reason \"the server is back\"\n"
	       "  dray retry --all --yes",
};

const struct command retry_command = {
	.name = "retry",
	.summary = "put failed jobs back on their queues",
	.argp = &argp,
	.parse = selection_parse,
	SELECTION_INPUT(&verb),
	.output = SELECTION_OUTPUT("retried"),
	.needs = NEED_DATABASE,
	.run = selection_run,
};
