#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"

static const struct selection_verb verb = {
	.action = "cancel",
	.done = "cancelled",
	.kind = ACTION_CANCEL,
	.states = { JOB_SCHEDULED, JOB_BLOCKED, JOB_READY, JOB_CLAIMED },
	.state_count = 4,
	.state_or_class = true,
	.any = "unfinished",
};

static const struct argp_option options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "every job in this state: ready, scheduled, blocked or claimed (default with --class: "
	  "all)",
	  0 },
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.args_doc = "ID...\n--state STATE [FILTER...]\n--class NAME [FILTER...]",
	.doc = "End jobs before they have done their work. A job that waits ends at once. One that "
	       "runs is stopped, as at a shutdown: at once where its worker is a process of this "
	       "host, else with the worker's next heartbeat; what ends before that stays as it "
	       "ended. A cancelled job is kept as a finished one, and `dray job` shows who "
	       "cancelled it, when and why. For a failed job there is `dray discard`. A job that a "
	       "process of other software, or of an earlier dray, runs cannot be "
	       "stopped. " SELECTION_DOC "\vExamples:\n"
	       "  dray cancel 42 43 --reason 'the customer has left'\n"
	       "  dray cancel --class ReportJob --dry-run\n"
	       "  dray cancel --state scheduled --text customer/7 --yes",
};

const struct command cancel_command = {
	.name = "cancel",
	.summary = "end jobs before they have done their work",
	.argp = &argp,
	.parse = selection_parse,
	SELECTION_INPUT(&verb),
	.output = SELECTION_OUTPUT("cancelled") " `stopping` is how many of the cancelled jobs "
						"run. `known` (array of `id`, `by` and "
						"`since`; at most 1000 of them) and `known_count` "
						"are jobs that had been cancelled "
						"before and are being stopped.",
	.needs = NEED_DATABASE,
	.run = selection_run,
};
