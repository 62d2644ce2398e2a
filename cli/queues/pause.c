/*
 * dray pause, dray resume: a queue or a pattern of queues, a class, or one worker. A pattern stays
 * in force for queues that appear later, so it is written before the queues that it matches and
 * ended before them: whatever dies in between, the pattern says what is meant. Queues and classes
 * may be paused before they exist, so an unknown name is only warned of. A worker may not: its
 * pause ends with it. Without a name, `dray pause` lists what is paused.
 */
#include <string.h>

#include "cli/audit.h"
#include "cli/output/table.h"
#include "cli/queues/queues.h"
#include "common/clock.h"
#include "common/process.h"
#include "common/text/parse.h"
#include "queue/enqueue/enqueue.h"
#include "queue/pauses/pause.h"
#include "queue/processes/process.h"

#define SHORTEST CLOCK_SECOND
#define LONGEST  (3650 * CLOCK_DAY)

struct pause {
	enum pause_kind kind;
	const char *name; /* for a queue also a pattern; NULL = none given */
	const char *reason;
	int64_t period; /* 0 = until it is resumed */
};

/* Classes and processes, and the list of what is paused */

static const char *hint(const struct cli *cli, const char *name, const char *const known[],
			size_t count)
{
	const char *nearest = nearest_word(name, known, count);

	return nearest ? arena_printf(cli->arena, ": did you mean \"%s\"?", nearest) : "";
}

/* Only a warning, because classes of Rails need not be in the configuration. */
static void warn_of_class(const struct cli *cli, const char *name)
{
	const struct config *config = cli->config;
	const char **known = arena_array(cli->arena, config->class_count + 1, sizeof(*known));

	if (config->faulty & NEED_CLASSES)
		return; /* the class may be in the part that could not be read */
	for (size_t i = 0; i < config->class_count; i++) {
		known[i] = config->classes[i].name;
		if (strcmp(known[i], name) == 0)
			return;
	}
	cli_warn(cli, "class \"%s\" is not in the configuration%s", name,
		 hint(cli, name, known, config->class_count));
}

/* Reports that there is no such worker, so it cannot be paused. */
static int refuse_worker(struct cli *cli, const char *name)
{
	struct error error = { 0 };
	struct process_row *processes;
	size_t count;
	size_t workers = 0;

	if (process_list(cli->db, cli->arena, &processes, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	const char **known = arena_array(cli->arena, count + 1, sizeof(*known));
	for (size_t i = 0; i < count; i++) {
		bool worker = strcmp(processes[i].kind, "Worker") == 0;
		if (!worker && strcmp(processes[i].name, name) == 0) {
			(void)error_set(&error, STATUS_INVALID,
					"%s is not a worker and claims no jobs", name);
			return cli_fail(&error);
		}
		if (worker)
			known[workers++] = processes[i].name;
	}
	(void)error_set(&error, STATUS_INVALID, "there is no worker \"%s\"%s", name,
			hint(cli, name, known, workers));
	return cli_fail(&error);
}

/* "is now paused", "was not paused" and so on. */
static const char *change_text(bool paused, bool changed)
{
	if (paused)
		return changed ? "is now paused" : "was already paused";
	return changed ? "is no longer paused" : "was not paused";
}

/* " until ...", or "" if until is 0. */
static const char *until_text(const struct cli *cli, int64_t until)
{
	if (until == 0)
		return "";
	return arena_printf(cli->arena, " until %s UTC", clock_say(cli->arena, until));
}

static int tell_other(struct cli *cli, const struct pause *pause, int64_t until, bool paused,
		      bool changed)
{
	const char *kind = pause_kind_name(pause->kind);

	say(cli, "%s %s %s%s", kind, pause->name, change_text(paused, changed),
	    until_text(cli, until));
	json_print(cli, json_pack("{s:o, s:b, s:b, s:o}", kind, value_text(pause->name), "paused",
				  paused, "changed", changed, "until", value_time(until)));
	return EXIT_STOPPED;
}

static int pause_class_or_process(struct cli *cli, const struct pause *pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;

	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	note.ends_at = pause->period > 0 ? db_now(cli->db) + pause->period : 0;
	if (pause->kind == PAUSE_CLASS)
		warn_of_class(cli, pause->name);
	enum status status =
		pause_other(cli->db, pause->kind, pause->name, &note, &changed, &error);
	if (status == STATUS_NONE)
		return refuse_worker(cli, pause->name);
	return status == STATUS_OK ? tell_other(cli, pause, note.ends_at, true, changed)
				   : cli_fail(&error);
}

static int resume_class_or_process(struct cli *cli, const struct pause *pause)
{
	struct error error = { 0 };
	struct pause_note note;
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];
	bool changed = false;

	pause_note_init(&note, who, host);
	note.reason = pause->reason;
	if (resume_other(cli->db, pause->kind, pause->name, &note, &changed, &error) != STATUS_OK)
		return cli_fail(&error);
	if (!changed && pause->kind == PAUSE_CLASS)
		warn_of_class(cli, pause->name);
	return tell_other(cli, pause, 0, false, changed);
}

static json_t *row_json(const struct cli *cli, const struct pause_row *row)
{
	const char *who = row->note.who;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "kind", value_text(row->kind),
			 "name", value_text(row->name), "since", value_time(row->since), "until",
			 value_time(row->note.ends_at), "by",
			 value_text(who || cli->json ? who : "other software"), "host",
			 value_text(row->note.host), "reason", value_text(row->note.reason));
}

/* Lists all pauses. */
static int show_pauses(struct cli *cli)
{
	static const struct column columns[] = {
		{ "kind", "KIND", CELL_TEXT },     { "name", "NAME", CELL_TEXT },
		{ "since", "SINCE", CELL_TIME },   { "until", "UNTIL", CELL_TIME },
		{ "by", "BY", CELL_TEXT },         { "host", "HOST", CELL_TEXT },
		{ "reason", "REASON", CELL_TEXT }, { 0 },
	};
	struct error error = { 0 };
	struct pause_row *list;
	size_t count;

	if (pause_shown(cli->db, cli->arena, &list, &count, &error) != STATUS_OK)
		return cli_fail(&error);
	json_t *rows = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(rows, row_json(cli, &list[i]));
	table_print(cli, columns, rows);
	return EXIT_STOPPED;
}

/* Queues and patterns */

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

static error_t parse_common(int key, const char *value, struct argp_state *state)
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
	return parse_common(key, value, state);
}

static error_t parse_resume(int key, const char *value, struct argp_state *state)
{
	const struct pause *pause = state->input;

	if (key == ARGP_KEY_END && !pause->name)
		argument_error(state, "missing QUEUE");
	return parse_common(key, value, state);
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
	say(cli, "%s %s %s%s", kind, name, change_text(paused, changed), until_text(cli, until));
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
		return show_pauses(cli);
	if (pause->kind != PAUSE_QUEUE)
		return pause_class_or_process(cli, pause);
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
		return resume_class_or_process(cli, pause);
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
