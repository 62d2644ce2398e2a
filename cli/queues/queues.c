#include "cli/queues/queues.h"
#include "cli/output/table.h"
#include "cli/queues/survey_json.h"
#include "cli/queues/unserved.h"
#include "common/process.h"
#include "policy/policy.h"
#include "queue/look/survey.h"

void survey_json_states(json_t *row, const int64_t counts[JOB_STATES], int64_t retrying)
{
	for (int state = 0; state < JOB_STATES; state++) {
		int64_t jobs = counts[state] - (state == JOB_SCHEDULED ? retrying : 0);
		if (counts[state] >= 0)
			json_object_set_new(row, job_state_name((enum job_state)state),
					    json_integer(jobs));
		if (state == JOB_SCHEDULED)
			json_object_set_new(row, "retrying", json_integer(retrying));
	}
}

json_t *survey_json(const struct survey *survey, const struct survey_queue *entry)
{
	const struct queue_row *queue = &entry->row;
	json_t *row = json_object();

	json_object_set_new(row, "name", value_text(queue->name));
	json_object_set_new(row, "paused", json_boolean(queue->paused));
	survey_json_states(row, queue->counts, entry->retrying);
	json_object_set_new(row, "latency", value_span(queue->latency));
	json_object_set_new(row, "finished_minute", json_integer(entry->throughput.minute));
	json_object_set_new(row, "finished_hour", json_integer(entry->throughput.hour));
	json_object_set_new(row, "estimated", json_boolean(survey->estimated));
	json_object_set_new(row, "workers", json_integer((json_int_t)entry->workers));
	json_object_set_new(row, "paused_at", value_time(queue->paused_at));
	json_object_set_new(row, "paused_until", value_time(queue->note.ends_at));
	json_object_set_new(row, "paused_by", value_text(queue->note.who));
	json_object_set_new(row, "paused_on", value_text(queue->note.host));
	json_object_set_new(row, "pause_reason", value_text(queue->note.reason));
	return row;
}

const char *survey_status(const struct survey_queue *queue)
{
	if (queue->row.paused)
		return "paused";
	return survey_unserved(queue) ? "unserved" : "active";
}

/* Adds the columns for people. */
static void describe(json_t *row, const struct survey_queue *queue)
{
	bool foreign = queue->row.paused && !queue->row.note.who;

	json_object_set_new(row, "status", json_string(survey_status(queue)));
	if (foreign)
		json_object_set_new(row, "paused_by", json_string("other software"));
}

static int run(struct cli *cli, void *input)
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
		json_t *row = survey_json(&survey, &survey.queues[i]);
		if (cli->json)
			json_object_set_new(row, "unserved",
					    unserved_json(cli, &survey.queues[i].unserved));
		else
			describe(row, &survey.queues[i]);
		json_array_append_new(rows, row);
	}
	table_print(cli, columns, rows);
	for (size_t i = 0; i < survey.count && !cli->json; i++)
		unserved_print(cli, &survey.queues[i].unserved);
	return EXIT_STOPPED;
}

static const struct argp argp = {
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
	.argp = &argp,
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
	.run = run,
};
