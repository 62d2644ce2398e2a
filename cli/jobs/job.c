#include <stdio.h>
#include <stdlib.h>

#include "cli/jobs/job_id.h"
#include "cli/jobs/job_json.h"
#include "cli/jobs/jobs.h"
#include "cli/jobs/timeline.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/payload/payload.h"

/* Prints a JSON value under its title. */
static void print_pretty(const char *title, const json_t *value)
{
	if (!value || json_is_null(value))
		return;
	struct arena *arena = arena_new();
	(void)printf("\n%s\n%s\n", title, json_pretty(arena, value));
	arena_free(arena);
}

/* For people the keys are one line, and left out if there are none. */
static void add_keys(const struct cli *cli, const struct job_details *details, json_t *record)
{
	const char *line = NULL;
	json_t *keys = json_array();

	for (size_t i = 0; i < details->more_count; i++) {
		const char *key = details->more_keys[i];
		json_array_append_new(keys, json_string(key));
		line = line ? arena_printf(cli->arena, "%s, %s", line, key) : key;
	}
	if (cli->json || details->more_count > 0)
		json_object_set_new(record, "more_keys",
				    cli->json ? json_incref(keys) : json_string(line));
	if (cli->json || details->waits_for)
		json_object_set_new(record, "waits_for", value_text(details->waits_for));
	json_decref(keys);
}

/* Its own; that of its class is in the jobs.yml of its worker. */
static void add_timeout(const struct cli *cli, const struct job *job, json_t *record)
{
	const int64_t timeout = payload_timeout(job->payload);
	char text[CLOCK_TEXT_SIZE];

	clock_span(timeout, text);
	if (cli->json)
		json_object_set_new(record, "timeout",
				    timeout > 0 ? json_real((double)timeout / (double)CLOCK_SECOND)
						: json_null());
	else if (timeout > 0)
		json_object_set_new(record, "timeout", json_string(text));
}

static void print(const struct cli *cli, const struct job *job, const struct job_details *details)
{
	static const struct column columns[] = {
		{ "id", "job", CELL_NUMBER },
		{ "class", "class", CELL_TEXT },
		{ "state", "state", CELL_STATE },
		{ "queue", "queue", CELL_TEXT },
		{ "priority", "priority", CELL_NUMBER },
		{ "active_job_id", "active job id", CELL_TEXT },
		{ "concurrency_key", "concurrency key", CELL_TEXT },
		{ "more_keys", "further keys", CELL_TEXT },
		{ "waits_for", "waits for key", CELL_TEXT },
		{ "created_at", "created", CELL_TIME },
		{ "scheduled_at", "scheduled", CELL_TIME },
		{ "since", "in this state since", CELL_TIME },
		{ "finished_at", "finished", CELL_TIME },
		{ "process_id", "claimed by process", CELL_NUMBER },
		{ "timeout", "timeout", CELL_TEXT },
		{ "losses", "losses", CELL_NUMBER },
		{ "interruptions", "interruptions", CELL_NUMBER },
		{ "group", "error group", CELL_TEXT },
		{ 0 },
	};
	json_t *record = job_json(job);
	json_t *payload = value_json(job->payload);
	json_t *error = value_json(job->error);
	json_t *timeline = timeline_json(cli->arena, job, details);

	if (cli->json) {
		json_object_set(record, "payload", payload);
		json_object_set(record, "timeline", timeline);
	}
	if (cli->json || job->losses > 0)
		json_object_set_new(record, "losses", json_integer(job->losses));
	if (cli->json || details->interruptions > 0)
		json_object_set_new(record, "interruptions", json_integer(details->interruptions));
	json_object_set_new(record, "group", value_text(job_error_group(job, details)));
	add_timeout(cli, job, record);
	add_keys(cli, details, record);
	if (!cli->json)
		job_for_people(record);
	record_print(cli, columns, record);
	if (!cli->json) {
		timeline_print(cli, json_incref(timeline));
		json_t *arguments = job_arguments(json_object_get(payload, "arguments"));
		print_pretty("arguments", arguments ? arguments : payload);
		error_print(cli, error);
		json_decref(arguments);
	}
	json_decref(timeline);
	json_decref(payload);
	json_decref(error);
}

static int run(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct job_details details;
	struct job job;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (job_id_find(cli, input, &job, &error) != STATUS_OK)
		return cli_fail(&error);
	if (job_details_read(cli->db, cli->arena, &job, &details, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, &job, &details);
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.args_doc = "ID",
	.doc = "Print everything about one job: its state, its arguments, its error and "
	       "its timeline; with --json also its whole payload. The timeline is what the tables "
	       "still know: when the job was enqueued, "
	       "became due, got a slot of its key, was lost, was claimed (and by which process), "
	       "failed, was retried, interrupted, snoozed, discarded, cancelled or finished, and "
	       "the earlier "
	       "attempts with the same Active Job id. Of the runs that did not succeed (with "
	       "`history: all` also of the others) it has the last 20; the log has the rest."
	       " ID is the job's number or its Active Job id."
	       "\vExamples:\n"
	       "  dray job 42\n"
	       "  dray job 019362f1-6a5e-7c3b-9f55-8a1b2c3d4e5f --json",
};

const struct command job_command = {
	.name = "job",
	.summary = "print everything about one job",
	.argp = &argp,
	.parse = job_id_parse,
	.input_size = sizeof(struct job_id),
	.output =
		"the job as `dray jobs` prints it, with `payload` (object): the whole Active Job "
		"object, `timeout` (number): its own limit for a run in seconds, null if it has "
		"only that of its class, `losses` (number): how often the process that ran it "
		"was lost, "
		"`interruptions` (number): how many of its runs were cut short by a shutdown or "
		"put it off, `more_keys` (array of texts): its concurrency keys other than the "
		"first, "
		"`group` (text): the error group of its failure (`dray errors`), null unless it "
		"has failed or waits for a retry, "
		"`waits_for` (text): the key that it waits for, null unless it is blocked, and "
		"`timeline`: an array of `at` (time), `event` (`attempt`, `enqueued`, `due`, "
		"`slot`, `lost`, `cancelling`, `blocked`, `ready`, `claimed`, `failed`, `retried`, "
		"`interrupted`, `snoozed`, `discarded`, `cancelled`, `finished`) and "
		"`detail` (text), oldest first.",
	.needs = NEED_DATABASE,
	.run = run,
};
