#include <stdio.h>
#include <unistd.h>

#include "cli/output/table.h"
#include "cli/top/top.h"
#include "common/clock.h"
#include "common/process.h"
#include "policy/policy.h"
#include "show/show.h"

#define INTERVAL (2 * CLOCK_SECOND)
#define SHORTEST (CLOCK_SECOND / 10)
/* Time limits for a database that cannot be reached or does not answer; keys wait for it. */
#define AWAY     (3 * CLOCK_SECOND)
#define SLOW     (15 * CLOCK_SECOND)

struct wishes {
	enum top_sort sort;
	bool reverse;
	bool once;
	int64_t interval; /* 0 = the default */
};

enum key { KEY_ONCE = 1, KEY_INTERVAL, KEY_SORT, KEY_REVERSE };

static error_t top_parse(int key, const char *value, struct argp_state *state)
{
	struct wishes *wishes = state->input;

	if (key == ARGP_KEY_INIT)
		wishes->sort = TOP_READY;
	else if (key == KEY_ONCE)
		wishes->once = true;
	else if (key == KEY_REVERSE)
		wishes->reverse = true;
	else if (key == KEY_INTERVAL)
		wishes->interval = argument_duration(value, "--interval", state);
	else if (key == KEY_SORT && top_sort_parse(value, &wishes->sort) != STATUS_OK)
		argument_error(
			state,
			"--sort: \"%s\" is not one of name, status, ready, scheduled, retrying, "
			"claimed, blocked, failed, latency, minute, hour, workers",
			value);
	else if (key != KEY_SORT)
		return ARGP_ERR_UNKNOWN;
	if (key == KEY_INTERVAL && wishes->interval < SHORTEST)
		argument_error(state, "--interval: at least 100ms");
	return 0;
}

static void print_line(struct arena *arena, const char *line, size_t width)
{
	(void)puts(width > 0 ? top_cut(arena, line, width) : line);
}

/* The texts of this column give way. */
static void print_table(struct top_table *table, size_t column, size_t width)
{
	top_fit(table, column, width);
	(void)putchar('\n');
	print_line(table->arena, top_titles(table), width);
	for (size_t i = 0; i < table->rows; i++)
		print_line(table->arena, top_row(table, i), width);
}

static json_t *as_json(const struct top *top)
{
	const struct survey *survey = &top->stats.survey;
	json_t *all = show_stats(&top->stats);
	json_t *queues = json_array();

	for (size_t i = 0; i < survey->count; i++)
		json_array_append_new(queues, show_queue(survey, &survey->queues[i]));
	json_object_set_new(all, "queues", queues);
	return all;
}

static int print(const struct top *top)
{
	const struct survey *survey = &top->stats.survey;
	const char *lines[TOP_HEADER];
	size_t count = top_header(top->arena, &top->stats, lines);
	const size_t width = terminal_width(top->cli);
	struct top_table table;

	if (top->cli->json) {
		json_print(top->cli, as_json(top));
		return EXIT_STOPPED;
	}
	for (size_t i = 0; i < count; i++)
		print_line(top->arena, lines[i], width);
	top_queues(top->arena, survey, top->sort, &table);
	print_table(&table, TOP_NAME, width);
	top_processes(top->arena, survey, &table);
	print_table(&table, table.columns - 1, width);
	return EXIT_STOPPED;
}

/* Runs on the terminal until the user quits. */
static int show(struct top *top)
{
#ifdef DRAY_WITH_NCURSES
	return top_live(top);
#else
	(void)top;
	cli_complain("this dray was built without ncurses: use `dray top --once`");
	return EXIT_USAGE;
#endif
}

static void shorten(int64_t *time, int64_t most)
{
	if (*time > most)
		*time = most;
}

/* A person must not wait for a database as long as a worker does. */
static void be_impatient(struct config_database *database)
{
	shorten(&database->connect_timeout, AWAY);
	shorten(&database->retry_for, AWAY);
	shorten(&database->call_timeout, SLOW);
}

static int top_run(struct cli *cli, void *input)
{
	const struct wishes *wishes = input;
	struct error error = { 0 };
	struct top top = { .cli = cli,
			   .interval = wishes->interval > 0 ? wishes->interval : INTERVAL,
			   .sort = wishes->sort,
			   .reverse = wishes->reverse };
	bool live = !wishes->once && !cli->json && isatty(STDOUT_FILENO) == 1 &&
		    isatty(STDIN_FILENO) == 1;
	int code = cli_configure(cli);

	if (code != EXIT_STOPPED)
		return code;
	if (live)
		be_impatient(&cli->config->database);
	code = cli_connect(cli);
	if (code != EXIT_STOPPED)
		return code;
	top.patience = policy_silence(cli->config, 0);
	if (top_look(&top, &error) != STATUS_OK)
		return cli_fail(&error);
	code = live ? show(&top) : print(&top);
	arena_free(top.arena);
	return code;
}

static const struct argp_option options[] = {
	{ "once", KEY_ONCE, NULL, 0, "print it once, as when output is not a terminal", 0 },
	{ "interval", KEY_INTERVAL, "DURATION", 0, "time between two refreshes (default 2s)", 0 },
	{ "sort", KEY_SORT, "COLUMN", 0,
	  "name, status, ready (default), scheduled, retrying, claimed, blocked, failed, "
	  "latency, minute, hour or workers; highest numbers first",
	  0 },
	{ "reverse", KEY_REVERSE, NULL, 0, "reverse the order", 0 },
	{ 0 },
};

static const struct argp argp = {
	.options = options,
	.doc = "Show queues, processes and figures for the whole system, and refresh them. Keys: "
	       "arrows, Page Up and Down, Home and End select a queue; < and > (or left and right) "
	       "choose the column to sort by, i reverses the order; p pauses the queue, with a "
	       "reason, or resumes it; r retries its failed jobs; j shows its newest jobs, f the "
	       "newest failed jobs of all queues, with their errors, Esc goes back; ? lists the "
	       "keys; Tab shows the processes; Space refreshes at once; q quits. top asks before "
	       "it pauses, resumes or retries. If the database cannot be reached, top says so and "
	       "keeps trying. If a refresh takes long, the next ones come less often, so that they "
	       "take at most a tenth of the time. SCHED are scheduled jobs without those that "
	       "wait for a retry, which are under RETRY. Red marks problems: failed jobs, a wait "
	       "of 5 "
	       "minutes or more, queues that no worker serves, silent processes."
	       "\vExamples:\n"
	       "  dray top\n"
	       "  dray top --sort failed --interval 10s\n"
	       "  dray top --once",
};

const struct command top_command = {
	.name = "top",
	.summary = "show queues and processes live",
	.argp = &argp,
	.parse = top_parse,
	.input_size = sizeof(struct wishes),
	.output = "printed once: what `dray stats` prints, but `queues` is the array of `dray "
		  "queues` instead of their number, in the order of --sort.",
	.needs = NEED_DATABASE,
	.run = top_run,
};
