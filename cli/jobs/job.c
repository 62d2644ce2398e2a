/*
 * dray job, dray why, and a job as JSON, the same wherever it is printed. `dray job` adds its
 * timeline: what the tables still know of its past, oldest first, made anew from the rows each
 * time. A run that the history tells of is not told again from the job's own row. `dray why` prints
 * what queue/look/why.h finds out; only what jobs.yml says of the class is added here.
 */
#include "cli/jobs/job.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "common/text/uuid.h"
#include "policy/policy.h"
#include "queue/look/job_details.h"
#include "queue/look/why.h"
#include "queue/manage/manage.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"

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
	else if (parse_int(value, 1, INT64_MAX, &id->id) != STATUS_OK)
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

json_t *job_json(const struct job *job)
{
	json_t *row = json_object();
	json_t *payload = value_json(job->payload);
	json_t *arguments = json_object_get(payload, "arguments");

	json_object_set_new(row, "id", json_integer(job->id));
	json_object_set_new(row, "class", value_text(job->class_name));
	json_object_set_new(row, "queue", value_text(job->queue));
	json_object_set_new(row, "priority", json_integer(job->priority));
	json_object_set_new(
		row, "state",
		json_string(job->state == JOB_STATES ? "lost" : job_state_name(job->state)));
	json_object_set_new(row, "outcome", value_text(job->outcome));
	json_object_set_new(row, "active_job_id", value_text(job->active_job_id));
	json_object_set_new(row, "concurrency_key", value_text(job->concurrency_key));
	json_object_set(row, "arguments", arguments ? arguments : json_null());
	json_object_set_new(row, "created_at", value_time(job->created_at));
	json_object_set_new(row, "scheduled_at", value_time(job->scheduled_at));
	json_object_set_new(row, "finished_at", value_time(job->finished_at));
	json_object_set_new(row, "since", value_time(job->since));
	json_object_set_new(row, "process_id", value_id(job->process_id));
	json_object_set_new(row, "error", value_json(job->error));
	json_decref(payload);
	return row;
}

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

/* Its timeline */

#define MOST_EVENTS 64
#define MEBIBYTE    1048576.0

struct event {
	int64_t at;
	const char *name;
	const char *detail;
};

struct timeline {
	struct arena *arena;
	const struct job *job;
	const struct job_details *details;
	struct event events[MOST_EVENTS];
	size_t count;
};

static void add_event(struct timeline *timeline, int64_t at, const char *name, const char *detail)
{
	if (at > 0 && timeline->count < MOST_EVENTS)
		timeline->events[timeline->count++] = (struct event){ at, name, detail };
}

static void add_attempts(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;

	for (size_t i = details->attempt_count; i-- > 0;) {
		const struct job_details_attempt *attempt = &details->attempts[i];
		int64_t at = attempt->finished_at > 0 ? attempt->finished_at : attempt->created_at;
		add_event(timeline, at, "attempt",
			  arena_printf(timeline->arena, "as job %" PRId64 ", which %s", attempt->id,
				       attempt->finished_at > 0 ? "ended at this time"
								: "was enqueued at this time"));
	}
}

/* Does the history have runs, and not only that the job was cancelled? */
static bool has_runs(const struct job_details *details)
{
	for (size_t i = 0; i < details->run_count; i++)
		if (details->runs[i].attempt > 0)
			return true;
	return false;
}

static void add_beginning(struct timeline *timeline)
{
	const struct job *job = timeline->job;
	int executions = timeline->details->executions;
	const char *detail = arena_printf(timeline->arena, "on queue %s with priority %d",
					  job->queue, job->priority);

	if (executions > 0 && !has_runs(timeline->details)) /* else they say so */
		detail = arena_printf(timeline->arena, "%s, after %d execution%s by Active Job",
				      detail, executions, executions > 1 ? "s" : "");
	add_event(timeline, job->created_at, "enqueued", detail);
	if (job->finished_at > 0 && job->scheduled_at > job->finished_at)
		return; /* it was cancelled before */
	if (job->state == JOB_SCHEDULED || job->scheduled_at > job->created_at + CLOCK_SECOND)
		add_event(timeline, job->scheduled_at, "due", "it was scheduled for this time");
}

/* Whether the history tells of the last loss. */
static bool is_lost_told(const struct job_details *details)
{
	for (size_t i = 0; i < details->run_count; i++)
		if (details->runs[i].ended_at == details->last_lost_at)
			return true;
	return false;
}

static void add_middle(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;
	struct arena *arena = timeline->arena;
	int64_t losses = timeline->job->losses;

	/* Which also forgets the losses. */
	if (losses == 0)
		add_event(timeline, details->last_lost_at, "retried",
			  "by hand; dray audit says by whom");
	for (size_t i = 0; i < details->slot_count; i++)
		add_event(
			timeline, details->slots[i].since, "slot",
			arena_printf(arena, "it got a slot of the key %s", details->slots[i].key));
	if (losses > 0 && !is_lost_told(details))
		add_event(timeline, details->last_lost_at, "lost",
			  arena_printf(arena,
				       "the process that ran it was lost (%" PRId64
				       " time%s in all)",
				       losses, losses > 1 ? "s" : ""));
}

static const char *failure(struct arena *arena, const char *error)
{
	const struct cause cause = cause_of(arena, error);

	if (!cause.brief)
		return "with an error that cannot be read";
	if (!cause.line)
		return cause.brief;
	return arena_printf(arena, "%s: %s: %s", cause.error_class, cause.message, cause.line);
}

/* Such as ", 2.104 s, CPU 0.030 s, memory 12.5 MiB" */
static const char *cost(struct arena *arena, const struct job_details_run *run_job)
{
	const char *time = arena_printf(
		arena, ", %.3f s", (double)(run_job->ended_at - run_job->began_at) / CLOCK_SECOND);

	if (run_job->peak_memory == 0)
		return time;
	return arena_printf(arena, "%s, CPU %.3f s, memory %.1f MiB", time,
			    (double)run_job->cpu_time / CLOCK_SECOND,
			    (double)run_job->peak_memory / MEBIBYTE);
}

static void add_runs(struct timeline *timeline)
{
	const struct job_details *details = timeline->details;
	struct arena *arena = timeline->arena;

	for (size_t i = details->run_count; i-- > 0;) {
		const struct job_details_run *run_job = &details->runs[i];
		const char *where =
			run_job->process
				? arena_printf(arena, " by %s on host %s", run_job->process,
					       run_job->hostname ? run_job->hostname : "unknown")
				: "";
		if (run_job->attempt == 0) { /* it ended without a run */
			add_event(timeline, run_job->ended_at, run_job->outcome,
				  failure(arena, run_job->error));
			continue;
		}
		add_event(timeline, run_job->ended_at, run_job->outcome,
			  arena_printf(arena, "attempt %" PRId64 "%s%s%s%s", run_job->attempt,
				       where, cost(arena, run_job), run_job->error ? ": " : "",
				       run_job->error ? failure(arena, run_job->error) : ""));
	}
}

/* Whether the history tells of the end that the job has come to. */
static bool is_told(const struct timeline *timeline, const char *outcome)
{
	const struct job_details *details = timeline->details;

	return details->run_count > 0 && strcmp(details->runs[0].outcome, outcome) == 0 &&
	       text_same(details->runs[0].error, timeline->job->error);
}

static const char *claimed_by(const struct timeline *timeline)
{
	const struct process_row *process = &timeline->details->process;

	if (process->id == 0)
		return arena_printf(timeline->arena, "by process %" PRId64 ", which is gone",
				    timeline->job->process_id);
	return arena_printf(timeline->arena, "by %s on host %s, pid %d", process->name,
			    process->hostname ? process->hostname : "unknown", process->pid);
}

/* Adds the current state. */
static void add_present(struct timeline *timeline)
{
	const struct job *job = timeline->job;
	const struct job_details *details = timeline->details;
	const char *key = details->waits_for ? details->waits_for : "";

	add_event(timeline, details->cancelled_at, "cancelling", details->cancelled);
	if (job->state == JOB_CLAIMED)
		add_event(timeline, job->since, "claimed", claimed_by(timeline));
	else if (job->state == JOB_FAILED && !is_told(timeline, "failed"))
		add_event(timeline, job->since, "failed", failure(timeline->arena, job->error));
	else if (job->state == JOB_BLOCKED)
		add_event(timeline, job->since, "blocked",
			  arena_printf(timeline->arena, "it waits for the key %s", key));
	else if (job->state == JOB_READY)
		add_event(timeline, job->since, "ready", "it waits for a worker");
	if (!is_told(timeline, "finished"))
		add_event(timeline, job->finished_at, "finished",
			  job->outcome ? ""
				       : "the log says more of the run (job.finished); so would "
					 "history: all");
}

/* A stable sort: events with equal times stay in the order in which they were added. */
static void sort_events(struct timeline *timeline)
{
	for (size_t i = 1; i < timeline->count; i++) {
		struct event event = timeline->events[i];
		size_t place = i;
		for (; place > 0 && timeline->events[place - 1].at > event.at; place--)
			timeline->events[place] = timeline->events[place - 1];
		timeline->events[place] = event;
	}
}

/* An array of `at`, `event`, `detail`. */
static json_t *timeline_json(struct arena *arena, const struct job *job,
			     const struct job_details *details)
{
	struct timeline timeline = { .arena = arena, .job = job, .details = details };
	json_t *list = json_array();

	add_attempts(&timeline);
	add_beginning(&timeline);
	add_middle(&timeline);
	add_runs(&timeline);
	add_present(&timeline);
	sort_events(&timeline);
	for (size_t i = 0; i < timeline.count; i++) {
		const struct event *event = &timeline.events[i];
		json_t *row = json_object();
		json_object_set_new(row, "at", value_time(event->at));
		json_object_set_new(row, "event", json_string(event->name));
		json_object_set_new(row, "detail", value_text(event->detail));
		json_array_append_new(list, row);
	}
	return list;
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

static int run_job(struct cli *cli, void *input)
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
	       "`history: all` also of the others) it has the last 20; the log has the rest."
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
		"`detail` (text), oldest first.",
	.needs = NEED_DATABASE,
	.run = run_job,
};

/* dray why */

static json_t *value_of(const struct why_field *field)
{
	if (field->type == WHY_TEXT)
		return value_text(field->text);
	return field->type == WHY_TIME ? value_time(field->number) : json_integer(field->number);
}

static json_t *reason_json(const struct why_reason *reason)
{
	json_t *row = json_object();

	json_object_set_new(row, "kind", json_string(reason->kind));
	json_object_set_new(row, "text", value_text(reason->text));
	for (size_t i = 0; i < reason->field_count; i++)
		json_object_set_new(row, reason->fields[i].name, value_of(&reason->fields[i]));
	return row;
}

static json_t *why_json(const struct job *job, const struct why *why)
{
	json_t *row = json_object();
	json_t *reasons = json_array();

	for (size_t i = 0; i < why->count; i++)
		json_array_append_new(reasons, reason_json(&why->reasons[i]));
	json_object_set_new(row, "id", json_integer(job->id));
	json_object_set_new(
		row, "state",
		json_string(job->state == JOB_STATES ? "lost" : job_state_name(job->state)));
	json_object_set_new(row, "running", json_boolean(why->running));
	json_object_set_new(row, "reasons", reasons);
	json_object_set_new(row, "text", value_text(why->text));
	return row;
}

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
	bool read = job_id_find(cli, input, &job, &error) == STATUS_OK &&
		    job_details_read(cli->db, cli->arena, &job, &details, &error) == STATUS_OK &&
		    why_read(cli->db, cli->arena, &patience, &facts, &error) == STATUS_OK;
	if (!read)
		return cli_fail(&error);
	const struct config_class *class = class_declared(cli, job.class_name);
	facts.declared = class != NULL;
	facts.attempts = class && class->retry.given ? class->retry.attempts : 0;
	why_explain(cli->arena, &facts, &why);
	text_print(cli, why.text);
	json_print(cli, why_json(&job, &why));
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
	.output = "`id`, `state`, `running` (boolean), `text` (the paragraph), and `reasons`: an "
		  "array of `kind`, `text` and what belongs to the kind: `queue_paused`, "
		  "`class_paused` (`since`, `until`, `by`, `host`, `reason`), `refused` (`since`, "
		  "`until`, `reason`: what the database said), `unserved` (`queue`, "
		  "`silent`: number of workers that have sent no heartbeat for too long), "
		  "`leaving`, `quiet`, `process_paused`, `waits`, `class_left` "
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
		  "(`class`), `finished` (`at`), `next` (nothing holds it up), `nowhere`.",
	.needs = NEED_DATABASE,
	.run = run_why,
};
