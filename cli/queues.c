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
	return row;
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
			json_object_set_new(row, "status",
					    json_string(queues[i].paused ? "paused" : "active"));
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "List the queues that have unfinished jobs or are paused: how many jobs are in each "
	       "state, and the latency, which is how long the oldest ready job has been waiting."
	       "\vExamples:\n"
	       "  dray queues\n"
	       "  dray queues --json",
};

const struct command queues_command = {
	.name = "queues",
	.summary = "list the queues with their jobs by state",
	.argp = &argp,
	.output = "an array of `name`, `paused` (boolean), `ready`, `scheduled`, "
		  "`claimed`, `blocked`, `failed` (numbers of jobs), `latency` (seconds).",
	.run = run,
};
