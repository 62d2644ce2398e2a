#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/jobs/arguments.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "policy/policy.h"
#include "queue/enqueue/enqueue.h"
#include "queue/payload/payload.h"

struct enqueueing {
	struct new_job job; /* filled from the options */
	const char *json_arguments;
	const char *json_keywords;
	const char *bulk;
	struct argument_rule rule;
	const char *shown; /* what was understood of plain arguments; NULL = there are none */
	bool options;      /* an option for a single job was given */
	struct arguments arguments; /* CLASS, then the job's arguments */
};

enum key {
	KEY_QUEUE = 1,
	KEY_PRIORITY,
	KEY_AT,
	KEY_IN,
	KEY_TIMEOUT,
	KEY_JSON_ARGS,
	KEY_JSON_KEYWORDS,
	KEY_CONCURRENCY_KEY,
	KEY_NAMED,
	KEY_TEXT,
	KEY_BULK
};

static const struct argp_option options[] = {
	{ "queue", KEY_QUEUE, "QUEUE", 0,
	  "queue to put the job on (default: that of its class in jobs.yml)", 0 },
	{ "priority", KEY_PRIORITY, "N", 0,
	  "smaller numbers run first (default: that of its class in jobs.yml)", 0 },
	{ "at", KEY_AT, "TIME", 0,
	  "run it at this time: 2026-12-24T18:00:00Z (UTC without a zone), 18:00, \"tomorrow "
	  "9am\", \"noon "
	  "Europe/Madrid\"",
	  0 },
	{ "in", KEY_IN, "DURATION", 0, "run it after this delay: 90s, 1h30m, 2d", 0 },
	{ "timeout", KEY_TIMEOUT, "DURATION", 0,
	  "how long a run of it may take (default: that of its class in jobs.yml)", 0 },
	{ "json-args", KEY_JSON_ARGS, "JSON", 0,
	  "arguments as JSON: an array of positional ones, or an object of named ones", 0 },
	{ "json-keywords", KEY_JSON_KEYWORDS, "JSON", 0,
	  "named arguments as a JSON object; may be combined with an array in --json-args", 0 },
	{ "named", KEY_NAMED, NULL, 0, "every NAME=VALUE is a named argument", 0 },
	{ "text", KEY_TEXT, NULL, 0, "every argument is a text, also NAME=VALUE", 0 },
	{ "concurrency-key", KEY_CONCURRENCY_KEY, "KEY", 0, "limit the jobs that share this key",
	  0 },
	{ "bulk", KEY_BULK, "FILE", 0,
	  "enqueue one job for each line of this file (- for standard input)", 0 },
	{ 0 },
};

static error_t parse_option(struct enqueueing *enqueueing, int key, const char *value,
			    struct argp_state *state)
{
	struct new_job *job = &enqueueing->job;
	int64_t number;

	switch (key) {
	case KEY_QUEUE:
		job->queue = value;
		return 0;
	case KEY_PRIORITY:
		number = argument_number(value, "--priority", INT_MIN, state);
		if (number > INT_MAX)
			argument_error(state, "--priority: %s is more than %d", value, INT_MAX);
		job->priority = (int)number;
		job->has_priority = true;
		return 0;
	case KEY_AT:
		job->at = argument_time(value, "--at", INSTANT_FUTURE, state);
		return 0;
	case KEY_IN:
		job->delay = argument_duration(value, "--in", state);
		return 0;
	case KEY_TIMEOUT:
		job->timeout = argument_duration(value, "--timeout", state);
		if (job->timeout < CLOCK_MILLISECOND)
			argument_error(state, "--timeout: %s is less than 1ms", value);
		return 0;
	case KEY_CONCURRENCY_KEY:
		job->concurrency_key = value;
		return 0;
	case KEY_NAMED:
	case KEY_TEXT:
		if (enqueueing->rule.names != NAMES_BY_CLASS)
			argument_error(state, "give --named or --text, once");
		enqueueing->rule.names = key == KEY_NAMED ? NAMES_ALWAYS : NAMES_NEVER;
		return 0;
	case KEY_JSON_ARGS:
		enqueueing->json_arguments = value;
		return 0;
	case KEY_JSON_KEYWORDS:
		enqueueing->json_keywords = value;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static void parse_end(const struct enqueueing *enqueueing, struct argp_state *state)
{
	const struct new_job *job = &enqueueing->job;

	if (enqueueing->bulk && (enqueueing->arguments.count > 0 || enqueueing->options))
		argument_error(state, "--bulk reads everything from the file: do not give a class, "
				      "arguments or options of a single job");
	if (!enqueueing->bulk && enqueueing->arguments.count == 0)
		argument_error(state, "missing CLASS");
	if (job->at && job->delay)
		argument_error(state, "give --at or --in, not both");
	if ((enqueueing->json_arguments || enqueueing->json_keywords) &&
	    enqueueing->arguments.count > 1)
		argument_error(state,
			       "with --json-args or --json-keywords, do not give other arguments");
}

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct enqueueing *enqueueing = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		arguments_take(&enqueueing->arguments, state);
		return 0;
	case ARGP_KEY_END:
		parse_end(enqueueing, state);
		return 0;
	case KEY_BULK:
		enqueueing->bulk = value;
		return 0;
	default:
		if (parse_option(enqueueing, key, value, state) != 0)
			return ARGP_ERR_UNKNOWN;
		enqueueing->options = true;
		return 0;
	}
}

static void print(const struct cli *cli, const struct enqueueing *enqueueing,
		  const struct enqueued *result)
{
	const struct new_job *job = &enqueueing->job;
	const char *queue = job->queue ? job->queue : "default";
	const char *shown = enqueueing->shown;
	json_t *value;

	if (result->discarded) {
		say(cli, "discarded: all slots of the key %s are taken", job->concurrency_key);
		json_print(cli, json_pack("{s:b, s:o, s:o}", "discarded", 1, "concurrency_key",
					  value_text(job->concurrency_key), "class",
					  value_text(job->class_name)));
		return;
	}
	say(cli, "enqueued job %" PRId64 " (%s) on queue %s%s%s", result->id, result->active_job_id,
	    queue, shown ? ": " : "", shown ? shown : "");
	value = json_pack("{s:I, s:s, s:o, s:o}", "id", (json_int_t)result->id, "active_job_id",
			  result->active_job_id, "class", value_text(job->class_name), "queue",
			  value_text(queue));
	if (shown)
		json_object_set_new(value, "arguments", json_loads(job->arguments, 0, NULL));
	json_print(cli, value);
}

static int fail(const struct error *error, const struct enqueued *result)
{
	if (error->status == STATUS_UNCERTAIN && result->active_job_id[0])
		cli_complain("the job may or may not have been enqueued: the connection was lost "
			     "during the commit; check with `dray job %s`",
			     result->active_job_id);
	return cli_fail(error);
}

static enum status read_arguments(struct arena *arena, const struct config *config,
				  struct enqueueing *enqueueing, struct error *error)
{
	struct new_job *job = &enqueueing->job;

	if (enqueueing->json_keywords)
		return payload_join(arena, enqueueing->json_arguments, enqueueing->json_keywords,
				    &job->arguments, error);
	enqueueing->rule.class = config_class_find(config, job->class_name);
	if (!enqueueing->json_arguments)
		return arguments_json(arena, &enqueueing->arguments, &enqueueing->rule,
				      &job->arguments, &enqueueing->shown, error);
	job->arguments = enqueueing->json_arguments;
	return STATUS_OK;
}

static int enqueue_one(struct cli *cli, struct enqueueing *enqueueing)
{
	struct new_job *job = &enqueueing->job;
	struct enqueued result = { 0 };
	struct error error = { 0 };

	job->class_name = enqueueing->arguments.list[0];
	policy_defaults(cli->config, job);
	classes_warn(cli, job->class_name);
	if (read_arguments(cli->arena, cli->config, enqueueing, &error) != STATUS_OK)
		return cli_fail(&error);
	classes_warn_of_arguments(cli, job);
	if (policy_keys(cli->arena, cli->config, job, &error) != STATUS_OK)
		return cli_fail(&error);
	if (enqueue(cli->db, job, 1, &result, &error) != STATUS_OK)
		return fail(&error, &result);
	print(cli, enqueueing, &result);
	return EXIT_STOPPED;
}

static int run(struct cli *cli, void *input)
{
	struct enqueueing *enqueueing = input;
	const char *class_name = enqueueing->bulk ? NULL : enqueueing->arguments.list[0];
	struct error error = { 0 };
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (policy_introduce_classes(cli->db, cli->config, class_name, &error) != STATUS_OK)
		return cli_fail(&error);
	return enqueueing->bulk ? bulk_enqueue(cli, enqueueing->bulk)
				: enqueue_one(cli, enqueueing);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "CLASS [ARGUMENT...]\n--bulk FILE",
	.doc = "Enqueue a job. Plain arguments are strings. NAME=VALUE is a named argument (a "
	       "keyword "
	       "in Ruby): if the class has a command in jobs.yml, only when that has the "
	       "placeholder "
	       "{NAME}, and otherwise only with something behind the =; else it is a string. What "
	       "was understood is printed. With --bulk, every line of the file is a JSON object "
	       "with the "
	       "keys class, arguments (an array, or an object of named arguments), keywords (an "
	       "object), queue, priority, at (a time) or in (seconds or a duration), "
	       "timeout (the same) and concurrency_key. A bad line is reported with its number; "
	       "all other jobs are "
	       "enqueued, and the exit status is 1."
	       "\vExamples:\n"
	       "  dray enqueue CompressJob access.log\n"
	       "  dray enqueue MailJob to=ann@example.com template=welcome --in 10m\n"
	       "  dray enqueue ReportJob --json-args '[2026]' --json-keywords "
	       "'{\"pages\": 3}'\n"
	       "  zcat jobs.ndjson.gz | dray enqueue --bulk -",
};

const struct command enqueue_command = {
	.name = "enqueue",
	.summary = "enqueue one job, or one for every line of a file",
	.argp = &argp,
	.parse = parse,
	.names = "classes",
	.input_size = sizeof(struct enqueueing),
	.output = "an object with `id`, `active_job_id`, `class`, `queue` and, if plain ones were "
		  "given, `arguments` (an array as in the payload); if `on_conflict` discarded the "
		  "job, with `discarded` (true), `concurrency_key` and `class`. With "
		  "`--bulk`: `enqueued`, `discarded`, `bad_lines` and `lines` (numbers).",
	.needs = NEED_DATABASE | NEED_PROCESS | NEED_CLASSES,
	.run = run,
};
