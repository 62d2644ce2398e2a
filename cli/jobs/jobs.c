#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "cli/jobs/filter.h"
#include "cli/jobs/job.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/order.h"
#include "common/process.h"
#include "policy/policy.h"
#include "queue/processes/servers.h"
#include "show/show.h"

#define DEFAULT_LIMIT 50

enum key { KEY_LIMIT = 1, KEY_OLDEST, KEY_NEWEST, KEY_SLOW };

struct input {
	struct job_filter filter;
	bool slow;
};

static const struct argp_option options[] = {
	{ "state", FILTER_STATE, "STATE", 0,
	  "only jobs in this state: ready, scheduled, claimed, blocked, failed or finished", 0 },
	{ "slow", KEY_SLOW, NULL, 0,
	  "only jobs that have been running for five minutes, and for ten times as long as jobs of "
	  "their class usually run on their worker, which must have seen 20 of them end since it "
	  "started",
	  0 },
	FILTER_ERROR_OPTION,
	FILTER_OPTIONS,
	{ "limit", KEY_LIMIT, "N", 0, "list at most this many (default 50, maximum 10000)", 0 },
	{ "oldest", KEY_OLDEST, NULL, 0, "list the oldest first", 0 },
	{ "newest", KEY_NEWEST, NULL, 0, "list the newest first (default)", 0 },
	{ 0 },
};

static error_t jobs_parse(int key, const char *value, struct argp_state *state)
{
	struct input *input = state->input;
	struct job_filter *filter = &input->filter;

	switch (key) {
	case KEY_SLOW:
		input->slow = true;
		return 0;
	case KEY_LIMIT:
		filter->limit = argument_limit(value, state);
		return 0;
	case KEY_OLDEST:
	case KEY_NEWEST:
		filter->oldest = key == KEY_OLDEST;
		return 0;
	case ARGP_KEY_END:
		if (input->slow && (filter->has_state || filter_chooses(filter)))
			argument_error(state, "--slow goes without other options that choose jobs");
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
		{ "priority", "PRIORITY", CELL_NUMBER, "PRIO" },
		{ "since", "SINCE", CELL_TIME },
		{ "due", "DUE", CELL_TIME },
		{ "class", "CLASS", CELL_TEXT },
		{ "brief", "ARGUMENTS OR ERROR", CELL_TEXT },
		{ 0 },
	};
	json_t *rows = json_array();

	for (size_t i = 0; i < count; i++) {
		json_t *row = show_job(&jobs[i]);
		if (!cli->json) {
			job_for_people(row);
			json_object_set_new(row, "brief", job_brief(cli->arena, &jobs[i], row));
			json_object_set_new(row, "due",
					    value_time(jobs[i].state == JOB_SCHEDULED
							       ? jobs[i].scheduled_at
							       : 0));
		}
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
}

/* Of what a worker told a heartbeat ago, it may have ended some meanwhile. */
static enum status add_slow(struct cli *cli, const struct server *server, struct job *list[],
			    size_t *count, struct error *error)
{
	const struct job_ids ids = { server->slow_jobs, server->slow_count };
	struct job *jobs;
	size_t found = 0;
	enum status status =
		ids.count == 0 ? STATUS_OK
			       : job_list_named(cli->db, cli->arena, &ids, &jobs, &found, error);

	for (size_t i = 0; i < found; i++) {
		if (jobs[i].state != JOB_CLAIMED || jobs[i].process_id != server->row.id)
			continue;
		*list = arena_extend(cli->arena, *list, *count, sizeof(**list));
		(*list)[(*count)++] = jobs[i];
	}
	return status;
}

static int compare_since(const void *left, const void *right)
{
	return order_numbers(((const struct job *)left)->since, ((const struct job *)right)->since);
}

/* The one that has been running for longest comes first. */
static int list_slow(struct cli *cli, const struct job_filter *filter)
{
	struct error error = { 0 };
	struct servers servers;
	struct prune patience = policy_silence(cli->config, 0);
	struct job *jobs = NULL;
	size_t count = 0;
	enum status status = servers_read(cli->db, cli->arena, &patience, &servers, &error);

	for (size_t i = 0; status == STATUS_OK && i < servers.count; i++)
		status = add_slow(cli, &servers.list[i], &jobs, &count, &error);
	if (status != STATUS_OK)
		return cli_fail(&error);
	if (count > 0)
		qsort(jobs, count, sizeof(jobs[0]), compare_since);
	print(cli, jobs, count < (size_t)filter->limit ? count : (size_t)filter->limit);
	return EXIT_STOPPED;
}

static int jobs_run(struct cli *cli, void *data)
{
	struct input *input = data;
	struct job_filter *filter = &input->filter;
	struct error error = { 0 };
	struct job *jobs;
	size_t count;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (filter->limit == 0)
		filter->limit = DEFAULT_LIMIT;
	if (input->slow)
		return list_slow(cli, filter);
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
	.parse = jobs_parse,
	.input_size = sizeof(struct input),
	.output = "an array of jobs: `id`, `class`, `queue`, `priority`, `state` (ready, "
		  "scheduled, claimed, blocked, failed, finished; lost when it is in no "
		  "table), `outcome` (cancelled or discarded, of a finished job; cancelling, of a "
		  "claimed one that is being stopped; else null), `active_job_id`, "
		  "`concurrency_key`, `arguments` (array), "
		  "`created_at`, `scheduled_at`, `finished_at`, `since` (in this state), "
		  "`process_id` (the process that claimed it), `error` (object with "
		  "`exception_class`, `message`, `backtrace`).",
	.needs = NEED_DATABASE,
	.run = jobs_run,
};
