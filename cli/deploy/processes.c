#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "policy/policy.h"
#include "queue/processes/loss.h"
#include "queue/processes/servers.h"

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
	json_object_set_new(row, "leaving_since", value_time(0));
	json_object_set_new(row, "gone_at", json_null());
	json_object_set_new(row, "how", json_null());
	json_object_set_new(row, "released", json_null());
	json_object_set_new(row, "failed", json_null());
	return row;
}

static json_t *living_json(const struct server *server)
{
	json_t *row = process_json(&server->row);

	json_object_set_new(row, "leaving_since", value_time(server->leaving_since));
	return row;
}

/* The same keys as for a registered process, because both are in one array. */
static json_t *gone_json(const struct gone *gone)
{
	const struct process_row last = { .id = gone->process_id,
					  .kind = gone->kind,
					  .name = gone->name,
					  .pid = (int)gone->pid,
					  .hostname = gone->hostname,
					  .last_heartbeat_at = gone->last_heartbeat_at };
	json_t *row = process_json(&last);

	json_object_set_new(row, "gone_at", value_time(gone->at));
	json_object_set_new(row, "how", value_text(gone->how));
	json_object_set_new(row, "released", json_integer(gone->released));
	json_object_set_new(row, "failed", json_integer(gone->failed));
	return row;
}

/* Reports that no process is alive; rows may outlive their processes for a while. */
static void say_nobody(const struct cli *cli, const struct servers *servers)
{
	for (size_t i = 0; i < servers->count; i++)
		if (!servers->list[i].silent)
			return;
	say(cli, servers->count > 0 ? "None of them is alive: nothing runs."
				    : "No process is registered: nothing runs.");
}

static void print_living(const struct cli *cli, json_t *rows)
{
	static const struct column columns[] = {
		{ "id", "ID", CELL_NUMBER },
		{ "kind", "KIND", CELL_TEXT },
		{ "name", "NAME", CELL_TEXT },
		{ "hostname", "HOST", CELL_TEXT },
		{ "pid", "PID", CELL_NUMBER },
		{ "supervisor_id", "SUPERVISOR", CELL_NUMBER, "SUPER" },
		{ "claimed", "CLAIMED", CELL_NUMBER, "RUN" },
		{ "last_heartbeat_at", "HEARTBEAT", CELL_TIME, "BEAT" },
		{ "paused_at", "PAUSED", CELL_TIME },
		{ "leaving_since", "LEAVING", CELL_TIME },
		{ "metadata", "METADATA", CELL_DETAIL },
		{ 0 },
	};

	table_print(cli, columns, rows);
}

static void print_gone(const struct cli *cli, json_t *rows)
{
	static const struct column columns[] = {
		{ "id", "ID", CELL_NUMBER },
		{ "kind", "KIND", CELL_TEXT },
		{ "name", "NAME", CELL_TEXT },
		{ "hostname", "HOST", CELL_TEXT },
		{ "pid", "PID", CELL_NUMBER },
		{ "last_heartbeat_at", "HEARTBEAT", CELL_TIME, "BEAT" },
		{ "gone_at", "GONE", CELL_TIME },
		{ "released", "RELEASED", CELL_NUMBER, "FREED" },
		{ "failed", "FAILED", CELL_NUMBER },
		{ "how", "HOW", CELL_TEXT },
		{ 0 },
	};

	text_print(cli, "");
	text_print(cli, "Ended unexpectedly in the last hour:");
	table_print(cli, columns, rows);
}

static void print(const struct cli *cli, const struct servers *servers, const struct gone *gone,
		  size_t gone_count)
{
	json_t *living = json_array();
	json_t *dead = json_array();

	for (size_t i = 0; i < servers->count; i++)
		json_array_append_new(living, living_json(&servers->list[i]));
	for (size_t i = 0; i < gone_count; i++)
		json_array_append_new(cli->json ? living : dead, gone_json(&gone[i]));
	print_living(cli, living);
	say_nobody(cli, servers);
	if (json_array_size(dead) > 0)
		print_gone(cli, json_incref(dead));
	json_decref(dead);
}

static int processes_run(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct servers servers;
	struct gone *gone;
	size_t gone_count;
	int code = cli_connect(cli);

	(void)input;
	if (code != EXIT_STOPPED)
		return code;
	struct prune patience = policy_silence(cli->config, 0);
	enum status status = servers_read(cli->db, cli->arena, &patience, &servers, &error);
	if (status == STATUS_OK)
		status = gone_list(cli->db, cli->arena, &gone, &gone_count, &error);
	if (status != STATUS_OK)
		return cli_fail(&error);
	print(cli, &servers, gone, gone_count);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "List the registered processes of all hosts: supervisors, workers, dispatchers and "
	       "schedulers, with the number of jobs that each has claimed, since when a paused "
	       "one is paused, and since when one that a reload replaces is leaving: it claims "
	       "nothing and ends its jobs. Below are the processes that ended unexpectedly in the "
	       "last hour "
	       "(killed, ended by an error, or silent for too long), how each ended, and what "
	       "became of its jobs."
	       "\vExamples:\n"
	       "  dray processes\n"
	       "  dray processes --json",
};

const struct command processes_command = {
	.name = "processes",
	.summary = "list the processes of all hosts",
	.argp = &argp,
	.output =
		"an array of `id`, `kind`, `name`, `pid`, `hostname`, `supervisor_id`, "
		"`claimed` (number of jobs), `last_heartbeat_at`, `created_at`, "
		"`metadata` (object), `paused` (boolean), `paused_at`, `paused_until` (times, "
		"or null), `paused_by` (user), `pause_reason` (texts, or null), `leaving_since` "
		"(time, or "
		"null), `gone_at` (time; "
		"null for those that are registered), `how`, `released`, `failed` (of a process "
		"that is gone: how it ended, and how many of its jobs run again, at once or later, "
		"and how many have failed or were discarded; otherwise null).",
	.needs = NEED_DATABASE,
	.run = processes_run,
};
