#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/jobs/filter.h"
#include "cli/jobs/job_json.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/process.h"

#define DEFAULT_LIMIT 50

enum key { KEY_LIMIT = 1, KEY_OLDEST, KEY_NEWEST };

static const struct argp_option options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "only jobs in this state: ready, scheduled, claimed, blocked, failed or finished", 0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	{ "limit", KEY_LIMIT, "N", 0, "list at most this many (default 50, maximum 10000)", 0 },
	{ "oldest", KEY_OLDEST, NULL, 0, "list the oldest first", 0 },
	{ "newest", KEY_NEWEST, NULL, 0, "list the newest first (default)", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct job_filter *filter = state->input;

	switch (key) {
	case KEY_LIMIT:
		filter->limit = argument_limit(value, state);
		return 0;
	case KEY_OLDEST:
	case KEY_NEWEST:
		filter->oldest = key == KEY_OLDEST;
		return 0;
	case ARGP_KEY_END:
		filter_check(filter, state);
		return 0;
	default:
		return filter_parse(filter, key, value, state);
	}
}

static void print(const struct cli *cli, const struct job jobs[], size_t count)
{
	static const struct column columns[] = {
		{ "id", "ID", CELL_NUMBER },
		{ "state", "STATE", CELL_STATE },
		{ "queue", "QUEUE", CELL_TEXT },
		{ "priority", "PRIORITY", CELL_NUMBER },
		{ "since", "SINCE", CELL_TIME },
		{ "class", "CLASS", CELL_TEXT },
		{ "brief", "ARGUMENTS OR ERROR", CELL_TEXT },
		{ 0 },
	};
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *row = job_json(&jobs[i]);
		if (!cli->json)
			json_object_set_new(row, "brief", job_brief(cli->arena, &jobs[i], row));
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
}

static int run(struct cli *cli, void *input)
{
	struct job_filter *filter = input;
	struct error error = { 0 };
	struct job *jobs;
	size_t count;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (filter->limit == 0)
		filter->limit = DEFAULT_LIMIT;
	if (job_list(cli->db, cli->arena, filter, &jobs, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, jobs, count);
	if (count == (size_t)filter->limit && isatty(STDOUT_FILENO))
		say(cli, "%s: %s %" PRId64, filter->oldest ? "newer ones" : "older ones",
		    filter->oldest ? "--after" : "--before", jobs[count - 1].id);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.options = options,
	.doc = "List the jobs that match all options, newest first. To get the next page, add "
	       "--before with the last number of this one, or --after if the oldest come first; "
	       "only the jobs of one page are read, however many there are. --text searches the "
	       "whole payload of every job that matches the other options: also the names of "
	       "classes, queues and arguments."
	       "\vExamples:\n"
	       "  dray jobs --state failed --queue mail\n"
	       "  dray jobs --class CompressJob --limit 1000 --json\n"
	       "  dray jobs --state failed --text timeout --since 2026-12-24T18:00:00Z\n"
	       "  dray jobs --state scheduled --oldest --after 1234",
};

const struct command jobs_command = {
	.name = "jobs",
	.summary = "list jobs",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct job_filter),
	.output = "an array of jobs: `id`, `class`, `queue`, `priority`, `state` (ready, "
		  "scheduled, claimed, blocked, failed, finished; lost when it is in no "
		  "table), `active_job_id`, `concurrency_key`, `arguments` (array), "
		  "`created_at`, `scheduled_at`, `finished_at`, `since` (in this state), "
		  "`process_id` (the process that claimed it), `error` (object with "
		  "`exception_class`, `message`, `backtrace`).",
	.needs = NEED_DATABASE,
	.run = run,
};
