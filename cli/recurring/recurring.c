#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "cli/audit.h"
#include "cli/recurring/recurring.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"

enum key {
	KEY_ZONE = 1,
	KEY_AFTER,
	KEY_BEFORE,
	KEY_KEY,
	KEY_COMPATIBLE,
	KEY_STRICT,
	KEY_REASON,
	KEY_DRY_RUN,
	KEY_YES,
};

/*
 * The options of `dray recurring add` and `change`, the keys of recurring.yml: FIELD() of the
 * task_keys, and the others.
 */
#define FIELD_FIRST 700
#define FIELD(id)   (FIELD_FIRST + (id))
enum field_key {
	FIELD_SCHEDULE = FIELD(TASK_KEYS),
	FIELD_CLASS,
	FIELD_COMMAND,
	FIELD_ARGS,
	FIELD_QUEUE,
	FIELD_DESCRIPTION,
	FIELD_PRIORITY,
	FIELD_ENABLED,
};

#define NUMBER_MAXIMUM 10000
#define NAMES          "list, next, explain, history, run, pause, resume, add, change or remove"

static const struct argp_option options[] = {
	{ "zone", KEY_ZONE, "ZONE", 0, "where the schedule names none (default time_zone)", 0 },
	{ "after", KEY_AFTER, "TIME", 0, "list runs after this time (default now)", 0 },
	{ "before", KEY_BEFORE, "TIME", 0, "history: only occurrences before this time", 0 },
	{ "number", 'n', "N", 0, "how many runs to list (default 5; history 20)", 0 },
	{ "key", KEY_KEY, "KEY", 0, "the task's key, which decides what `~` stands for", 0 },
	{ "compatible", KEY_COMPATIBLE, NULL, 0,
	  "read schedules as Solid Queue does, without extensions", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "refuse schedules that do not mean what they say", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "why something is changed, for `dray audit` and list",
	  1 },
	{ "dry-run", KEY_DRY_RUN, NULL, 0, "report what would be done, and change nothing", 1 },
	{ "yes", KEY_YES, NULL, 0, "remove: do not ask (required when there is no terminal)", 1 },
	{ "schedule", FIELD_SCHEDULE, "SCHEDULE", 0, "when it runs (see explain)", 2 },
	{ "class", FIELD_CLASS, "CLASS", 0, "class of its jobs", 2 },
	{ "command", FIELD_COMMAND, "LINE", 0,
	  "instead of a class: a program and its arguments, run without a shell", 2 },
	{ "args", FIELD_ARGS, "JSON", 0,
	  "arguments of its jobs: an array, or an object of named ones", 2 },
	{ "queue", FIELD_QUEUE, "QUEUE", 0, "where its jobs go (default: its class's)", 2 },
	{ "priority", FIELD_PRIORITY, "N", 0, "smaller runs first (default: its class's)", 2 },
	{ "description", FIELD_DESCRIPTION, "TEXT", 0, "a note for people", 2 },
	{ "time-zone", FIELD(TASK_TIME_ZONE), "ZONE", 0,
	  "if the schedule names none (default: time_zone of queue.yml)", 2 },
	{ "dst-gap", FIELD(TASK_DST_GAP), "WHAT", 0,
	  "a time that does not exist: default, skip or next_valid", 2 },
	{ "dst-overlap", FIELD(TASK_DST_OVERLAP), "WHAT", 0,
	  "a time that exists twice: default, first or both", 2 },
	{ "misfire", FIELD(TASK_MISFIRE), "WHAT", 0, "missed occurrences: once, skip or all", 2 },
	{ "misfire-limit", FIELD(TASK_MISFIRE_LIMIT), "N", 0, "with all: how many at most", 2 },
	{ "misfire-window", FIELD(TASK_MISFIRE_WINDOW), "DURATION", 0,
	  "older occurrences are ignored", 2 },
	{ "overlap", FIELD(TASK_OVERLAP), "WHAT", 0,
	  "while its previous job is unfinished: allow, skip or queue", 2 },
	{ "jitter", FIELD(TASK_JITTER), "DURATION", 0, "delay each job by up to this much", 2 },
	{ "timeout", FIELD(TASK_TIMEOUT), "DURATION", 0,
	  "how long a run of its jobs may take (default: as its class says)", 2 },
	{ "enabled", FIELD_ENABLED, "BOOL", 0, "false: keep the task, but do not run it", 2 },
	{ "start-at", FIELD(TASK_START_AT), "TIME", 0, "no occurrence before this time", 2 },
	{ "end-at", FIELD(TASK_END_AT), "TIME", 0, "no occurrence after this time", 2 },
	{ "late-after", FIELD(TASK_LATE_AFTER), "DURATION", 0,
	  "for dray health: how late the job of an occurrence may be enqueued", 2 },
	{ "failures-after", FIELD(TASK_FAILURES_AFTER), "N", 0,
	  "for dray health: how many runs in a row may not fail", 2 },
	{ 0 },
};

#define OPTION_SIZE 32

static int64_t number(const char *value, const char *option, int64_t least, int64_t most,
		      const struct argp_state *state)
{
	int64_t found = argument_number(value, option, least, state);

	if (found > most)
		argument_error(state, "%s: at most %lld", option, (long long)most);
	return found;
}

/* An empty value restores the default. */
static void parse_number(struct recurring_values *values, enum task_key_id id, const char *value,
			 const struct argp_state *state)
{
	char option[OPTION_SIZE];
	int64_t found = 0;

	(void)snprintf(option, sizeof(option), "--%s", task_keys[id].name);
	for (char *at = option; *at != '\0'; at++)
		if (*at == '_')
			*at = '-';
	if (*value != '\0' && task_keys[id].kind == TASK_SPAN)
		found = argument_duration(value, option, state);
	else if (*value != '\0')
		found = number(value, option, task_least(id), task_most(id), state);
	recurring_option_set_number(&values->options, id, found > 0 ? found : -1);
}

static void parse_key(struct recurring_values *values, enum task_key_id id, const char *value,
		      const struct argp_state *state)
{
	enum task_kind kind = task_keys[id].kind;

	if (kind == TASK_TEXT || kind == TASK_WORD)
		recurring_option_set_text(&values->options, id, value);
	else
		parse_number(values, id, value, state);
}

static void parse_priority(struct recurring_values *values, const char *value,
			   const struct argp_state *state)
{
	bool given = *value != '\0';

	values->has_priority = given ? PRIORITY_GIVEN : PRIORITY_OF_CLASS;
	values->priority = given ? (int)number(value, "--priority", INT_MIN, INT_MAX, state) : 0;
}

static void parse_enabled(struct recurring_values *values, const char *value,
			  const struct argp_state *state)
{
	bool enabled = true;

	if (*value != '\0' && parse_bool(value, &enabled) != STATUS_OK)
		argument_error(state, "--enabled: \"%s\" is not true or false", value);
	values->enabled = enabled ? 1 : -1;
}

static error_t parse_value(struct recurring_request *request, int key, const char *value,
			   const struct argp_state *state)
{
	struct recurring_values *values = &request->values;
	const char **const texts[] = {
		&values->schedule,  &values->class_name, &values->command,
		&values->arguments, &values->queue,      &values->description,
	};

	if (key < FIELD_FIRST || key > FIELD_ENABLED)
		return ARGP_ERR_UNKNOWN;
	if (key < FIELD_SCHEDULE)
		parse_key(values, (enum task_key_id)(key - FIELD_FIRST), value, state);
	else if (key < FIELD_PRIORITY)
		*texts[key - FIELD_SCHEDULE] = value; /* they are in this order */
	else if (key == FIELD_PRIORITY)
		parse_priority(values, value, state);
	else
		parse_enabled(values, value, state);
	request->has_values = true;
	return 0;
}

static error_t parse_argument(struct recurring_request *request, const char *value)
{
	if (!request->verb)
		request->verb = value;
	else if (!request->subject)
		request->subject = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static error_t parse_act(struct recurring_request *request, int key, const char *value,
			 struct argp_state *state)
{
	switch (key) {
	case KEY_BEFORE:
		request->before = argument_time(value, "--before", INSTANT_PAST, state);
		return 0;
	case KEY_REASON:
		request->reason = record_reason(value, state);
		return 0;
	case KEY_DRY_RUN:
		request->dry_run = true;
		return 0;
	case KEY_YES:
		request->yes = true;
		return 0;
	default:
		return parse_value(request, key, value, state);
	}
}

static error_t recurring_parse(int key, const char *value, struct argp_state *state)
{
	struct recurring_request *request = state->input;

	switch (key) {
	case KEY_ZONE:
		request->zone = value;
		return 0;
	case KEY_AFTER:
		request->after = argument_time(value, "--after", INSTANT_FUTURE, state);
		return 0;
	case 'n':
		request->number = number(value, "-n", 1, NUMBER_MAXIMUM, state);
		return 0;
	case KEY_KEY:
		request->key = value;
		return 0;
	case KEY_COMPATIBLE:
		request->compatible = true;
		return 0;
	case KEY_STRICT:
		request->strict = true;
		return 0;
	case ARGP_KEY_INIT:
		request->after = clock_wall();
		return 0;
	case ARGP_KEY_NO_ARGS:
		argument_error(state, "say what to do: " NAMES);
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(request, value);
	default:
		return parse_act(request, key, value, state);
	}
}

static const struct verb {
	const char *name;
	int (*run)(struct cli *cli, const struct recurring_request *request);
	const char *missing; /* asks for the argument; NULL = it takes none */
	bool acts;           /* takes --reason and --dry-run */
	bool writes;         /* takes the settings of a task */
	unsigned needs;      /* as a command's */
} verbs[] = {
	{ "list", recurring_do_list, NULL, false, false, NEED_DATABASE | NEED_PROCESS },
	{ "next", recurring_do_next, "which task?", false, false, NEED_DATABASE | NEED_PROCESS },
	{ "explain", recurring_do_explain, "which schedule?", false, false, 0 },
	{ "history", recurring_do_history, "which task?", false, false, NEED_DATABASE },
	{ "run", recurring_do_run, "which task?", true, false, NEED_DATABASE },
	{ "pause", recurring_do_pause, "which task?", true, false, NEED_DATABASE },
	{ "resume", recurring_do_pause, "which task?", true, false, NEED_DATABASE },
	{ "add", recurring_do_add, "which key has the task?", true, true,
	  NEED_DATABASE | NEED_PROCESS | NEED_ROLES },
	{ "change", recurring_do_change, "which task?", true, true,
	  NEED_DATABASE | NEED_PROCESS | NEED_ROLES },
	{ "remove", recurring_do_remove, "which task?", true, false, NEED_DATABASE },
};

/* What is wrong with the command line, or NULL. */
static const char *mistake(const struct verb *verb, const struct recurring_request *request)
{
	if ((verb->missing == NULL) != (request->subject == NULL))
		return verb->missing ? verb->missing : "it takes no argument";
	if (!verb->writes && request->has_values)
		return "only add and change take the settings of a task";
	if (!verb->acts && (request->reason || request->dry_run || request->yes))
		return "it changes nothing";
	return NULL;
}

static int recurring_run(struct cli *cli, void *input)
{
	const struct recurring_request *request = input;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct verb *verb = &verbs[i];
		if (strcmp(request->verb, verb->name) != 0)
			continue;
		const char *wrong = mistake(verb, request);
		cli->request.needs = verb->needs;
		if (!wrong)
			return verb->run(cli, request);
		cli_complain("recurring %s: %s", verb->name, wrong);
		return EXIT_USAGE;
	}
	cli_complain("recurring: \"%s\" is not " NAMES, request->verb);
	return EXIT_USAGE;
}

static const struct argp argp = {
	.options = options,
	.args_doc = "list\nnext KEY\nexplain SCHEDULE\nhistory KEY\nrun KEY\npause KEY\nresume "
		    "KEY\nadd KEY --schedule SCHEDULE --class CLASS\nadd KEY --schedule SCHEDULE "
		    "--command LINE\nchange KEY OPTION...\nremove "
		    "KEY",
	.doc = "Recurring tasks. list shows the tasks of recurring.yml and those added at run "
	       "time: "
	       "when each last ran, with what result, and when it runs next. next lists the next "
	       "runs of one task; history lists its past occurrences and what became of them, for "
	       "at least a week. explain shows what a schedule means: as a cron expression, in "
	       "words, and as the next times at which it runs, with a mark where the clocks "
	       "change. For a text that is not a schedule it says why, and suggests one. It needs "
	       "no database.\n\n"
	       "run enqueues a job of a task at once, even if the task is paused, and leaves its "
	       "schedule as it is. pause stops a task until it is resumed: runs that fall due "
	       "while it is paused are dropped, and do not count as missed. add, change and "
	       "remove are for tasks that are in no file. Schedulers with `dynamic_tasks_enabled` "
	       "run these, and follow a change within their `polling_interval`; each occurrence "
	       "is decided by what the task was at that time. The options of add and change are "
	       "the keys of recurring.yml; with change, an empty value resets the key to its "
	       "default. A command runs as a job of the class `" RECURRING_COMMAND_CLASS
	       "`, on workers whose jobs.yml has that class. Everything that changes something "
	       "writes a line for `dray audit`."
	       "\vExamples:\n"
	       "  dray recurring list\n"
	       "  dray recurring next report -n 10\n"
	       "  dray recurring explain \"every weekday at 9am Europe/Madrid\"\n"
	       "  dray recurring explain \"30 2 * * *\" --zone America/New_York "
	       "--after 2026-03-07\n"
	       "  dray recurring explain \"every 45 minutes\" --strict --json\n"
	       "  dray recurring pause report --reason \"the figures are wrong\"\n"
	       "  dray recurring run report\n"
	       "  dray recurring add cleanup --schedule \"every day at 4am\" --class CleanupJob "
	       "--args '[30]'\n"
	       "  dray recurring add backup --schedule \"every day at 2:30\" --command "
	       "\"/usr/bin/backup --all\"\n"
	       "  dray recurring change cleanup --schedule \"every hour\" --args '' --dry-run\n"
	       "  dray recurring remove cleanup --yes\n"
	       "  dray recurring history report --json",
};

const struct command recurring_command = {
	.name = "recurring",
	.summary = "show, run, pause and change recurring tasks, explain schedules",
	.argp = &argp,
	.parse = recurring_parse,
	.names = "tasks",
	.names_after = "next history run pause resume change remove",
	.words = "list next explain history run pause resume add change remove",
	.input_size = sizeof(struct recurring_request),
	.output =
		"list: an array of `key`, `schedule`, `words` (null: the schedule cannot be read), "
		"`zone`, `class`, `command` (null: a class), `queue`, `enabled`, `from` (a file, "
		"`added`, or `Rails`), `late_after` (seconds), `failures_after` (null: by how "
		"often it runs), `paused`, `paused_at`, `paused_by`, `pause_reason`, "
		"`last_run_at`, `last_outcome` (missed, overlapped, waiting, retrying, running, "
		"finished, discarded, cancelled, failed; enqueued or manual: its job is gone), "
		"`last_job_id`, `next_run_at` (null: "
		"none); next: an array of runs as in explain; history: an array, latest first, of "
		"`run_at`, `outcome` (enqueued, manual, missed, overlapped), `occurrences` and "
		"`first_at` (how many occurrences in a row had this outcome, and the first of "
		"them), `job_id`, `state` (of the job: as there; null: "
		"none or gone), `decided_at`; run, pause, resume, add, change, remove: an object "
		"with `key`, `action`, `changed` and `dry_run`; pause adds `not_held_by` (a "
		"scheduler of Rails that has the task, too; null: none), run adds `job_id` (null: "
		"none) and `run_at`, add and change add `schedule`, `words`, `zone`, `class` and "
		"`next_run_at`; explain: an object with `schedule`, `cron` (text; several "
		"expressions are joined by ` | `), `words`, `zone`, `zone_because` (text: why that "
		"zone), `next` (array of times, whole seconds), `runs` (array of `at`, `local`, "
		"`offset` in seconds, `abbreviation`, `mark`: moved, first of two, second of two) "
		"and `warnings` (array of `text`, `line`, `column`, `suggestion`). For a text that "
		"is not a schedule, `cron` is null, and `error` has the members of a warning.",
	.run = recurring_run,
};
