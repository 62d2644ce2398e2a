#include <string.h>

#include "cli/audit.h"
#include "cli/deploy/deploy.h"
#include "cli/output/table.h"
#include "common/process.h"
#include "common/text/text.h"
#include "policy/policy.h"
#include "show/show.h"

/* Reports that no process is alive; rows may outlive their processes for a while. */
static void say_nobody(const struct cli *cli, const struct servers *servers)
{
	bool watched = false;

	for (size_t i = 0; i < servers->count; i++) {
		if (servers->list[i].silent)
			continue;
		if (!kind_is_watcher(servers->list[i].row.kind))
			return;
		watched = true;
	}
	say(cli, watched              ? "Only watchers are alive: nothing runs."
		 : servers->count > 0 ? "None of them is alive: nothing runs."
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

/* A host that is to be forgotten */

struct visit {
	const char *forget; /* a host; NULL: list */
	const char *reason;
	struct arguments arguments;
};

enum key { KEY_REASON = 1 };

static const struct argp_option options[] = {
	{ "reason", KEY_REASON, "TEXT", 0, "why, for `dray audit`", 0 },
	{ 0 },
};

static error_t processes_parse(int key, const char *value, struct argp_state *state)
{
	struct visit *visit = state->input;
	struct arguments *given = &visit->arguments;

	if (key == KEY_REASON)
		visit->reason = record_reason(value, state);
	else if (key == ARGP_KEY_ARG)
		arguments_take(given, state);
	else if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	if (key != ARGP_KEY_END || given->count == 0)
		return 0;
	if (given->count != 2 || strcmp(given->list[0], "forget") != 0)
		argument_error(state, "expected nothing, or forget HOST");
	visit->forget = given->list[1];
	return 0;
}

/* "a, b": the hosts of which something is known; NULL = of none. */
static const char *known_hosts(struct arena *arena, const struct gone *gone, size_t count)
{
	const char *list = NULL;

	for (size_t i = 0; i < count; i++) {
		bool repeated = !gone[i].hostname || !gone[i].how;
		for (size_t j = 0; j < i && !repeated; j++)
			repeated = gone[j].how && text_same(gone[j].hostname, gone[i].hostname);
		if (!repeated)
			list = arena_printf(arena, "%s%s%s", list ? list : "", list ? ", " : "",
					    gone[i].hostname);
	}
	return list;
}

static int refuse_host(const struct cli *cli, const char *host, const struct gone *gone,
		       size_t count)
{
	const char *known = known_hosts(cli->arena, gone, count);

	cli_complain("no process of a host %s has ended unexpectedly within a day%s%s", host,
		     known ? "; but some of these: " : "", known ? known : "");
	return EXIT_USAGE;
}

/* What runs there is no reason to keep the host: it is known by those that run. */
static int forget(struct cli *cli, const struct visit *visit)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE], host[HOSTNAME_SIZE];
	struct gone *gone;
	size_t count = 0;
	json_t *names = json_array();
	enum status status = gone_read(cli->db, cli->arena, &gone, &count, &error);

	pause_note_init(&note, who, host);
	note.reason = visit->reason;
	for (size_t i = 0; i < count; i++)
		if (gone[i].how && text_same(gone[i].hostname, visit->forget))
			json_array_append_new(names, value_text(gone[i].name));
	if (status == STATUS_OK)
		status = json_array_size(names) == 0
				 ? STATUS_NONE
				 : gone_forget(cli->db, visit->forget, &note, &error);
	if (status == STATUS_OK) {
		const char *list = json_line(cli->arena, names);
		say(cli, "Forgotten of %s: %s", visit->forget, list);
		json_print(cli, json_pack("{s:o, s:O}", "host", value_text(visit->forget),
					  "forgotten", names));
	}
	json_decref(names);
	if (status == STATUS_NONE)
		return refuse_host(cli, visit->forget, gone, count);
	return status == STATUS_OK ? EXIT_STOPPED : cli_fail(&error);
}

static int processes_run(struct cli *cli, void *input)
{
	const struct visit *visit = input;
	struct error error = { 0 };
	struct servers servers;
	struct gone *gone;
	size_t gone_count;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (visit->forget)
		return forget(cli, visit);
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
	.options = options,
	.args_doc = "[forget HOST]",
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
	       "became of its jobs. `forget HOST` makes dray forget the processes of a host that "
	       "have ended so within a day: `dray health` tells that they are gone until others "
	       "have taken their places, or that nothing runs there any more."
	       "\vExamples:\n"
	       "  dray processes\n"
	       "  dray processes --json\n"
	       "  dray processes forget web-2 --reason \"sold\"",
};

const struct command processes_command = {
	.name = "processes",
	.summary = "list the processes of all hosts",
	.argp = &argp,
	.parse = processes_parse,
	.input_size = sizeof(struct visit),
	.words = "forget",
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
		"and how many have failed or were discarded; otherwise null). With `forget`: an "
		"object with `host` and `forgotten` (array of names).",
	.needs = NEED_DATABASE,
	.run = processes_run,
};
