#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"

static const struct selection_verb verb = {
	.action = "discard",
	.done = "discarded",
	.kind = ACTION_DISCARD,
	.states = { JOB_SCHEDULED, JOB_BLOCKED, JOB_READY },
	.state_count = 3,
	.state_or_class = true,
};

static const struct argp_option options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "every job in this state: ready, scheduled, blocked or failed (default with --class: "
	  "all but failed)",
	  0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--state STATE [FILTER...]\n--class NAME [FILTER...]",
	.doc = "Delete jobs that are no longer wanted. Running and finished jobs are not "
	       "deleted. " SELECTION_DOC "\vExamples:\n"
	       "  dray discard 42 43\n"
	       "  dray discard --state scheduled --class ReportJob --dry-run\n"
	       "  dray discard --state failed --until 2026-01-31 --yes\n"
	       "  dray discard --class OldJob --yes",
};

const struct command discard_command = {
	.name = "discard",
	.summary = "delete jobs that are no longer wanted",
	.argp = &argp,
	.parse = selection_parse,
	SELECTION_INPUT(&verb),
	.output = SELECTION_OUTPUT("discarded"),
	.needs = NEED_DATABASE,
	.run = selection_run,
};
