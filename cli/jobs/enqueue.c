/*
 * dray enqueue: one job, with its arguments as words of the command line or as JSON; with --bulk
 * one for each line of a file (bulk.c). NAME=VALUE is a named argument where the class's command or
 * a limit's key has {NAME}; else, where a value follows. What was understood is printed, since
 * another reading would have been possible.
 */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/classes.h"
#include "cli/cli.h"
#include "cli/jobs/jobs.h"
#include "cli/output/table.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/text.h"
#include "config/config.h"
#include "policy/policy.h"
#include "queue/enqueue/enqueue.h"
#include "queue/payload/payload.h"
#include "worker/exec/command.h"

/* Arguments on the command line */

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
#define RESERVED        "_aj_" /* prefix of Active Job's own names */

#define SHOWN_WORD    60 /* characters of a word that are shown */
#define SHOWN_MAXIMUM 400

/* When NAME=VALUE is a named argument, and when it is text. */
enum argument_names {
	NAMES_BY_CLASS, /* a command or key says so by {NAME}; for others a VALUE and a plain NAME
			   do */
	NAMES_ALWAYS,
	NAMES_NEVER,
};

struct argument_rule {
	enum argument_names names;
	const struct config_class *class; /* of the job; NULL = not declared */
};

struct words {
	const struct argument_rule *rule;
	json_t *array;
	json_t *named;
	json_t *names; /* in the order given */
};

/* The length of NAME in NAME=VALUE; 0 if the word has another form. */
static size_t name_length(const char *word)
{
	const char *end = strchr(word, '=');

	return end ? (size_t)(end - word) : 0;
}

/* What names look like where nothing tells that it is one. */
static bool is_plain(const char *word, size_t length)
{
	return strspn(word, NAME_CHARACTERS) == length && !(word[0] >= '0' && word[0] <= '9');
}

/* A limit's key is a template of the class, too. */
static bool is_used(const struct config_class *class, const char *name)
{
	if (command_uses(class->command, name))
		return true;
	for (size_t i = 0; i < class->concurrency_count; i++)
		if (class->concurrency[i].key &&
		    command_uses((const char *const[]){ class->concurrency[i].key, NULL }, name))
			return true;
	return false;
}

static bool is_named(struct arena *arena, const struct words *words, const char *word,
		     size_t length)
{
	const struct argument_rule *rule = words->rule;

	if (length == 0 || rule->names != NAMES_BY_CLASS)
		return length > 0 && rule->names == NAMES_ALWAYS;
	if (rule->class && rule->class->handler == HANDLER_COMMAND)
		return is_used(rule->class, arena_strndup(arena, word, length));
	return is_plain(word, length) && word[length + 1] != '\0';
}

static enum status add_named(struct words *words, const char *word, size_t length,
			     struct error *error)
{
	json_t *value = json_string(word + length + 1);
	json_t *name = json_stringn(word, length);
	const char *key = json_string_value(name);
	enum status status = STATUS_OK;

	if (strncmp(key, RESERVED, strlen(RESERVED)) == 0)
		status = error_set(error, STATUS_INVALID,
				   "argument \"%s\": names with " RESERVED " are reserved", key);
	else if (json_object_get(words->named, key))
		status = error_set(error, STATUS_INVALID, "argument \"%s\" is given twice", key);
	else if (value) {
		json_object_set(words->named, key, value);
		json_array_append(words->names, name);
	} else
		status = error_set(error, STATUS_INVALID, "argument \"%s\" is not UTF-8", key);
	json_decref(value);
	json_decref(name);
	return status;
}

static enum status add_word(struct arena *arena, struct words *words, const char *word,
			    size_t position, struct error *error)
{
	size_t length = name_length(word);

	if (is_named(arena, words, word, length))
		return add_named(words, word, length, error);
	json_t *value = json_string(word);
	if (!value)
		return error_set(error, STATUS_INVALID, "argument %zu is not UTF-8", position);
	json_array_append_new(words->array, value);
	return STATUS_OK;
}

static void show_word(struct text *shown, const char *word)
{
	if (shown->length < SHOWN_MAXIMUM)
		(void)text_json_part(shown, word, strlen(word), SHOWN_WORD);
	else
		text_add(shown, "...");
}

/* As Ruby would write the call: "access.log", template: "welcome". */
static const char *show_arguments(struct arena *arena, const struct words *words)
{
	struct text shown = { 0 };
	json_t *value;
	size_t i;

	json_array_foreach(words->array, i, value)
	{
		text_add(&shown, i > 0 ? ", " : "");
		show_word(&shown, json_string_value(value));
	}
	json_array_foreach(words->names, i, value)
	{
		const char *name = json_string_value(value);
		text_printf(&shown, "%s%.60s: ", shown.length > 0 ? ", " : "", name);
		show_word(&shown, json_string_value(json_object_get(words->named, name)));
	}
	return text_take(&shown, arena);
}

static const char *array_of(struct arena *arena, struct words *words)
{
	if (json_object_size(words->named) > 0) {
		json_object_set(words->named, "_aj_ruby2_keywords", words->names);
		json_array_append(words->array, words->named);
	}
	char *text = json_dumps(words->array, JSON_COMPACT);
	if (!text)
		out_of_memory();
	const char *copy = arena_strdup(arena, text);
	free(text);
	return copy;
}

/*
 * Builds the JSON array of the words behind the first, which is the class: texts, and a
 * last element that holds the named arguments (docs/internals/solid-queue.md, 2.3). *shown is what
 * was understood, for people; NULL = there are no words. INVALID: a word is not UTF-8, or a name is
 * reserved or given twice.
 */
static enum status arguments_json(struct arena *arena, const struct arguments *given,
				  const struct argument_rule *rule, const char **json,
				  const char **shown, struct error *error)
{
	struct words all = { rule, json_array(), json_object(), json_array() };
	enum status status = STATUS_OK;

	for (size_t i = 1; i < given->count && status == STATUS_OK; i++)
		status = add_word(arena, &all, given->list[i], i, error);
	if (status == STATUS_OK) {
		*shown = given->count > 1 ? show_arguments(arena, &all) : NULL;
		*json = array_of(arena, &all);
	}
	json_decref(all.array);
	json_decref(all.named);
	json_decref(all.names);
	return status;
}

/* dray enqueue */

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
	  "how long a run of it may take, at most 365d (default: that of its class in "
	  "jobs.yml)",
	  0 },
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
		if (job->timeout > task_most(TASK_TIMEOUT))
			argument_error(state, "--timeout: %s is more than %s", value,
				       task_keys[TASK_TIMEOUT].most);
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

static error_t enqueue_parse(int key, const char *value, struct argp_state *state)
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
				  struct enqueueing *enqueueing, struct payload *read,
				  struct error *error)
{
	struct new_job *job = &enqueueing->job;
	enum status status = STATUS_OK;

	enqueueing->rule.class = config_class_find(config, job->class_name);
	job->arguments = enqueueing->json_arguments;
	if (!enqueueing->json_arguments && !enqueueing->json_keywords)
		status = arguments_json(arena, &enqueueing->arguments, &enqueueing->rule,
					&job->arguments, &enqueueing->shown, error);
	return status == STATUS_OK
		       ? payload_arguments(arena, job->arguments, enqueueing->json_keywords, read,
					   &job->array, error)
		       : status;
}

static int enqueue_one(struct cli *cli, struct enqueueing *enqueueing)
{
	struct new_job *job = &enqueueing->job;
	struct enqueued result = { 0 };
	struct payload read = { 0 };
	struct error error = { 0 };

	job->class_name = enqueueing->arguments.list[0];
	policy_defaults(cli->config, job);
	classes_warn(cli, job->class_name);
	if (read_arguments(cli->arena, cli->config, enqueueing, &read, &error) != STATUS_OK)
		return cli_fail(&error);
	classes_warn_of_arguments(cli, job->class_name, &read);
	enum status status = policy_keys(cli->arena, cli->config, job, &read, &error);
	payload_clear(&read);
	if (status != STATUS_OK)
		return cli_fail(&error);
	if (enqueue(cli->db, job, 1, &result, &error) != STATUS_OK)
		return fail(&error, &result);
	print(cli, enqueueing, &result);
	return EXIT_STOPPED;
}

static int enqueue_run(struct cli *cli, void *input)
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
	       "keyword in Ruby): if the class has a command in jobs.yml, only when that or a key "
	       "of its concurrency has the placeholder {NAME}, and otherwise only with something "
	       "behind the =; else it is a string. What was understood is printed. With --bulk, "
	       "every line of the file is a JSON object with the keys class, arguments (an array, "
	       "or an object of named arguments), keywords (an object), queue, priority, at (a "
	       "time) or in (seconds or a duration), timeout (the same) and concurrency_key. A "
	       "bad line is reported with its number; all other jobs are enqueued, and the exit "
	       "status is 1."
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
	.parse = enqueue_parse,
	.names = "classes",
	.input_size = sizeof(struct enqueueing),
	.output = "an object with `id`, `active_job_id`, `class`, `queue` and, if plain ones were "
		  "given, `arguments` (an array as in the payload); if `on_conflict` discarded the "
		  "job, with `discarded` (true), `concurrency_key` and `class`. With "
		  "`--bulk`: `enqueued`, `discarded`, `bad_lines` and `lines` (numbers).",
	.needs = NEED_DATABASE | NEED_PROCESS | NEED_CLASSES,
	.run = enqueue_run,
};
