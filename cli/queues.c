#include "cli/commands.h"
#include "cli/table.h"
#include "common/process.h"
#include "queue/manage.h"

static json_t *queue_json(const struct queue_row *queue)
{
	json_t *row = json_object();

	json_object_set_new(row, "name", value_text(queue->name));
	json_object_set_new(row, "paused", json_boolean(queue->paused));
	for (int state = 0; state < JOB_STATES; state++)
		if (queue->counts[state] >= 0)
			json_object_set_new(row, job_state_name((enum job_state)state),
					    json_integer(queue->counts[state]));
	json_object_set_new(row, "latency", value_span(queue->latency));
	json_object_set_new(row, "paused_at", value_time(queue->paused_at));
	json_object_set_new(row, "paused_until", value_time(queue->note.ends_at));
	json_object_set_new(row, "paused_by", value_text(queue->note.who));
	json_object_set_new(row, "paused_on", value_text(queue->note.host));
	json_object_set_new(row, "pause_reason", value_text(queue->note.reason));
	return row;
}

/* For people. */
static void describe(json_t *row, const struct queue_row *queue)
{
	bool foreign = queue->paused && !queue->note.who;

	json_object_set_new(row, "status", json_string(queue->paused ? "paused" : "active"));
	if (foreign)
		json_object_set_new(row, "paused_by", json_string("somebody else"));
}

static int run(struct cli *cli, void *input)
{
	static const struct column columns[] = {
		{ "name", "QUEUE", CELL_TEXT },
		{ "status", "STATUS", CELL_STATE },
		{ "ready", "READY", CELL_NUMBER },
		{ "scheduled", "SCHEDULED", CELL_NUMBER },
		{ "claimed", "CLAIMED", CELL_NUMBER },
		{ "blocked", "BLOCKED", CELL_NUMBER },
		{ "failed", "FAILED", CELL_NUMBER },
		{ "latency", "LATENCY", CELL_SPAN },
		{ "paused_at", "SINCE", CELL_TIME },
		{ "paused_until", "UNTIL", CELL_TIME },
		{ "paused_by", "BY", CELL_TEXT },
		{ "pause_reason", "REASON", CELL_TEXT },
		{ 0 },
	};
	struct error error = { 0 };
	struct queue_row *queues;
	size_t count;
	int code = cli_connect(cli);

	(void)input;
	if (code != EXIT_STOPPED)
		return code;
	if (queue_list(cli->db, cli->arena, &queues, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++) {
		json_t *row = queue_json(&queues[i]);
		if (!cli->json)
			describe(row, &queues[i]);
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "List the queues that have unfinished jobs or are paused: how many jobs are in each "
	       "state, the latency, which is how long the oldest ready job has been waiting, and "
	       "since when and until when a queue is paused, by whom and why."
	       "\vExamples:\n"
	       "  dray queues\n"
	       "  dray queues --json",
};

const struct command queues_command = {
	.name = "queues",
	.summary = "list the queues with their jobs by state",
	.argp = &argp,
	.output = "an array of `name`, `paused` (boolean), `ready`, `scheduled`, "
		  "`claimed`, `blocked`, `failed` (numbers of jobs), `latency` (seconds), "
		  "`paused_at`, `paused_until` (times, or null), `paused_by` (user), `paused_on` "
		  "(host), `pause_reason` (texts; null when not known).",
	.run = run,
};
