#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "policy/policy.h"
#include "show/show.h"

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
		{ "outdated_since", "OUTDATED", CELL_TIME },
		{ "trouble", "TROUBLE", CELL_TEXT },
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

/* For people those that are gone are a table of their own. */
static void print(const struct cli *cli, const struct servers *servers, const struct gone *gone,
		  size_t gone_count)
{
	const struct servers none = { 0 };

	print_living(cli, show_processes(servers, gone, cli->json ? gone_count : 0));
	say_nobody(cli, servers);
	if (gone_count > 0 && !cli->json)
		print_gone(cli, show_processes(&none, gone, gone_count));
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
	       "nothing and ends its jobs. OUTDATED is since when a worker goes on with earlier "
	       "files, since it could not take "
	       "over a reload and is not replaced yet. TROUBLE is what one says that cannot work "
	       "although its "
	       "heartbeat does. Below are the processes that ended unexpectedly in the "
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
		"(time, or null), `trouble`, `trouble_since` (the error with which all that it "
		"does has failed, and since when, or null), `outdated_since` (time, or null), "
		"`gone_at` (time; "
		"null for those that are registered), `how`, `released`, `failed` (of a process "
		"that is gone: how it ended, and how many of its jobs run again, at once or later, "
		"and how many have failed or were discarded; otherwise null).",
	.needs = NEED_DATABASE,
	.run = processes_run,
};
