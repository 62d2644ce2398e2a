/* dray pause, dray resume. */
#include <string.h>

#include "cli/output/table.h"
#include "cli/queues/pause.h"
#include "cli/queues/queue_names.h"
#include "cli/queues/queues.h"
#include "cli/record.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/enqueue/enqueue.h"
#include "queue/pauses/pattern.h"

#define SHORTEST CLOCK_SECOND
#define LONGEST  (3650 * CLOCK_DAY)

enum key { KEY_ALL = 1, KEY_REASON, KEY_FOR, KEY_CLASS, KEY_PROCESS };

static void set_name(struct pause *pause, enum pause_kind kind, const char *name,
		     struct argp_state *state)
{
	struct error error = { 0 };

	if (pause->name)
		argument_error(state, "one queue, one pattern, --all, one class or one process");
	if (*name == '\0')
		argument_error(state, "a %s has a name", pause_kind_name(kind));
	if (name_check(pause_kind_name(kind), name, &error) != STATUS_OK)
		argument_error(state, "%s", error.text);
	pause->name = name;
	pause->kind = kind;
}

static void set_queue(struct pause *pause, const char *name, struct argp_state *state)
{
	const char *star = strchr(name, '*');

	set_name(pause, PAUSE_QUEUE, name, state);
	if (star && star[1] != '\0')
		argument_error(state, "\"%s\": \"*\" may only stand at the end", name);
}

static void set_period(struct pause *pause, const char *value, struct argp_state *state)
{
	pause->period = argument_duration(value, "--for", state);
	if (pause->period < SHORTEST || pause->period > LONGEST)
		argument_error(state, "--for: from 1s to 3650d");
}

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct pause *pause = state->input;

	if (key == KEY_ALL)
		set_queue(pause, "*", state);
	else if (key == ARGP_KEY_ARG)
		set_queue(pause, value, state);
	else if (key == KEY_CLASS)
		set_name(pause, PAUSE_CLASS, value, state);
	else if (key == KEY_PROCESS)
		set_name(pause, PAUSE_PROCESS, value, state);
	else if (key == KEY_REASON)
		pause->reason = record_reason(value, state);
	else if (key == KEY_FOR)
		set_period(pause, value, state);
	else if (key != ARGP_KEY_END)
		return ARGP_ERR_UNKNOWN;
	return 0;
}

/* Nothing named: what is paused is listed, and there is nothing to say about it. */
static error_t parse_pause(int key, const char *value, struct argp_state *state)
{
	const struct pause *pause = state->input;

	if (key == ARGP_KEY_END && !pause->name && (pause->reason || pause->period > 0))
		argument_error(state, "which queue?");
	return parse(key, value, state);
}

static error_t parse_resume(int key, const char *value, struct argp_state *state)
{
	const struct pause *pause = state->input;

	if (key == ARGP_KEY_END && !pause->name)
		argument_error(state, "which queue?");
	return parse(key, value, state);
}

static bool is_pattern(const char *queue)
{
	return strchr(queue, '*') != NULL;
}

/* What is to be paused or resumed; a single name is never refused, known or not. */
static enum status choose(struct cli *cli, const char *queue, enum queue_kind kind,
			  struct queue_names *chosen, struct error *error)
{
	enum status status = queue_names_read(cli, kind, chosen, error);

	if (status != STATUS_OK)
		return status;
	if (is_pattern(queue)) {
		queue_names_match(chosen, queue);
		return STATUS_OK;
	}
	if (kind == QUEUES_KNOWN)
		queue_names_warn(cli, chosen, queue);
	chosen->list[0] = queue;
	chosen->count = 1;
	return STATUS_OK;
}

/* What happened to a queue, or to a pattern. */
static json_t *tell(const struct cli *cli, const char *kind, const char *name, int64_t until,
		    bool paused, bool changed)
{
	say(cli, "%s %s %s %s%s", kind, name, changed ? "is now" : "was already",
	    paused ? "paused" : "running", pause_until_text(cli, until));
	return json_pack("{s:o, s:b, s:b, s:o}", kind, value_text(name), "paused", paused,
			 "changed", changed, "until", value_time(until));
}

struct outcome {
	bool paused;
	bool pattern; /* was the pattern's state another one before? */
	int64_t until;
	const bool *changed;
};

/* A name has one object; a pattern an array of its own and those of the queues that there are. */
static void print(const struct cli *cli, const char *queue, const struct queue_names *names,
		  const struct outcome *outcome)
{
	json_t *rows = json_array();

	if (is_pattern(queue))
		json_array_append_new(rows, tell(cli, "pattern", queue, outcome->until,
						 outcome->paused, outcome->pattern));
	for (size_t i = 0; i < names->count; i++)
		json_array_append_new(rows, tell(cli, "queue", names->list[i], outcome->until,
						 outcome->paused, outcome->changed[i]));
	json_print(cli,
		   is_pattern(queue) ? json_incref(rows) : json_incref(json_array_get(rows, 0)));
	json_decref(rows);
}

/* The pattern first: from then on it holds for every queue, whatever becomes of us. */
static enum status pause_named(struct cli *cli, const char *queue, const struct pause_note *note,
			       struct queue_names *names, struct outcome *outcome,
			       struct error *error)
{
	enum status status = STATUS_OK;

	if (is_pattern(queue))
		status = pattern_pause(cli->db, queue, note, &outcome->pattern, error);
	if (status == STATUS_OK)
		status = choose(cli, queue, QUEUES_KNOWN, names, error);
	if (status != STATUS_OK)
		return status;
	bool *changed = arena_array(cli->arena, names->count + 1, sizeof(*changed));
	outcome->changed = changed;
	return pause_queues(cli->db, names->list, names->count, note, changed, error);
}

static int run_pause(struct cli *cli, void *input)
{
	const struct pause *pause = input;
	struct error error = { 0 };
	struct queue_names names;
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (!pause->name)
		return pause_show(cli);
	if (pause->kind != PAUSE_QUEUE)
		return pause_other_run(cli, pause);
	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	note.ends_at = pause->period > 0 ? db_now(cli->db) + pause->period : 0;
	struct outcome outcome = { .paused = true, .until = note.ends_at };
	if (pause_named(cli, pause->name, &note, &names, &outcome, &error) != STATUS_OK)
		return cli_fail(&error);
	print(cli, pause->name, &names, &outcome);
	return EXIT_STOPPED;
}

/* The pattern first, so that nothing is paused for its sake behind our back. */
static enum status resume_named(struct cli *cli, const char *queue, const struct pause_note *note,
				struct queue_names *names, struct outcome *outcome,
				struct error *error)
{
	enum status status = STATUS_OK;

	if (is_pattern(queue))
		status = pattern_resume(cli->db, queue, note, &outcome->pattern, error);
	if (status == STATUS_OK)
		status = choose(cli, queue, QUEUES_PAUSED, names, error);
	if (status != STATUS_OK)
		return status;
	bool *changed = arena_array(cli->arena, names->count + 1, sizeof(*changed));
	outcome->changed = changed;
	return resume_queues(cli->db, names->list, names->count, note, changed, error);
}

/* Only when there was nothing to resume does it matter whether the name is known. */
static int run_resume(struct cli *cli, void *input)
{
	const struct pause *pause = input;
	struct error error = { 0 };
	struct queue_names names;
	struct queue_names known;
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	int code = cli_connect(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (pause->kind != PAUSE_QUEUE)
		return resume_other_run(cli, pause);
	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	struct outcome outcome = { .paused = false };
	if (resume_named(cli, pause->name, &note, &names, &outcome, &error) != STATUS_OK)
		return cli_fail(&error);
	if (!is_pattern(pause->name) && !outcome.changed[0]) {
		if (queue_names_read(cli, QUEUES_KNOWN, &known, &error) != STATUS_OK)
			return cli_fail(&error);
		queue_names_warn(cli, &known, pause->name);
	}
	print(cli, pause->name, &names, &outcome);
	return EXIT_STOPPED;
}

static const struct argp_option pause_options[] = {
	{ "all", KEY_ALL, NULL, 0, "every queue, also those that appear later", 0 },
	{ "class", KEY_CLASS, "CLASS", 0, "not a queue: no worker takes jobs of this class", 0 },
	{ "process", KEY_PROCESS, "NAME", 0,
	  "not a queue: this worker (`dray processes`) takes no jobs", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "why, for `dray queues` and `dray audit`", 0 },
	{ "for", KEY_FOR, "DURATION", 0, "it ends by itself after so long (from 1s)", 0 },
	{ 0 },
};

static const struct argp_option resume_options[] = {
	{ "all", KEY_ALL, NULL, 0, "every paused queue and every pattern", 0 },
	{ "class", KEY_CLASS, "CLASS", 0, "not a queue, but this class", 0 },
	{ "process", KEY_PROCESS, "NAME", 0, "not a queue, but this worker", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "why, for `dray audit`", 0 },
	{ 0 },
};

static const struct argp pause_argp = {
	.options = pause_options,
	.args_doc = "[QUEUE]",
	.doc = "Let no worker take jobs from a queue, or of a class, or let one worker take none. "
	       "Running jobs go on, and jobs can still be enqueued. What does not exist yet can be "
	       "paused too, but for a worker, whose pause is over when it ends. `prefix*` and "
	       "--all "
	       "hold for queues that appear later, too, until they are resumed in the same words; "
	       "one of their queues can be resumed by its name. Pausing again changes the reason "
	       "and the "
	       "end. A pause with --for is ended by a running supervisor or role, at its time, or "
	       "one "
	       "of less than five seconds up to five seconds later. Without "
	       "anything named, lists what is paused."
	       "\vExamples:\n"
	       "  dray pause mail\n"
	       "  dray pause mail --for 2h --reason \"the mail server moves\"\n"
	       "  dray pause --class ImportJob --reason \"bad input\"\n"
	       "  dray pause 'report_*' --json\n"
	       "  dray pause",
};

static const struct argp resume_argp = {
	.options = resume_options,
	.args_doc = "[QUEUE]",
	.doc = "Let workers take jobs from a paused queue again, or from all paused queues that "
	       "begin with a `prefix*`, which ends this pattern and those within it; or of a "
	       "paused class, or with --process a paused worker."
	       "\vExamples:\n"
	       "  dray resume mail\n"
	       "  dray resume --class ImportJob\n"
	       "  dray resume --all --json",
};

const struct command pause_command = {
	.name = "pause",
	.summary = "let no worker take jobs from a queue",
	.argp = &pause_argp,
	.parse = parse_pause,
	.names = "queues",
	.input_size = sizeof(struct pause),
	.output =
		"an object with `queue` (or `class`, `process`), `paused` (true), `changed` (was "
		"it not so before?) and `until` (time, or null); with a pattern or --all an array "
		"of such objects, the first with `pattern` instead of `queue`. Without anything "
		"named an array of `kind` (queue, pattern, class or process), `name`, `since`, "
		"`until` (times, or null), `by`, `host`, `reason` "
		"(texts; null when not known).",
	.needs = NEED_DATABASE,
	.run = run_pause,
};

const struct command resume_command = {
	.name = "resume",
	.summary = "let workers take jobs from a paused queue again",
	.argp = &resume_argp,
	.parse = parse_resume,
	.names = "paused",
	.input_size = sizeof(struct pause),
	.output =
		"an object with `queue` (or `class`, `process`), `paused` (false), `changed` (was "
		"it not so before?) and `until` (null); with a pattern or --all an array of such "
		"objects, the first with `pattern` instead of `queue`.",
	.needs = NEED_DATABASE,
	.run = run_resume,
};
