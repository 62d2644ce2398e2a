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
		argument_error(state, "give only one queue, pattern, class or process, or --all");
	if (*name == '\0')
		argument_error(state, "the name of the %s is empty", pause_kind_name(kind));
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
		argument_error(state, "\"%s\": \"*\" is allowed only at the end", name);
}

static void set_period(struct pause *pause, const char *value, struct argp_state *state)
{
	pause->period = argument_duration(value, "--for", state);
	if (pause->period < SHORTEST || pause->period > LONGEST)
		argument_error(state, "--for: must be from 1s to 3650d");
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

/* Without a name the command lists what is paused, and takes no other options. */
static error_t parse_pause(int key, const char *value, struct argp_state *state)
{
	const struct pause *pause = state->input;

	if (key == ARGP_KEY_END && !pause->name && (pause->reason || pause->period > 0))
		argument_error(state, "missing QUEUE");
	return parse(key, value, state);
}

static error_t parse_resume(int key, const char *value, struct argp_state *state)
{
	const struct pause *pause = state->input;

	if (key == ARGP_KEY_END && !pause->name)
		argument_error(state, "missing QUEUE");
	return parse(key, value, state);
}

static bool is_pattern(const char *queue)
{
	return strchr(queue, '*') != NULL;
}

/* Finds the queues to pause or resume. A single name is accepted even if no such queue is known. */
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

/* Reports what happened to a queue or a pattern. */
static json_t *tell(const struct cli *cli, const char *kind, const char *name, int64_t until,
		    bool paused, bool changed)
{
	say(cli, "%s %s %s%s", kind, name, pause_change_text(paused, changed),
	    pause_until_text(cli, until));
	return json_pack("{s:o, s:b, s:b, s:o}", kind, value_text(name), "paused", paused,
			 "changed", changed, "until", value_time(until));
}

struct outcome {
	bool paused;
	bool pattern; /* the pattern's state has changed */
	int64_t until;
	const bool *changed;
};

/* Prints one object for a name; for a pattern an array of its own and those of its queues. */
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

/* The pattern comes first: it then applies to every queue, even if this process dies here. */
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

/* The pattern comes first, so that it cannot pause another queue meanwhile. */
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

/* Warns of an unknown name only if there was nothing to resume. */
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
	{ "all", KEY_ALL, NULL, 0, "every queue, including those that appear later", 0 },
	{ "class", KEY_CLASS, "CLASS", 0, "pause this class, not a queue", 0 },
	{ "process", KEY_PROCESS, "NAME", 0,
	  "pause this worker (see `dray processes`), not a queue", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "the reason, for `dray queues` and `dray audit`", 0 },
	{ "for", KEY_FOR, "DURATION", 0, "end the pause after this time (at least 1s)", 0 },
	{ 0 },
};

static const struct argp_option resume_options[] = {
	{ "all", KEY_ALL, NULL, 0, "every paused queue and every pattern", 0 },
	{ "class", KEY_CLASS, "CLASS", 0, "resume this class, not a queue", 0 },
	{ "process", KEY_PROCESS, "NAME", 0, "resume this worker, not a queue", 0 },
	{ "reason", KEY_REASON, "TEXT", 0, "the reason, for `dray audit`", 0 },
	{ 0 },
};

static const struct argp pause_argp = {
	.options = pause_options,
	.args_doc = "[QUEUE]",
	.doc = "Keep workers from claiming the jobs of a queue or a class, or keep one worker from "
	       "claiming any. Running jobs continue, and jobs can still be enqueued. Queues and "
	       "classes can be paused before they exist; a worker cannot, and its pause ends when "
	       "it ends. `prefix*` and --all also apply to queues that appear later, until they "
	       "are resumed with the same words; a single one of these queues can be resumed by "
	       "its name. Pausing again changes the reason and the end. A pause with --for is "
	       "ended at "
	       "its time by a running supervisor or role; one of less than five seconds may end up "
	       "to five seconds late. Without a name, lists what is paused."
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
	.doc = "Let workers claim the jobs of a paused queue, class or worker again. `prefix*` "
	       "resumes all paused queues that begin with it, and ends this pattern and those "
	       "within it."
	       "\vExamples:\n"
	       "  dray resume mail\n"
	       "  dray resume --class ImportJob\n"
	       "  dray resume --all --json",
};

const struct command pause_command = {
	.name = "pause",
	.summary = "keep workers from claiming the jobs of a queue",
	.argp = &pause_argp,
	.parse = parse_pause,
	.names = "queues",
	.input_size = sizeof(struct pause),
	.output =
		"an object with `queue` (or `class`, `process`), `paused` (true), `changed` (false "
		"if it was already paused) and `until` (time, or null); with a pattern or --all, "
		"an array of such objects, the first with `pattern` instead of `queue`. Without a "
		"name, an array of `kind` (queue, pattern, class or process), `name`, `since`, "
		"`until` (times, or null), `by`, `host`, `reason` "
		"(texts; null if not known).",
	.needs = NEED_DATABASE,
	.run = run_pause,
};

const struct command resume_command = {
	.name = "resume",
	.summary = "let workers claim the jobs of a paused queue again",
	.argp = &resume_argp,
	.parse = parse_resume,
	.names = "paused",
	.input_size = sizeof(struct pause),
	.output = "an object with `queue` (or `class`, `process`), `paused` (false), `changed` "
		  "(false if it was not paused) and `until` (null); with a pattern or --all, an "
		  "array of such "
		  "objects, the first with `pattern` instead of `queue`.",
	.needs = NEED_DATABASE,
	.run = run_resume,
};
