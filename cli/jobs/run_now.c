#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"

static const struct selection_verb verb = {
	.action = "run-now",
	.done = "released",
	.kind = ACTION_RUN_NOW,
	.states = { JOB_SCHEDULED },
	.state_count = 1,
};

static const struct argp_option options[] = {
	{ "all", SELECTION_ALL, NULL, 0, "every scheduled job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, "only `scheduled`, which is the same as --all", 0 },
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--all\nFILTER...",
	.doc = "Make scheduled jobs due at once. Concurrency limits still apply: a job may have to "
	       "wait for its key. " SELECTION_DOC "\vExamples:\n"
	       "  dray run-now 42 43\n"
	       "  dray run-now --class ReportJob --dry-run",
};

const struct command run_now_command = {
	.name = "run-now",
	.summary = "make scheduled jobs due at once",
	.argp = &argp,
	.parse = selection_parse,
	SELECTION_INPUT(&verb),
	.output = SELECTION_OUTPUT("released"),
	.needs = NEED_DATABASE,
	.run = selection_run,
};
