/*
 * The audit trail (queue/manage/audit.h): the entry of a command that takes more than one
 * transaction, and `dray audit`, which lists what people have done. The entry is written before the
 * first transaction, so what a killed command has changed is there, too, without its end.
 */
#include "cli/audit.h"

#include <string.h>

#include "cli/output/table.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "queue/manage/audit.h"
#include "queue/settle/cancellations.h"

/* The entry of a command */

const char *record_reason(const char *value, const struct argp_state *state)
{
	size_t fault;

	if (strlen(value) > CANCEL_REASON)
		argument_error(state, "--reason: at most %d bytes", CANCEL_REASON);
	if (!utf8_valid(value, strlen(value), &fault))
		argument_error(state, "--reason: not UTF-8");
	return value;
}

enum status record_begin(struct cli *cli, struct record *record, struct error *error)
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	struct audit audit = { .action = record->action,
			       .target = record->target,
			       .reason = record->reason,
			       .who = who,
			       .host = host };

	process_user(who);
	process_hostname(host);
	enum status status = audit_begin(cli->db, &audit, error);
	record->id = audit.id;
	return status;
}

void record_end(struct cli *cli, int64_t id, int64_t count, bool done)
{
	struct error error = { 0 };
	enum status status = audit_end(cli->db, id, count, done, &error);

	if (status != STATUS_OK && status != STATUS_NONE)
		cli_warn(cli, "the audit trail could not record how this ended: %s", error.text);
}

/* dray audit */

enum key { KEY_SINCE = 1, KEY_ACTION, KEY_LIMIT, KEY_BEFORE };

static const char *const actions[] = { "pause",      "resume",      "retry",    "cancel",
				       "discard",    "run-now",     "move",     "reprioritize",
				       "clear",      "doctor",      "reload",   "run task",
				       "pause task", "resume task", "add task", "change task",
				       "remove task" };

#define ACTIONS (sizeof(actions) / sizeof(actions[0]))

static const struct argp_option options[] = {
	{ "since", KEY_SINCE, "TIME", 0,
	  "only actions at this time or later: 2026-12-24T18:00:00Z, 1h, yesterday, \"9am UTC\"",
	  0 },
	{ "action", KEY_ACTION, "ACTION", 0,
	  "only this action: pause, resume, retry, cancel, discard, run-now, move, reprioritize, "
	  "clear, doctor, reload, or, of a recurring task, \"run task\", \"pause task\", "
	  "\"resume task\", \"add task\", \"change task\" or \"remove task\"",
	  0 },
	{ "limit", KEY_LIMIT, "N", 0, "list at most this many (default 50, maximum 10000)", 0 },
	{ "before", KEY_BEFORE, "ID", 0, "only actions with a number below this one: the next page",
	  0 },
	{ 0 },
};

static const char *known_action(const char *name, const struct argp_state *state)
{
	for (size_t i = 0; i < ACTIONS; i++)
		if (strcmp(actions[i], name) == 0)
			return name;
	const char *nearest = nearest_word(name, actions, ACTIONS);
	argument_error(state, "--action: \"%s\" is not an action%s%s%s", name,
		       nearest ? ": did you mean \"" : "", nearest ? nearest : "",
		       nearest ? "\"?" : "");
	return NULL;
}

static error_t audit_parse(int key, const char *value, struct argp_state *state)
{
	struct audit_filter *filter = state->input;

	if (key == KEY_SINCE) {
		filter->since = argument_time(value, "--since", INSTANT_PAST, state);
	} else if (key == KEY_ACTION) {
		filter->action = known_action(value, state);
	} else if (key == KEY_LIMIT) {
		filter->limit = argument_limit(value, state);
	} else if (key == KEY_BEFORE) {
		filter->before = argument_number(value, "--before", 1, state);
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static json_t *line_json(const struct audit *line)
{
	return json_pack("{s:I, s:o, s:s, s:o, s:I, s:s, s:o, s:o, s:o}", "id",
			 (json_int_t)line->id, "at", value_time(line->at), "action", line->action,
			 "target", value_text(line->target), "count", (json_int_t)line->count,
			 "state", line->state, "who", value_text(line->who), "host",
			 value_text(line->host), "reason", value_text(line->reason));
}

static int audit_run(struct cli *cli, void *input)
{
	static const struct column columns[] = {
		{ "id", "ID", CELL_NUMBER },       { "at", "AT", CELL_TIME },
		{ "who", "WHO", CELL_TEXT },       { "host", "HOST", CELL_TEXT },
		{ "action", "ACTION", CELL_TEXT }, { "target", "TO WHAT", CELL_TEXT },
		{ "count", "COUNT", CELL_NUMBER }, { "state", "STATE", CELL_STATE },
		{ "reason", "REASON", CELL_TEXT }, { 0 },
	};
	const struct audit_filter *filter = input;
	struct error error = { 0 };
	struct audit *lines;
	size_t count;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (audit_list(cli->db, cli->arena, filter, &lines, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, line_json(&lines[i]));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.options = options,
	.doc = "List what people have done with dray's commands, newest first: who did it, on "
	       "which host, what, to how many, and why. An action that began but did not report "
	       "its end is still running, or its command was killed; its count is correct in both "
	       "cases. Entries are kept for 90 days."
	       "\vExamples:\n"
	       "  dray audit\n"
	       "  dray audit --action discard --since 2026-01-31T08:00:00Z\n"
	       "  dray audit --limit 1000 --json",
};

const struct command audit_command = {
	.name = "audit",
	.summary = "list what people have done to queues and jobs",
	.argp = &argp,
	.parse = audit_parse,
	.input_size = sizeof(struct audit_filter),
	.output = "an array of `id`, `at`, `action`, `target` (text: what it was done to), `count` "
		  "(of queues, jobs or rows), `state` (begun, done or interrupted), `who` (user), "
		  "`host`, `reason`.",
	.needs = NEED_DATABASE,
	.run = audit_run,
};
