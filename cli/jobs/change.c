/*
 * dray retry, cancel, discard, run-now, move, reprioritize: each is a verb of selection.h, which
 * does the work; a command here is what the verb may do, its options and its help. move and
 * reprioritize also say to where.
 */
#include <limits.h>

#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"
#include "queue/enqueue/enqueue.h"

/* dray retry */

static const struct selection_verb retry_verb = {
	.action = "retry",
	.done = "retried",
	.kind = ACTION_RETRY,
	.states = { JOB_FAILED },
	.state_count = 1,
};

static const struct argp_option retry_options[] = {
	{ "all", SELECTION_ALL, NULL, 0, "every failed job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, "only `failed`, which is the same as --all", 0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp retry_argp = {
	.options = retry_options,
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
	.argp = &retry_argp,
	.parse = selection_parse,
	SELECTION_COMMAND(&retry_verb),
	.output = SELECTION_OUTPUT("retried"),
};

/* dray cancel */

static const struct selection_verb cancel_verb = {
	.action = "cancel",
	.done = "cancelled",
	.kind = ACTION_CANCEL,
	.states = { JOB_SCHEDULED, JOB_BLOCKED, JOB_READY, JOB_CLAIMED },
	.state_count = 4,
	.state_or_class = true,
	.any = "unfinished",
};

static const struct argp_option cancel_options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "every job in this state: ready, scheduled, blocked or claimed (default with --class: "
	  "all)",
	  0 },
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp cancel_argp = {
	.options = cancel_options,
	.args_doc = "ID...\n--state STATE [FILTER...]\n--class NAME [FILTER...]",
	.doc = "End jobs before they have done their work. A job that waits ends at once. One that "
	       "runs is stopped, as at a shutdown: at once where its worker is a process of this "
	       "host, else with the worker's next heartbeat; what ends before that stays as it "
	       "ended. A cancelled job is kept as a finished one, and `dray job` shows who "
	       "cancelled it, when and why. For a failed job there is `dray discard`. A job that a "
	       "process of other software, or of an earlier dray, runs cannot be "
	       "stopped: the exit status is 1, with a filter, too. " SELECTION_DOC "\vExamples:\n"
	       "  dray cancel 42 43 --reason 'the customer has left'\n"
	       "  dray cancel --class ReportJob --dry-run\n"
	       "  dray cancel --state scheduled --text customer/7 --yes",
};

const struct command cancel_command = {
	.name = "cancel",
	.summary = "end jobs before they have done their work",
	.argp = &cancel_argp,
	.parse = selection_parse,
	SELECTION_COMMAND(&cancel_verb),
	.output = SELECTION_OUTPUT("cancelled") " `stopping` is how many of the cancelled jobs "
						"run. `known` (array of `id`, `by` and "
						"`since`; at most 1000 of them) and `known_count` "
						"are jobs that had been cancelled "
						"before and are being stopped.",
};

/* dray discard */

static const struct selection_verb discard_verb = {
	.action = "discard",
	.done = "discarded",
	.kind = ACTION_DISCARD,
	.states = { JOB_SCHEDULED, JOB_BLOCKED, JOB_READY },
	.state_count = 3,
	.state_or_class = true,
};

static const struct argp_option discard_options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "every job in this state: ready, scheduled, blocked or failed (default with --class: "
	  "all but failed)",
	  0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp discard_argp = {
	.options = discard_options,
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
	.argp = &discard_argp,
	.parse = selection_parse,
	SELECTION_COMMAND(&discard_verb),
	.output = SELECTION_OUTPUT("discarded"),
};

/* dray run-now */

static const struct selection_verb run_now_verb = {
	.action = "run-now",
	.done = "released",
	.kind = ACTION_RUN_NOW,
	.states = { JOB_SCHEDULED },
	.state_count = 1,
};

static const struct argp_option run_now_options[] = {
	{ "all", SELECTION_ALL, NULL, 0, "every scheduled job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, "only `scheduled`, which is the same as --all", 0 },
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp run_now_argp = {
	.options = run_now_options,
	.args_doc = "ID...\n--all\nFILTER...",
	.doc = "Make scheduled jobs due at once. Concurrency limits still apply: a job may have to "
	       "wait for its key. " SELECTION_DOC "\vExamples:\n"
	       "  dray run-now 42 43\n"
	       "  dray run-now --class ReportJob --dry-run",
};

const struct command run_now_command = {
	.name = "run-now",
	.summary = "make scheduled jobs due at once",
	.argp = &run_now_argp,
	.parse = selection_parse,
	SELECTION_COMMAND(&run_now_verb),
	.output = SELECTION_OUTPUT("released"),
};

/* dray move, dray reprioritize */

#define STATES                                                                                     \
	"only jobs in this state: ready, scheduled, blocked or failed (default: all but failed)"

enum key { KEY_QUEUE = 1, KEY_PRIORITY };

static const struct selection_verb move_verb = {
	.action = "move",
	.done = "moved",
	.kind = ACTION_ARRANGE,
	.states = { JOB_READY, JOB_SCHEDULED, JOB_BLOCKED },
	.state_count = 3,
};

static const struct selection_verb reprioritize_verb = {
	.action = "reprioritize",
	.done = "reprioritized",
	.kind = ACTION_ARRANGE,
	.states = { JOB_READY, JOB_SCHEDULED, JOB_BLOCKED },
	.state_count = 3,
};

static const struct argp_option move_options[] = {
	{ "queue", KEY_QUEUE, "QUEUE", 0, "the queue to move them to", 0 },
	{ "all", SELECTION_ALL, NULL, 0, "every waiting job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, STATES, 0 },
	{ "from", FILTER_QUEUE, "QUEUE", 0, "only jobs of this queue", 0 },
	FILTER_OTHER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

static const struct argp_option reprioritize_options[] = {
	{ "priority", KEY_PRIORITY, "N", 0, "the new priority; smaller numbers run first", 0 },
	{ "all", SELECTION_ALL, NULL, 0, "every waiting job", 0 },
	{ "state", FILTER_STATE, "STATE", 0, STATES, 0 },
	FILTER_OPTIONS,
	SELECTION_OPTIONS,
	{ 0 },
};

/* Refuses a name that enqueue would refuse. */
static const char *take_queue(const char *name, const struct argp_state *state)
{
	struct error error = { 0 };

	if (name_check("queue", name, &error) != STATUS_OK)
		argument_error(state, "--queue: %s", error.text);
	return name;
}

static void take_priority(struct selection *selection, const char *value,
			  const struct argp_state *state)
{
	int64_t number = argument_number(value, "--priority", INT_MIN, state);

	if (number > INT_MAX)
		argument_error(state, "--priority: %s is more than %d", value, INT_MAX);
	selection->priority = (int)number;
	selection->has_priority = true;
}

static error_t parse_arrange(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	if (key == KEY_QUEUE)
		selection->queue = take_queue(value, state);
	else if (key == KEY_PRIORITY)
		take_priority(selection, value, state);
	else if (key == ARGP_KEY_END && !selection->queue && !selection->has_priority)
		argument_error(state, "--%s is required",
			       selection->verb == &move_verb ? "queue" : "priority");
	else
		return selection_parse(key, value, state);
	return 0;
}

static const struct argp move_argp = {
	.options = move_options,
	.args_doc = "--queue QUEUE ID...\n--queue QUEUE --all\n--queue QUEUE FILTER...",
	.doc = "Move waiting or failed jobs to another queue. The queue in their Active Job "
	       "payload does not change: a job that retries itself goes to the queue of its "
	       "class. " SELECTION_DOC "\vExamples:\n"
	       "  dray move --queue slow 42 43\n"
	       "  dray move --queue slow --from default --class ReportJob --dry-run",
};

static const struct argp reprioritize_argp = {
	.options = reprioritize_options,
	.args_doc = "--priority N ID...\n--priority N --all\n--priority N FILTER...",
	.doc = "Give waiting or failed jobs another priority. " SELECTION_DOC "\vExamples:\n"
	       "  dray reprioritize --priority -10 42\n"
	       "  dray reprioritize --priority 50 --queue default --class ReportJob --yes",
};

const struct command move_command = {
	.name = "move",
	.summary = "move jobs to another queue",
	.argp = &move_argp,
	.parse = parse_arrange,
	SELECTION_COMMAND(&move_verb),
	.output = SELECTION_OUTPUT("moved"),
};

const struct command reprioritize_command = {
	.name = "reprioritize",
	.summary = "give jobs another priority",
	.argp = &reprioritize_argp,
	.parse = parse_arrange,
	SELECTION_COMMAND(&reprioritize_verb),
	.output = SELECTION_OUTPUT("reprioritized"),
};
