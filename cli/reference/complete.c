/*
 * dray complete: prints names for the scripts of completions/. A person is waiting at a prompt, so
 * errors are not reported and the time is limited. It never writes to the database.
 *
 * The global options on the line that is being typed say which files and which database have the
 * names. If the value of one depends on what only the shell knows ("$URL"), no names are read:
 * they might come from another database.
 */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#include "cli/output/cells.h"
#include "cli/queues/queues.h"
#include "cli/reference/reference.h"
#include "common/clock.h"
#include "common/process.h"
#include "queue/look/names.h"
#include "queue/processes/process.h"
#include "queue/recurring/task.h"

/* The words before the one to complete */

#define EXPANDED "$`" /* characters that begin a shell expansion */

/* The words as the program would get them; NULL = only the shell can tell. */
struct line {
	struct cli *cli;
	const char **words;
	size_t count;
	size_t next;
};

/* Unquotes a part of a word: a quoted text or a single character. Returns its end, or NULL. */
static const char *unquote_part(const char *from, char **to)
{
	bool quotes = *from == '\'' || *from == '"';
	int quote = quotes ? *from : 0;

	for (from += quotes; *from && *from != quote; from++) {
		bool escaped = *from == '\\' && quote != '\'' && from[1] &&
			       (!quotes || strchr("$`\"\\", from[1]));
		if (quote != '\'' && !escaped && strchr(EXPANDED, *from))
			return NULL;
		from += escaped;
		*(*to)++ = *from;
		if (!quotes)
			return from + 1;
	}
	return *from ? from + 1 : from;
}

static const char *unquote(struct arena *arena, const char *word)
{
	char *text = arena_strdup(arena, word);
	char *end = text;

	while (word && *word)
		word = unquote_part(word, &end);
	*end = '\0';
	return word ? text : NULL;
}

/* A copy without quotes, and with ~ replaced by the home directory. */
static const char *as_given(struct arena *arena, const char *word, bool quoted)
{
	/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
	const char *home = getenv("HOME");
	bool tilde = home && *word == '~' && (word[1] == '/' || !word[1]);
	const char *rest = tilde ? word + 1 : word;
	const char *text = quoted ? unquote(arena, rest) : rest;

	return tilde && text ? arena_printf(arena, "%s%s", home, text) : text;
}

static const struct argp_option *by_letter(char letter)
{
	const struct argp_option *option = option_next(&global_argp, NULL);

	while (option && option_letter(option) != letter)
		option = option_next(&global_argp, option);
	return option;
}

/* An alias is the option above it in the table. */
static const struct argp_option *by_name(const char *name, size_t length)
{
	const struct argp_option *meant = NULL;

	for (const struct argp_option *option = global_argp.options; option->name; option++) {
		if (!(option->flags & OPTION_ALIAS))
			meant = option;
		if (strlen(option->name) == length && strncmp(option->name, name, length) == 0)
			return meant;
	}
	return NULL;
}

/* Applies an option; its value is `value`, or the next word if that is NULL. */
static bool take_option(struct line *line, const struct argp_option *option, const char *value)
{
	struct argp_state state = { .input = line->cli };

	if (option->arg && !value && line->next == line->count)
		return true; /* the value is the word to complete */
	if (option->arg && !value)
		value = line->words[line->next++];
	if (option->arg && !value)
		return false;
	return global_argp.parser(option->key, (char *)value, &state) == 0;
}

/* Applies "-qc PATH", up to a letter of an option of the command: the rest may be its value. */
static bool take_letters(struct line *line, const char *letters)
{
	for (; *letters; letters++) {
		const struct argp_option *option = by_letter(*letters);
		if (!option)
			return true;
		if (option->arg)
			return take_option(line, option, letters[1] ? letters + 1 : NULL);
		if (!take_option(line, option, NULL))
			return false;
	}
	return true;
}

static bool take_word(struct line *line, const char *word)
{
	if (word[0] != '-' || word[1] != '-')
		return word[0] != '-' || take_letters(line, word + 1);
	size_t length = strcspn(word + 2, "=");
	const struct argp_option *option = by_name(word + 2, length);
	return !option || take_option(line, option, word[2 + length] ? word + 3 + length : NULL);
}

/*
 * Applies the global options among these words, wherever they stand, and ignores all other words.
 * With `quoted`, the words are as typed, and the shell's quotes are removed. Returns false if the
 * value of an option depends on what only the shell knows.
 */
static bool take_words(struct cli *cli, const struct arguments *words, bool quoted)
{
	struct line line = { .cli = cli, .count = words->count };

	line.words = arena_array(cli->arena, words->count + 1, sizeof(*line.words));
	for (size_t i = 0; i < words->count; i++) {
		bool option = words->list[i][0] == '-';
		line.words[i] = as_given(cli->arena, words->list[i], quoted);
		if (option && !line.words[i])
			return false;
	}
	while (line.next < line.count) {
		const char *word = line.words[line.next++];
		if (word && strcmp(word, "--") == 0)
			return true;
		if (word && !take_word(&line, word))
			return false;
	}
	return true;
}

/* The names */

#define PATIENCE (900 * CLOCK_MILLISECOND) /* of the person at the prompt */
#define MOST     1000                      /* names printed */

struct complete {
	struct arguments arguments; /* the kind of names, then the words of the command line */
	bool quoted;
	int64_t within; /* 0 = PATIENCE */
};

/* The names printed so far. */
struct printed {
	struct arena *arena;
	const char *list[MOST];
	size_t count;
};

enum key { KEY_QUOTED = 1, KEY_WITHIN };

static const struct argp_option options[] = {
	{ "quoted", KEY_QUOTED, NULL, 0, "the words are given as typed, with the shell's quotes",
	  0 },
	{ "within", KEY_WITHIN, "DURATION", 0, "end after this time (default 0.9s)", 0 },
	{ 0 },
};

static error_t parse(int key, const char *value, struct argp_state *state)
{
	struct complete *complete = state->input;

	if (key == KEY_QUOTED)
		complete->quoted = true;
	else if (key == KEY_WITHIN)
		complete->within = argument_duration(value, "--within", state);
	else if (key == ARGP_KEY_ARG)
		arguments_take(&complete->arguments, state);
	else if (key == ARGP_KEY_NO_ARGS)
		argument_error(state, "missing kind of names");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static void give_up(int signal)
{
	(void)signal;
	_exit(EXIT_STOPPED); /* the names found so far have been printed */
}

/* Neither a locked file nor a server that does not answer may block the shell. */
static void limit_time(int64_t within)
{
	const struct itimerval patience = { .it_value = { .tv_sec = within / CLOCK_SECOND,
							  .tv_usec = within % CLOCK_SECOND } };
	const struct sigaction action = { .sa_handler = give_up };
	sigset_t set;

	(void)sigaction(SIGALRM, &action, NULL);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGALRM);
	(void)pthread_sigmask(SIG_UNBLOCK, &set, NULL);
	(void)setitimer(ITIMER_REAL, &patience, NULL);
	(void)setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
}

static void be_silent(void)
{
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	if (null >= 0)
		(void)dup2(null, STDERR_FILENO);
}

/* False for a name that would end a line, deceive a terminal or be taken for an option. */
static bool fits_a_line(struct arena *arena, const char *name)
{
	return *name && *name != '-' && utf8_valid(name, strlen(name), NULL) &&
	       strcmp(cell_clean(arena, name), name) == 0;
}

static void print_name(struct printed *printed, const char *name)
{
	if (printed->count == MOST || !fits_a_line(printed->arena, name))
		return;
	for (size_t i = 0; i < printed->count; i++)
		if (strcmp(printed->list[i], name) == 0)
			return;
	printed->list[printed->count++] = name;
	(void)puts(name);
}

static void print_names(struct printed *printed, const struct names *names)
{
	for (size_t i = 0; i < names->count; i++)
		print_name(printed, names->list[i]);
}

static void configured_classes(struct cli *cli, struct printed *printed)
{
	for (size_t i = 0; i < cli->config->class_count; i++)
		print_name(printed, cli->config->classes[i].name);
}

static void configured_queues(struct cli *cli, struct printed *printed)
{
	struct queue_names names;

	queue_names_configured(cli, &names);
	for (size_t i = 0; i < names.count; i++)
		print_name(printed, names.list[i]);
}

static void configured_tasks(struct cli *cli, struct printed *printed)
{
	const struct config_scheduler *scheduler = cli->config->scheduler;

	for (size_t i = 0; scheduler && i < scheduler->task_count; i++)
		print_name(printed, scheduler->tasks[i].key);
}

static enum status known_tasks(struct db *db, struct arena *arena, struct names *names,
			       struct error *error)
{
	struct recurring_row *rows;
	size_t count;
	enum status status = recurring_rows(db, arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	names->list = arena_array(arena, count + 1, sizeof(*names->list));
	for (size_t i = 0; i < count; i++)
		names->list[names->count++] = rows[i].task.key;
	return STATUS_OK;
}

/* Commands take names of workers only. */
static enum status known_workers(struct db *db, struct arena *arena, struct names *names,
				 struct error *error)
{
	struct process_row *rows;
	size_t count;
	enum status status = process_list(db, arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	names->list = arena_array(arena, count + 1, sizeof(*names->list));
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].kind, "Worker") == 0)
			names->list[names->count++] = rows[i].name;
	return STATUS_OK;
}

static const struct kind {
	const char *name;
	void (*configured)(struct cli *cli, struct printed *printed); /* NULL = in no file */
	enum status (*known)(struct db *db, struct arena *arena, struct names *names,
			     struct error *error);
} kinds[] = {
	{ "classes", configured_classes, names_of_classes },
	{ "queues", configured_queues, names_of_queues },
	{ "paused", NULL, names_of_paused },
	{ "tasks", configured_tasks, known_tasks },
	{ "processes", NULL, known_workers },
};

/* Reads the files and ignores their mistakes: the names in the valid parts are still useful. */
static bool configure(struct cli *cli)
{
	struct config_problems problems = { 0 };
	const char *root = cli->request.root;

	if (root)
		cli->request.root = ".";
	cli->request.keep_faulty = true;
	if (root && chdir(root) != 0)
		return false;
	enum status status = cli_read(cli, &problems);
	return (status == STATUS_OK || status == STATUS_INVALID) && cli->config;
}

static void find_names(struct cli *cli, const struct kind *kind)
{
	struct printed printed = { .arena = cli->arena };
	struct error error = { 0 };
	struct names names = { 0 };

	if (!configure(cli))
		return;
	if (kind->configured)
		kind->configured(cli, &printed);
	if (!(cli->config->faulty & NEED_DATABASE) &&
	    cli_database(cli, CLI_EXISTING, &error) == STATUS_OK &&
	    kind->known(cli->db, cli->arena, &names, &error) == STATUS_OK)
		print_names(&printed, &names);
}

static int run(struct cli *cli, void *input)
{
	const struct complete *complete = input;
	const struct arguments words = { .list = complete->arguments.list + 1,
					 .count = complete->arguments.count - 1 };

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		if (strcmp(kinds[i].name, complete->arguments.list[0]) != 0)
			continue;
		limit_time(complete->within ? complete->within : PATIENCE);
		be_silent();
		if (take_words(cli, &words, complete->quoted))
			find_names(cli, &kinds[i]);
		return EXIT_STOPPED;
	}
	cli_complain("complete: expected classes, queues, paused, tasks or processes");
	return EXIT_USAGE;
}

static const struct argp argp = {
	.options = options,
	.args_doc = "KIND [-- WORD...]",
	.doc = "Print names for a shell's completion, one per line: classes, queues, paused "
	       "(queues and patterns), tasks or processes. Global options among the WORDs of the "
	       "command line are applied, wherever they stand. Errors are not reported, and the "
	       "command ends within a second."
	       "\vExamples:\n"
	       "  dray complete queues -- --database sqlite3:jobs.sqlite3 pause",
};

const struct command complete_command = {
	.name = "complete",
	.summary = "print names for a shell's completion",
	.argp = &argp,
	.parse = parse,
	.input_size = sizeof(struct complete),
	.run = run,
};
