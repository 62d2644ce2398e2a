#include "cli/commands.h"
#include "cli/table.h"
#include "common/process.h"
#include "queue/servers.h"
#include "supervisor/losses.h"

static json_t *process_json(const struct process_row *process)
{
	json_t *row = json_object();

	json_object_set_new(row, "id", json_integer(process->id));
	json_object_set_new(row, "kind", value_text(process->kind));
	json_object_set_new(row, "name", value_text(process->name));
	json_object_set_new(row, "pid", json_integer(process->pid));
	json_object_set_new(row, "hostname", value_text(process->hostname));
	json_object_set_new(row, "supervisor_id", value_id(process->supervisor_id));
	json_object_set_new(row, "claimed", json_integer(process->claims));
	json_object_set_new(row, "last_heartbeat_at", value_time(process->last_heartbeat_at));
	json_object_set_new(row, "created_at", value_time(process->created_at));
	json_object_set_new(row, "metadata", value_json(process->metadata));
	json_object_set_new(row, "paused", json_boolean(process->paused_at != 0));
	json_object_set_new(row, "paused_at", value_time(process->paused_at));
	json_object_set_new(row, "paused_until", value_time(process->paused_until));
	json_object_set_new(row, "paused_by", value_text(process->paused_by));
	json_object_set_new(row, "pause_reason", value_text(process->pause_reason));
	return row;
}

/* Rows may outlive their processes for a while. */
static void say_nobody(const struct cli *cli, const struct servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		if (!servers->list[i].silent)
			return;
	say(cli, servers->count > 0 ? "None of them is alive: nothing runs."
				    : "No process is registered: nothing runs.");
}

static int run(struct cli *cli, void *input)
{
	static const struct column columns[] = {
		{ "id", "ID", CELL_NUMBER },
		{ "kind", "KIND", CELL_TEXT },
		{ "name", "NAME", CELL_TEXT },
		{ "hostname", "HOST", CELL_TEXT },
		{ "pid", "PID", CELL_NUMBER },
		{ "supervisor_id", "SUPERVISOR", CELL_NUMBER },
		{ "claimed", "CLAIMED", CELL_NUMBER },
		{ "last_heartbeat_at", "HEARTBEAT", CELL_TIME },
		{ "paused_at", "PAUSED", CELL_TIME },
		{ "metadata", "METADATA", CELL_DETAIL },
		{ 0 },
	};
	struct error error = { 0 };
	struct servers servers;
	int code = cli_connect(cli);

	(void)input;
	if (code != EXIT_STOPPED)
		return code;
	struct prune patience = losses_prune(cli->config, 0);
	if (servers_read(cli->db, cli->arena, &patience, &servers, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < servers.count; i++)
		json_array_append_new(rows, process_json(&servers.list[i].row));
	table_print(cli, columns, rows);
	say_nobody(cli, &servers);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "List the processes that are registered in the database: supervisors, workers and "
	       "dispatchers of every host, with the jobs they have claimed, and since when one is "
	       "paused."
	       "\vExamples:\n"
	       "  dray processes\n"
	       "  dray processes --json",
};

const struct command processes_command = {
	.name = "processes",
	.summary = "list supervisors, workers and dispatchers of every host",
	.argp = &argp,
	.output = "an array of `id`, `kind`, `name`, `pid`, `hostname`, `supervisor_id`, "
		  "`claimed` (number of jobs), `last_heartbeat_at`, `created_at`, "
		  "`metadata` (object), `paused` (boolean), `paused_at`, `paused_until` (times, "
		  "or null), `paused_by` (user), `pause_reason` (texts, or null).",
	.needs = NEED_DATABASE,
	.run = run,
};
