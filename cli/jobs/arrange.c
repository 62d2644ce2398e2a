/* dray move, dray reprioritize. */
#include <limits.h>

#include "cli/jobs/jobs.h"
#include "cli/jobs/selection.h"
#include "queue/enqueue/enqueue.h"

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

static error_t parse_move(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	if (key == KEY_QUEUE) {
		selection->queue = take_queue(value, state);
		return 0;
	}
	if (key == ARGP_KEY_END && !selection->queue)
		argument_error(state, "--queue is required");
	return selection_parse(key, value, state);
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

static error_t parse_reprioritize(int key, const char *value, struct argp_state *state)
{
	struct selection *selection = state->input;

	if (key == KEY_PRIORITY) {
		take_priority(selection, value, state);
		return 0;
	}
	if (key == ARGP_KEY_END && !selection->has_priority)
		argument_error(state, "--priority is required");
	return selection_parse(key, value, state);
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
	.parse = parse_move,
	SELECTION_INPUT(&move_verb),
	.output = SELECTION_OUTPUT("moved"),
	.needs = NEED_DATABASE,
	.run = selection_run,
};

const struct command reprioritize_command = {
	.name = "reprioritize",
	.summary = "give jobs another priority",
	.argp = &reprioritize_argp,
	.parse = parse_reprioritize,
	SELECTION_INPUT(&reprioritize_verb),
	.output = SELECTION_OUTPUT("reprioritized"),
	.needs = NEED_DATABASE,
	.run = selection_run,
};
