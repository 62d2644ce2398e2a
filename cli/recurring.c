#include "cli/recurring.h"

#include <string.h>

#include "cli/commands.h"
#include "common/clock.h"
#include "common/parse.h"
#include "common/process.h"

enum key { KEY_ZONE = 1, KEY_AFTER, KEY_KEY, KEY_COMPATIBLE, KEY_STRICT };

#define NUMBER_DEFAULT 5
#define NUMBER_MAXIMUM 10000

static const struct argp_option options[] = {
	{ "zone", KEY_ZONE, "ZONE", 0, "where the schedule names none (default time_zone)", 0 },
	{ "after", KEY_AFTER, "TIME", 0, "list what comes after this time (default now)", 0 },
	{ "number", 'n', "N", 0, "list so many runs (default 5)", 0 },
	{ "key", KEY_KEY, "KEY", 0, "the task's key, which decides what ~ means", 0 },
	{ "compatible", KEY_COMPATIBLE, NULL, 0, "as Solid Queue does: no extensions", 0 },
	{ "strict", KEY_STRICT, NULL, 0, "refuse what does not mean what it says", 0 },
	{ 0 },
};

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

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct recurring_request *request = state->input;

	switch (key) {
	case KEY_ZONE:
		request->zone = value;
		return 0;
	case KEY_AFTER:
		request->after = argument_time(value, "--after", state);
		return 0;
	case 'n':
		request->number = argument_number(value, "-n", 1, state);
		if (request->number > NUMBER_MAXIMUM)
			argument_error(state, "-n: at most %d", NUMBER_MAXIMUM);
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
		request->until = INT64_MAX;
		request->number = NUMBER_DEFAULT;
		return 0;
	case ARGP_KEY_NO_ARGS:
		argument_error(state, "say what to do: list, next or explain");
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(request, value);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct verb {
	const char *name;
	int (*run)(struct cli *cli, const struct recurring_request *request);
	const char *missing; /* what it needs; NULL = nothing, and it takes nothing */
} verbs[] = {
	{ "list", recurring_list, NULL },
	{ "next", recurring_next, "which task?" },
	{ "explain", recurring_explain, "which schedule?" },
};

static int run(struct cli *cli, void *input)
{
	const struct recurring_request *request = input;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		const struct verb *verb = &verbs[i];
		if (strcmp(request->verb, verb->name) != 0)
			continue;
		if ((verb->missing == NULL) == (request->subject == NULL))
			return verb->run(cli, request);
		cli_complain("recurring %s: %s", verb->name,
			     verb->missing ? verb->missing : "it takes no argument");
		return EXIT_USAGE;
	}
	cli_complain("recurring: \"%s\" is not list, next or explain", request->verb);
	return EXIT_USAGE;
}

static const struct argp argp = {
	.options = options,
	.args_doc = "list\nnext KEY\nexplain SCHEDULE",
	.doc = "Recurring tasks. list shows those of recurring.yml, when they ran last and when "
	       "they run next; next lists the next runs of one. explain says what a schedule "
	       "means: as a cron expression, in "
	       "words, and when it runs next, with a mark where the clocks change; or why it is "
	       "none, and what may have been meant. It needs no database."
	       "\vExamples:\n"
	       "  dray recurring list\n"
	       "  dray recurring next report -n 10\n"
	       "  dray recurring explain \"every weekday at 9am Europe/Madrid\"\n"
	       "  dray recurring explain \"30 2 * * *\" --zone America/New_York "
	       "--after 2026-03-07\n"
	       "  dray recurring explain \"every 45 minutes\" --strict --json",
};

const struct command recurring_command = {
	.name = "recurring",
	.summary = "show recurring tasks, explain schedules",
	.argp = &argp,
	.parse = parse,
	.words = "list next explain",
	.input_size = sizeof(struct recurring_request),
	.output = "list: an array of `key`, `schedule`, `words`, `zone`, `class`, `queue`, "
		  "`enabled`, `last_run_at`, `next_run_at` (null: none); next: an array of "
		  "runs as below; explain: an object with `schedule`, `cron` (text; several "
		  "expressions are joined by "
		  "` | `), `words`, `zone`, `next` (array of times, whole seconds), `runs` (array "
		  "of `at`, `local`, `offset` in seconds, `abbreviation`, `mark`: moved, first of "
		  "two, second of two) and `warnings` (array of `text`, `line`, `column`, "
		  "`suggestion`). What is no schedule has `cron` null, and `error` like a warning.",
	.run = run,
};
