/* dray errors: failures by their cause. */
#include <inttypes.h>
#include <string.h>

#include "cli/jobs/filter.h"
#include "cli/jobs/job.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/payload/cause.h"
#include "show/show.h"

#define DEFAULT_LIMIT 50
#define MANY          "100k+ failures: only the last 100,000 of the history are counted, those since %.19sZ"

enum key { KEY_SINCE = 1, KEY_LIMIT };

struct input {
	int64_t since;
	int limit;
	const char *group; /* NULL = all */
};

static const struct argp_option options[] = {
	{ "since", KEY_SINCE, "TIME", 0,
	  "only failures at this time or later: 2026-12-24T18:00:00Z, 7d ago, yesterday (default: "
	  "24h ago)",
	  0 },
	{ "limit", KEY_LIMIT, "N", 0, "list at most this many groups (default 50, maximum 10000)",
	  0 },
	{ 0 },
};

static error_t errors_parse(int key, const char *value, struct argp_state *state)
{
	struct input *input = state->input;

	if (key == KEY_SINCE)
		input->since = argument_time(value, "--since", INSTANT_PAST, state);
	else if (key == KEY_LIMIT)
		input->limit = argument_limit(value, state);
	else if (key == ARGP_KEY_ARG && !input->group)
		input->group = filter_group(value, "GROUP", state);
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/*
 * One character an hour, as high as the hour's share of the worst one; a dot is an hour without,
 * and a blank one that was not read.
 */
static json_t *trend_line(struct arena *arena, const struct error_group *group)
{
	static const char *const bars[] = { ".",      "\u2581", "\u2582", "\u2583", "\u2584",
					    "\u2585", "\u2586", "\u2587", "\u2588" };
	const char *line = "";
	int64_t most = 1;

	for (size_t i = 0; i < ERRORS_TREND; i++)
		most = group->trend[i] > most ? group->trend[i] : most;
	for (size_t i = 0; i < ERRORS_TREND; i++)
		line = arena_printf(
			arena, "%s%s", line,
			group->trend[i] < 0 ? " " : bars[(group->trend[i] * 8 + most - 1) / most]);
	return json_string(line);
}

/* For people: how long ago, and the trend and the classes on a line each. */
static json_t *group_row(const struct cli *cli, const struct error_group *group)
{
	json_t *row = show_error_group(cli->arena, group);
	char first[CLOCK_TEXT_SIZE];

	if (cli->json)
		return row;
	const int64_t ago = db_now(cli->db) - group->last_at;
	clock_format_iso(group->first_at, first);
	json_object_set_new(row, "trend", trend_line(cli->arena, group));
	json_object_set_new(row, "classes",
			    value_text(json_line(cli->arena, json_object_get(row, "classes"))));
	json_object_set_new(row, "ago", value_span(ago - ago % CLOCK_SECOND));
	json_object_set_new(row, "first", json_sprintf("%.19sZ", first));
	json_object_set_new(row, "brief", value_text(cause_of(cli->arena, group->error).brief));
	return row;
}

static void print_groups(const struct cli *cli, const struct errors *errors, size_t count,
			 int64_t ungrouped)
{
	static const struct column columns[] = {
		{ "group", "GROUP", CELL_NAME },
		{ "count", "COUNT", CELL_NUMBER },
		{ "ago", "LAST", CELL_SPAN },
		{ "trend", "8 HOURS", CELL_STATE },
		{ "first", "FIRST", CELL_DETAIL },
		{ "job", "JOB", CELL_NUMBER },
		{ "classes", "CLASSES", CELL_TEXT },
		{ "brief", "ERROR", CELL_TEXT },
		{ 0 },
	};
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, group_row(cli, &errors->list[i]));
	if (cli->json) {
		json_print(cli, json_pack("{s:o, s:I, s:I, s:o, s:I}", "groups", rows,
					  "group_count", (json_int_t)errors->count, "failures",
					  (json_int_t)errors->failures, "read_from",
					  value_time(errors->read_from), "failed_without_group",
					  (json_int_t)ungrouped));
		return;
	}
	if (count > 0)
		table_print(cli, columns, rows);
	else
		json_decref(rows);
}

/* What the table does not say. */
static void print_rest(const struct cli *cli, const struct input *input,
		       const struct errors *errors, int64_t ungrouped)
{
	char time[CLOCK_TEXT_SIZE];

	clock_format_iso(errors->read_from ? errors->read_from : input->since, time);
	if (errors->count == 0)
		say(cli, "no job has failed since %.19sZ", time);
	if (errors->count > (size_t)input->limit)
		say(cli, "and %zu more groups: --limit", errors->count - (size_t)input->limit);
	if (errors->read_from)
		say(cli, MANY, time);
	if (ungrouped > 0)
		say(cli,
		    "%" PRId64 " of the last 1,000 failed jobs ha%s no group (failed in Rails, or "
		    "before groups were kept): `dray jobs --state failed`",
		    ungrouped, ungrouped == 1 ? "s" : "ve");
}

static int list(struct cli *cli, const struct input *input, struct errors *errors)
{
	const size_t limit = (size_t)input->limit;
	const size_t count = errors->count < limit ? errors->count : limit;
	struct error error = { 0 };
	int64_t ungrouped;

	if (errors_read_runs(cli->db, cli->arena, errors->list, count, &error) != STATUS_OK ||
	    errors_without_group(cli->db, &ungrouped, &error) != STATUS_OK)
		return cli_fail(&error);
	print_groups(cli, errors, count, ungrouped);
	print_rest(cli, input, errors, ungrouped);
	return EXIT_STOPPED;
}

static void print_one(const struct cli *cli, const struct errors *errors,
		      const struct error_group *group)
{
	static const struct column columns[] = {
		{ "group", "group", CELL_TEXT },
		{ "count", "failures", CELL_NUMBER },
		{ "first_at", "first", CELL_TIME },
		{ "last_at", "last", CELL_TIME },
		{ "trend", "last 8 hours", CELL_TEXT },
		{ "classes", "classes", CELL_TEXT },
		{ 0 },
	};
	static const struct column run_columns[] = {
		{ "job", "JOB", CELL_NUMBER },         { "class", "CLASS", CELL_TEXT },
		{ "attempt", "ATTEMPT", CELL_NUMBER }, { "at", "AT", CELL_TIME },
		{ "outcome", "OUTCOME", CELL_STATE },  { 0 },
	};
	json_t *row = group_row(cli, group);
	json_t *error = value_json(group->error);
	json_t *runs = show_error_runs(group);

	if (cli->json) {
		json_object_set(row, "error", error);
		json_object_set(row, "runs", runs);
		json_object_set_new(row, "read_from", value_time(errors->read_from));
	}
	record_print(cli, columns, row);
	if (!cli->json) {
		error_print(cli, error);
		text_print(cli, "");
		table_print(cli, run_columns, json_incref(runs));
		if (errors->read_from) {
			char time[CLOCK_TEXT_SIZE];
			clock_format_iso(errors->read_from, time);
			say(cli, MANY, time);
		}
	}
	json_decref(error);
	json_decref(runs);
}

static int show(struct cli *cli, const struct input *input, struct errors *errors)
{
	struct error_group *group = NULL;
	struct error error = { 0 };

	for (size_t i = 0; i < errors->count; i++)
		if (strcmp(errors->list[i].name, input->group) == 0)
			group = &errors->list[i];
	if (!group) {
		char time[CLOCK_TEXT_SIZE];
		clock_format_iso(errors->read_from ? errors->read_from : input->since, time);
		cli_complain("error group %s: no failure since %.19sZ%s", input->group, time,
			     errors->read_from
				     ? ", and not more than 100,000 failures are looked at"
				     : "; --since looks further back");
		return EXIT_ERROR;
	}
	if (errors_read_runs(cli->db, cli->arena, group, 1, &error) != STATUS_OK)
		return cli_fail(&error);
	print_one(cli, errors, group);
	return EXIT_STOPPED;
}

static int errors_run(struct cli *cli, void *data)
{
	struct input *input = data;
	struct error error = { 0 };
	struct errors errors;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (input->since == 0)
		input->since = db_now(cli->db) - CLOCK_DAY;
	if (input->limit == 0)
		input->limit = DEFAULT_LIMIT;
	if (errors_read(cli->db, cli->arena, input->since, &errors, &error) != STATUS_OK)
		return cli_fail(&error);
	return input->group ? show(cli, input, &errors) : list(cli, input, &errors);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "[GROUP]",
	.doc = "List why jobs have failed: failures with the same error class and the same message "
	       "are one group, whatever numbers, ids, paths, times and quoted texts the message "
	       "has. What counts as a command's message is the last line of its standard error. "
	       "Runs that were retried or discarded count, too; those that were interrupted or "
	       "snoozed do not. With GROUP print one whole error of this group and its last jobs. "
	       "Of more than 100,000 failures in the history the last ones are counted. The "
	       "history goes with its job: what was cleared or discarded is not counted. "
	       "`dray jobs`, `retry` and `discard` take a group with --error."
	       "\vExamples:\n"
	       "  dray errors\n"
	       "  dray errors --since \"7d ago\" --json\n"
	       "  dray errors 1f3a9c0d\n"
	       "  dray retry --error 1f3a9c0d --yes",
};

const struct command errors_command = {
	.name = "errors",
	.summary = "list why jobs have failed, by cause",
	.argp = &argp,
	.parse = errors_parse,
	.input_size = sizeof(struct input),
	.output = "an object with `groups`: an array of `group`, `count`, `first_at`, `last_at`, "
		  "`trend` (array: failures in each of the last 8 hours, the current one last; "
		  "null: not read), "
		  "`classes` (array: of the jobs of its last 20 failures), `exception_class`, "
		  "`message` and `job` of its last failure; `group_count`, `failures` (numbers of "
		  "all), `read_from` (time, if the history had more than 100,000 failures: only "
		  "those "
		  "since then "
		  "are counted), `failed_without_group` (how many of the last 1,000 failed jobs "
		  "have no group). With GROUP that group, with `read_from`, `error` (object with "
		  "`exception_class`, `message`, `backtrace`) and `runs` (array of `job`, `class`, "
		  "`attempt`, `at`, `outcome`: failed, retried or discarded).",
	.needs = NEED_DATABASE,
	.run = errors_run,
};
