/*
 * dray queues, dray stats: the same survey (queue/look/survey.h), once a queue a row and once as
 * figures for the whole system, and as the JSON that `dray top` prints, too. Scheduled jobs that
 * wait for a retry are counted as `retrying`, never also as scheduled. Also, for commands that take
 * the name of a queue: which there are; and what no worker takes.
 */
#include "cli/queues/queues.h"

#include <stdio.h>
#include <string.h>

#include "cli/output/table.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "policy/policy.h"
#include "queue/manage/manage.h"
#include "show/show.h"

/* Names of queues */

static bool has_name(const struct queue_names *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->list[i], name) == 0)
			return true;
	return false;
}

static void add_name(struct queue_names *names, const char *name)
{
	if (!has_name(names, name))
		names->list[names->count++] = name;
}

static size_t configured_count(const struct config *config)
{
	size_t count = config->class_count;

	for (size_t i = 0; i < config->worker_count; i++)
		count += config->workers[i].queue_count;
	return count;
}

static void add_configured(const struct config *config, struct queue_names *names)
{
	for (size_t i = 0; i < config->class_count; i++)
		if (config->classes[i].queue)
			add_name(names, config->classes[i].queue);
	for (size_t i = 0; i < config->worker_count; i++)
		for (size_t j = 0; j < config->workers[i].queue_count; j++)
			if (!strchr(config->workers[i].queues[j], '*'))
				add_name(names, config->workers[i].queues[j]);
}

void queue_names_configured(struct cli *cli, struct queue_names *names)
{
	names->count = 0;
	names->list =
		arena_array(cli->arena, configured_count(cli->config) + 1, sizeof(*names->list));
	add_configured(cli->config, names);
}

enum status queue_names_read(struct cli *cli, enum queue_kind kind, struct queue_names *names,
			     struct error *error)
{
	struct queue_row *rows;
	size_t count;
	enum status status = queue_list(cli->db, cli->arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	names->count = 0;
	names->list = arena_array(cli->arena, count + configured_count(cli->config) + 1,
				  sizeof(*names->list));
	for (size_t i = 0; i < count; i++)
		if (kind == QUEUES_KNOWN || rows[i].paused)
			names->list[names->count++] = rows[i].name;
	if (kind == QUEUES_KNOWN)
		add_configured(cli->config, names);
	return STATUS_OK;
}

void queue_names_match(struct queue_names *names, const char *pattern)
{
	size_t length = strlen(pattern) - 1;
	size_t kept = 0;

	for (size_t i = 0; i < names->count; i++)
		if (strncmp(names->list[i], pattern, length) == 0)
			names->list[kept++] = names->list[i];
	names->count = kept;
}

void queue_names_warn(const struct cli *cli, const struct queue_names *known, const char *queue)
{
	/* If files have mistakes, the queue may be in a part that could not be read. */
	if (has_name(known, queue) || (cli->config->faulty & (NEED_CLASSES | NEED_ROLES)))
		return;
	const char *nearest = nearest_word(queue, known->list, known->count);
	if (nearest)
		cli_warn(cli, "no queue \"%s\" is known: did you mean \"%s\"?", queue, nearest);
	else
		cli_warn(cli, "no queue \"%s\" is known", queue);
}

/* Ready jobs that no worker takes, because none knows their class */

void unserved_print(const struct cli *cli, json_t *unserved)
{
	json_t *one;
	size_t i;

	json_array_foreach(unserved, i, one)
		text_print(cli, json_string_value(json_object_get(one, "text")));
	json_decref(unserved);
}

/* dray queues */

/* Adds the columns for people. */
static void add_for_people(json_t *row, const struct survey_queue *queue)
{
	bool foreign = queue->row.paused && !queue->row.note.who;

	json_object_set_new(row, "status", json_string(show_queue_status(queue)));
	if (foreign)
		json_object_set_new(row, "paused_by", json_string("other software"));
}

static int run_queues(struct cli *cli, void *input)
{
	static const struct column columns[] = {
		{ "name", "QUEUE", CELL_NAME },
		{ "status", "STATUS", CELL_STATE },
		{ "ready", "READY", CELL_NUMBER },
		{ "scheduled", "SCHEDULED", CELL_NUMBER, "SCHED" },
		{ "retrying", "RETRYING", CELL_NUMBER, "RETRY" },
		{ "claimed", "CLAIMED", CELL_NUMBER, "RUN" },
		{ "blocked", "BLOCKED", CELL_NUMBER, "BLK" },
		{ "failed", "FAILED", CELL_NUMBER, "FAIL" },
		{ "latency", "LATENCY", CELL_SPAN, "WAIT" },
		{ "finished_minute", "MINUTE", CELL_NUMBER, "MIN" },
		{ "finished_hour", "HOUR", CELL_NUMBER },
		{ "workers", "WORKERS", CELL_NUMBER, "WORK" },
		{ "paused_at", "SINCE", CELL_TIME },
		{ "paused_until", "UNTIL", CELL_TIME },
		{ "paused_by", "BY", CELL_TEXT },
		{ "pause_reason", "REASON", CELL_TEXT },
		{ 0 },
	};
	struct error error = { 0 };
	struct survey survey;
	int code = cli_connect(cli);

	(void)input;
	if (code != EXIT_STOPPED)
		return code;
	struct prune patience = policy_silence(cli->config, 0);
	if (survey_read(cli->db, cli->arena, &patience, &survey, &error) != STATUS_OK ||
	    survey_unknown(cli->db, cli->arena, &survey, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < survey.count; i++) {
		json_t *row = show_queue(&survey, &survey.queues[i]);
		if (cli->json)
			json_object_set_new(row, "unserved",
					    show_unserved(cli->config, &survey.queues[i].unserved));
		else
			add_for_people(row, &survey.queues[i]);
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
	for (size_t i = 0; i < survey.count && !cli->json; i++)
		unserved_print(cli, show_unserved(cli->config, &survey.queues[i].unserved));
	return EXIT_STOPPED;
}

static const struct argp queues_argp = {
	.doc = "List the queues that have unfinished jobs, are paused, or had jobs that finished "
	       "in the last hour, with: the number of jobs in each state (scheduled jobs that wait "
	       "for a retry are not counted as scheduled, but as retrying; `dray jobs --state "
	       "scheduled` lists both); the latency, which is "
	       "how long the oldest ready job has been waiting; how many jobs finished in the last "
	       "minute and in the last hour; how many workers serve the queue; and if it is "
	       "paused, since when, until when, by whom and why. A queue that has jobs but no "
	       "living worker that serves it is \"unserved\". A line below the table names each "
	       "class of ready jobs that none of its workers knows, with its number among the "
	       "queue's first 10,000 ready jobs. With "
	       "preserve_finished_jobs: false, "
	       "finished jobs cannot be counted."
	       "\vExamples:\n"
	       "  dray queues\n"
	       "  dray queues --json",
};

const struct command queues_command = {
	.name = "queues",
	.summary = "list the queues with their jobs by state",
	.argp = &queues_argp,
	.output = "an array of `name`, `paused` (boolean), `ready`, `scheduled` (without those of "
		  "`retrying`), `retrying` (scheduled jobs that wait for a retry), "
		  "`claimed`, `blocked`, `failed` (numbers of jobs), `latency` (seconds), "
		  "`finished_minute`, `finished_hour` (numbers of jobs), `estimated` (boolean: "
		  "only the last 20,000 finished jobs were counted, and the hour is estimated from "
		  "them), `workers` (number of living workers that serve it), "
		  "`unserved` (array of `queue`, `class`, `jobs` and `text`: ready jobs of classes "
		  "that none of them knows), "
		  "`paused_at`, `paused_until` (times, or null), `paused_by` (user), `paused_on` "
		  "(host), `pause_reason` (texts; null if not known).",
	.needs = NEED_DATABASE,
	.run = run_queues,
};

/* dray stats */

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

static void print_stats(const struct cli *cli, json_t *stats)
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
		{ "busy", "BUSY", CELL_NUMBER },     { "leaving", "LEAVING", CELL_NUMBER },
		{ "ending", "ENDING", CELL_NUMBER }, { 0 },
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

static int run_stats(struct cli *cli, void *input)
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
	print_stats(cli, show_stats(&stats));
	return EXIT_STOPPED;
}

static const struct argp stats_argp = {
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
	.argp = &stats_argp,
	.output =
		"`ready`, `scheduled`, `retrying`, `claimed`, `blocked`, `failed` (numbers of "
		"jobs, as in `dray queues`), "
		"`finished_minute`, `finished_hour`, `estimated` (as in `dray queues`), `latency` "
		"(seconds that the oldest ready job has waited in a queue that is not paused), "
		"`oldest_queue` (its queue, or null), `queues`, `paused_queues`, "
		"`unserved_queues` (numbers), `processes` (array of `kind`, `alive`, `silent`, "
		"`threads`, `busy`: jobs, both without workers that are leaving after a reload; "
		"`leaving`, these, and `ending`: their jobs), `failures` (array of `class`, "
		"`count`, `last_at`), `keys` "
		"(array of `key`, `waiting`, `since`), both with the highest number first.",
	.needs = NEED_DATABASE,
	.run = run_stats,
};
