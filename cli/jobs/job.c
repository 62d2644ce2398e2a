/*
 * dray job, dray why, and a job for people, the same wherever it is printed. `dray why` prints what
 * queue/look/why.h finds out; only what jobs.yml says of the class is added here.
 */
#include "cli/jobs/job.h"

#include <stdio.h>
#include <string.h>

#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/uuid.h"
#include "policy/policy.h"
#include "queue/manage/manage.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"
#include "show/show.h"

/* On the command line */

struct job_id {
	int64_t id;
	const char *active_job_id; /* NULL = by id */
};

#define UUID_CHARACTERS "0123456789abcdefABCDEF-"

static bool is_uuid(const char *text)
{
	return strlen(text) == UUID_TEXT_SIZE - 1 && text[strspn(text, UUID_CHARACTERS)] == '\0';
}

/* A parser for commands with the single argument ID. */
static error_t job_id_parse(int key, const char *value, struct argp_state *state)
{
	struct job_id *id = state->input;

	if (key == ARGP_KEY_NO_ARGS)
		argument_error(state, "missing ID of the job");
	else if (key != ARGP_KEY_ARG || id->id != 0 || id->active_job_id)
		return ARGP_ERR_UNKNOWN;
	else if (is_uuid(value))
		id->active_job_id = value;
	else if (leads_with_zero(value) || parse_int(value, 1, INT64_MAX, &id->id) != STATUS_OK)
		argument_error(state, "\"%s\" is neither the number of a job nor an Active Job id",
			       value);
	return 0;
}

/* All texts are in cli->arena. NONE: there is no such job. */
static enum status job_id_find(struct cli *cli, const struct job_id *id, struct job *job,
			       struct error *error)
{
	enum status status = STATUS_OK;
	int64_t number = id->id;

	if (id->active_job_id)
		status = job_find_active(cli->db, id->active_job_id, &number, error);
	if (status == STATUS_OK)
		status = job_find(cli->db, cli->arena, number, job, error);
	return status;
}

/* As JSON, and for people */

void job_for_people(json_t *row)
{
	json_t *outcome = json_object_get(row, "outcome");

	if (json_is_string(outcome))
		json_object_set(row, "state", outcome);
}

/* The arguments for people: without Rails' mark of named arguments. */
static json_t *job_arguments(const json_t *arguments)
{
	json_t *copy = json_deep_copy(arguments);
	json_t *argument;
	size_t i;

	json_array_foreach(copy, i, argument) json_object_del(argument, "_aj_ruby2_keywords");
	return copy;
}

json_t *job_brief(struct arena *arena, const struct job *job, const json_t *row)
{
	const struct cause cause = cause_of(arena, job->error);

	if (cause.brief)
		return value_text(cause.brief);
	return job->error ? value_json(job->error)
			  : job_arguments(json_object_get(row, "arguments"));
}

void error_print(const struct cli *cli, const json_t *error)
{
	const char *class_name = json_string_value(json_object_get(error, "exception_class"));
	const char *message = json_string_value(json_object_get(error, "message"));
	const json_t *lines = json_object_get(error, "backtrace");
	json_t *line;
	size_t i;

	if (!error || json_is_null(error))
		return;
	(void)puts("\nerror");
	if (!class_name || !message)
		text_print(cli, json_pretty(cli->arena, error));
	else
		text_print(cli, arena_printf(cli->arena, "%s: %s", class_name, message));
	json_array_foreach(lines, i, line) if (json_is_string(line))
		text_print(cli, arena_printf(cli->arena, "  %s", json_string_value(line)));
}

/* Prints one line for each event, under a title. Takes the reference. */
static void timeline_print(const struct cli *cli, json_t *timeline)
{
	static const struct column columns[] = {
		{ "at", "TIMELINE", CELL_TIME },
		{ "event", "EVENT", CELL_STATE },
		{ "detail", "DETAIL", CELL_STORY },
		{ 0 },
	};

	(void)putchar('\n');
	table_print(cli, columns, timeline);
}

/* A job that does not exist may have left rows behind. */
static int tell_left(struct cli *cli, const struct job_id *id, const struct error *error)
{
	struct error own = { 0 };
	struct why why;
	enum status status = id->active_job_id || error->status != STATUS_NONE
				     ? STATUS_NONE
				     : why_read_left(cli->db, cli->arena, id->id, &why, &own);

	if (status != STATUS_OK)
		return cli_fail(status == STATUS_NONE ? error : &own);
	text_print(cli, why.text);
	json_print(cli, show_left(id->id, &why));
	return EXIT_STOPPED;
}

/* dray job */

/* Prints a JSON value under its title. */
static void print_pretty(const char *title, const json_t *value)
{
	if (!value || json_is_null(value))
		return;
	struct arena *arena = arena_new();
	(void)printf("\n%s\n%s\n", title, json_pretty(arena, value));
	arena_free(arena);
}

static void leave_out_nothing(json_t *row, const char *key)
{
	if (json_integer_value(json_object_get(row, key)) == 0)
		json_object_del(row, key);
}

/* For people: on a line each, and what is nothing is left out. */
static void whole_for_people(const struct cli *cli, const struct job *job, json_t *row)
{
	const int64_t timeout = payload_timeout(job->payload);
	char text[CLOCK_TEXT_SIZE];

	job_for_people(row);
	leave_out_nothing(row, "losses");
	leave_out_nothing(row, "interruptions");
	json_object_set_new(row, "more_keys",
			    value_text(json_line(cli->arena, json_object_get(row, "more_keys"))));
	clock_span(timeout, text);
	json_object_set_new(row, "timeout", timeout > 0 ? json_string(text) : json_null());
}

static void print_job(const struct cli *cli, const struct job *job,
		      const struct job_details *details)
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
	json_t *row = show_job_whole(cli->arena, job, details);
	json_t *payload = json_object_get(row, "payload");

	if (cli->json) {
		json_print(cli, row);
		return;
	}
	whole_for_people(cli, job, row);
	record_print(cli, columns, json_incref(row));
	timeline_print(cli, json_incref(json_object_get(row, "timeline")));
	json_t *arguments = job_arguments(json_object_get(payload, "arguments"));
	print_pretty("arguments", arguments ? arguments : payload);
	error_print(cli, json_object_get(row, "error"));
	json_decref(arguments);
	json_decref(row);
}

static int run_job(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct job_details details;
	struct job job;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (job_id_find(cli, input, &job, &error) != STATUS_OK)
		return tell_left(cli, input, &error);
	if (job_details_read(cli->db, cli->arena, &job, &details, &error) != STATUS_OK)
		return cli_fail(&error);
	print_job(cli, &job, &details);
	return EXIT_STOPPED;
}

static const struct argp job_argp = {
	.args_doc = "ID",
	.doc = "Print everything about one job: its state, its arguments, its error and "
	       "its timeline; with --json also its whole payload. The timeline is what the tables "
	       "still know: when the job was enqueued, "
	       "became due, got a slot of its key, was lost, was claimed (and by which process), "
	       "failed, was retried, interrupted, snoozed, discarded, cancelled or finished, and "
	       "the earlier "
	       "attempts with the same Active Job id. Of the runs that did not succeed (with "
	       "`history: all` also of the others) it has the last `keep_attempts`; the log has "
	       "the rest. It also has who retried the job by hand."
	       " ID is the job's number or its Active Job id."
	       "\vExamples:\n"
	       "  dray job 42\n"
	       "  dray job 019362f1-6a5e-7c3b-9f55-8a1b2c3d4e5f --json",
};

const struct command job_command = {
	.name = "job",
	.summary = "print everything about one job",
	.argp = &job_argp,
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
		"`detail` (text), oldest first. Of a job that does not exist but has left rows: "
		"what `dray why` prints.",
	.needs = NEED_DATABASE,
	.run = run_job,
};

/* dray why */

static int run_why(struct cli *cli, void *input)
{
	struct error error = { 0 };
	struct job_details details;
	struct job job;
	struct why why;
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	const struct loss_policy policy = policy_losses(cli->config);
	const struct prune patience = policy_silence(cli->config, 0);
	struct why_facts facts = { .job = &job, .details = &details, .policy = &policy };
	if (job_id_find(cli, input, &job, &error) != STATUS_OK)
		return tell_left(cli, input, &error);
	bool read = job_details_read(cli->db, cli->arena, &job, &details, &error) == STATUS_OK &&
		    why_read(cli->db, cli->arena, &patience, &facts, &error) == STATUS_OK;
	if (!read)
		return cli_fail(&error);
	const struct config_class *class = config_class_declared(cli->config, job.class_name);
	facts.declared = class != NULL;
	facts.attempts = class && class->retry.given ? class->retry.attempts : 0;
	why_explain(cli->arena, &facts, &why);
	text_print(cli, why.text);
	json_print(cli, show_why(&job, &why));
	return EXIT_STOPPED;
}

static const struct argp why_argp = {
	.args_doc = "ID",
	.doc = "Explain why a job is not running, that it is running, or how it ended. A job waits "
	       "because its queue or class is paused, because no living worker serves its queue or "
	       "takes its class, because another job holds its key, because it is not due yet "
	       "(after a failure, for its retry) or no dispatcher is alive, because all threads "
	       "are busy, because its next loss would "
	       "end it and such jobs run one at a time, or because other jobs come first. All "
	       "reasons that apply are given. ID is the job's number or its Active Job id."
	       "\vExamples:\n"
	       "  dray why 42\n"
	       "  dray why 42 --json",
};

const struct command why_command = {
	.name = "why",
	.summary = "explain why a job is not running",
	.argp = &why_argp,
	.parse = job_id_parse,
	.input_size = sizeof(struct job_id),
	.output =
		"`id`, `state`, `running` (boolean), `text` (the paragraph), and `reasons`: an "
		"array of `kind`, `text` and what belongs to the kind: `queue_paused`, "
		"`class_paused` (`since`, `until`, `by`, `host`, `reason`), `refused` (`since`, "
		"`until`, `reason`: what the database said), `unserved` (`queue`, "
		"`silent`: number of workers that have sent no heartbeat for too long), "
		"`leaving`, `quiet`, `process_paused`, `waits`, `trouble` (of a dispatcher without "
		"numbers), `class_left` "
		"(`workers` that serve the queue, `count` of these), `busy` (`threads`, "
		"`workers`), `held` (`threads`, `workers`, `jobs`: of leaving workers, which "
		"may hold the threads), "
		"`last_chance` (`losses`, `workers`, `job`: a job on its "
		"last chance that one of them runs), `ahead` (`jobs`, `more`: 1 if there are "
		"more than "
		"1,000, `seconds`: the estimate, 0 if there is none), `limited` (`key`, `job`, "
		"`since`, `process`, `host`, `pid`), `retrying` (`attempt`, which failed, `at`, "
		"`error`, `message`, `executions`: how many there were, `attempts`: how many "
		"there may be, if jobs.yml says that), `snoozed` (`attempt`, `at`, "
		"`text`), `scheduled`, `due` (`at`), "
		"`no_dispatcher`, "
		"`running`, `silent` (`since`, `process`, `host`, `pid`, `last_heartbeat_at`), "
		"`orphaned` (`since`), `failed` (`at`, `error`, `message`), `unknown_class` "
		"(`class`), `finished` (`at`), `next` (nothing holds it up), `nowhere`, `missing` "
		"(`state`, `since`: a row that is left of a job that does not exist; the "
		"job's own `state` is `missing`, too).",
	.needs = NEED_DATABASE,
	.run = run_why,
};
