#include <stdio.h>

#include "cli/output/table.h"
#include "cli/queues/queues.h"
#include "cli/queues/survey_json.h"
#include "common/process.h"
#include "policy/policy.h"

static json_t *figures(const struct stats *stats)
{
	const struct survey *survey = &stats->survey;
	json_t *row = json_object();

	survey_json_states(row, stats->counts, stats->retrying);
	json_object_set_new(row, "finished_minute", json_integer(survey->total.minute));
	json_object_set_new(row, "finished_hour", json_integer(survey->total.hour));
	json_object_set_new(row, "estimated", json_boolean(survey->estimated));
	json_object_set_new(row, "oldest_queue", value_text(stats->oldest_queue));
	json_object_set_new(row, "latency", value_span(stats->latency));
	json_object_set_new(row, "queues", json_integer((json_int_t)survey->count));
	json_object_set_new(row, "paused_queues", json_integer(stats->paused));
	json_object_set_new(row, "unserved_queues", json_integer(stats->unserved));
	return row;
}

static json_t *kinds(const struct stats *stats)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < stats->kind_count; i++) {
		const struct stats_kind *kind = &stats->kinds[i];
		json_t *row = json_object();
		json_object_set_new(row, "kind", value_text(kind->kind));
		json_object_set_new(row, "alive", json_integer(kind->alive));
		json_object_set_new(row, "silent", json_integer(kind->silent));
		json_object_set_new(row, "threads", json_integer(kind->threads));
		json_object_set_new(row, "busy", json_integer(kind->busy));
		json_array_append_new(rows, row);
	}
	return rows;
}

/* Builds an array of objects with these keys for name, number and time. */
static json_t *entries(const struct stats_entry list[], size_t count, const char *const keys[3])
{
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *row = json_object();
		json_object_set_new(row, keys[0], value_text(list[i].name));
		json_object_set_new(row, keys[1], json_integer(list[i].count));
		json_object_set_new(row, keys[2], value_time(list[i].at));
		json_array_append_new(rows, row);
	}
	return rows;
}

json_t *stats_json(const struct stats *stats)
{
	static const char *const failure_keys[] = { "class", "count", "last_at" };
	static const char *const key_keys[] = { "key", "waiting", "since" };
	json_t *all = figures(stats);

	json_object_set_new(all, "processes", kinds(stats));
	json_object_set_new(all, "failures",
			    entries(stats->failures, stats->failure_count, failure_keys));
	json_object_set_new(all, "keys", entries(stats->keys, stats->key_count, key_keys));
	return all;
}

/* Prints a table after an empty line, or nothing if it has no rows. */
static void print_rows(const struct cli *cli, const struct column columns[], json_t *rows)
{
	if (json_array_size(rows) == 0)
		return;
	(void)putchar('\n');
	table_print(cli, columns, json_incref(rows));
}

static void say_nobody(const struct cli *cli)
{
	say(cli, "%s", "");
	say(cli, "No process is alive: nothing runs.");
}

static bool anybody(json_t *kinds)
{
	size_t i;
	json_t *kind;

	json_array_foreach(kinds, i, kind) if (json_integer_value(json_object_get(kind, "alive")) >
					       0) return true;
	return false;
}

static void print(const struct cli *cli, json_t *stats)
{
	static const struct column columns[] = {
		{ "ready", "ready", CELL_NUMBER },
		{ "scheduled", "scheduled", CELL_NUMBER },
		{ "retrying", "retrying", CELL_NUMBER },
		{ "claimed", "claimed", CELL_NUMBER },
		{ "blocked", "blocked", CELL_NUMBER },
		{ "failed", "failed", CELL_NUMBER },
		{ "finished_minute", "finished in the last minute", CELL_NUMBER },
		{ "finished_hour", "finished in the last hour", CELL_NUMBER },
		{ "latency", "oldest ready job waits for", CELL_SPAN },
		{ "oldest_queue", "in the queue", CELL_TEXT },
		{ "queues", "queues", CELL_NUMBER },
		{ "paused_queues", "paused queues", CELL_NUMBER },
		{ "unserved_queues", "unserved queues", CELL_NUMBER },
		{ 0 },
	};
	static const struct column processes[] = {
		{ "kind", "PROCESSES", CELL_TEXT },  { "alive", "ALIVE", CELL_NUMBER },
		{ "silent", "SILENT", CELL_NUMBER }, { "threads", "THREADS", CELL_NUMBER },
		{ "busy", "BUSY", CELL_NUMBER },     { 0 },
	};
	static const struct column failures[] = {
		{ "class", "FAILED CLASS", CELL_TEXT },
		{ "count", "JOBS", CELL_NUMBER },
		{ "last_at", "LAST", CELL_TIME },
		{ 0 },
	};
	static const struct column keys[] = {
		{ "key", "KEY", CELL_TEXT },
		{ "waiting", "WAITING", CELL_NUMBER },
		{ "since", "SINCE", CELL_TIME },
		{ 0 },
	};

	record_print(cli, columns, json_incref(stats));
	if (!cli->json) {
		print_rows(cli, processes, json_object_get(stats, "processes"));
		if (!anybody(json_object_get(stats, "processes")))
			say_nobody(cli);
		print_rows(cli, failures, json_object_get(stats, "failures"));
		print_rows(cli, keys, json_object_get(stats, "keys"));
	}
	json_decref(stats);
}

static int run(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct stats stats;
	int code = cli_connect(cli);

	(void)input;
	if (code != EXIT_STOPPED)
		return code;
	struct prune patience = policy_silence(cli->config, 0);
	if (stats_read(cli->db, cli->arena, &patience, &stats, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, stats_json(&stats));
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.doc = "Print figures for the whole system: jobs by state (scheduled jobs that wait for a "
	       "retry are not counted as scheduled, but as retrying), jobs finished in the last "
	       "minute and hour, the oldest ready job, processes by kind, the classes with the "
	       "most failed jobs (of the last 10,000 that failed), and the keys for which the most "
	       "jobs wait (of the first 10,000 that wait)."
	       "\vExamples:\n"
	       "  dray stats\n"
	       "  dray stats --json",
};

const struct command stats_command = {
	.name = "stats",
	.summary = "print figures for the whole system",
	.argp = &argp,
	.output =
		"`ready`, `scheduled`, `retrying`, `claimed`, `blocked`, `failed` (numbers of "
		"jobs, as in `dray queues`), "
		"`finished_minute`, `finished_hour`, `estimated` (as in `dray queues`), `latency` "
		"(seconds that the oldest ready job has waited in a queue that is not paused), "
		"`oldest_queue` (its queue, or null), `queues`, `paused_queues`, "
		"`unserved_queues` (numbers), `processes` (array of `kind`, `alive`, `silent`, "
		"`threads`, `busy`), `failures` (array of `class`, `count`, `last_at`), `keys` "
		"(array of `key`, `waiting`, `since`), both with the highest number first.",
	.needs = NEED_DATABASE,
	.run = run,
};
