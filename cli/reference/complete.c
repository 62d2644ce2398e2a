/*
 * dray complete: what the scripts of completions/ ask while somebody types a command line: what its
 * last word may become (a command, an option, a value, a name in the files or in the database), or
 * all names of one kind. A person is waiting at a prompt, so errors are not reported and the time
 * is limited. It never writes to the database.
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
#include "queue/look/job.h"
#include "queue/look/names.h"
#include "queue/processes/process.h"
#include "queue/recurring/task.h"
#include "schedule/task_keys.h"

/* The words before the one to complete */

#define EXPANDED "$`" /* characters that begin a shell expansion */

/* What the words say. A word is as the program would get it; NULL = only the shell can tell. */
struct line {
	struct cli *cli;
	const char **words;
	size_t count;
	size_t next;
	bool named;                    /* the command is */
	const struct command *command; /* NULL = not named, or there is none of that name */
	const char **arguments;        /* of the command */
	size_t argument_count;
	const struct argp_option *waiting; /* for its value: the word to complete */
	bool ended;                        /* the options are, by -- */
	bool unsure;                       /* which files or database are meant */
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

/* A name of one letter is that of a short option. An alias is the option above it in the table. */
static const struct argp_option *find_in(const struct argp *argp, const char *name, size_t length)
{
	const struct argp_option *meant = NULL;

	for (const struct argp_option *option = argp->options; option && option->name; option++) {
		if (!(option->flags & OPTION_ALIAS))
			meant = option;
		if (length == 1 ? option_letter(option) == *name
				: strlen(option->name) == length &&
					  strncmp(option->name, name, length) == 0)
			return meant;
	}
	return NULL;
}

/* The command's option of this name, or else the global one; NULL = neither. */
static const struct argp_option *find_option(const struct line *line, const char *name,
					     size_t length)
{
	const struct argp_option *own =
		line->command ? find_in(line->command->argp, name, length) : NULL;

	return own ? own : find_in(&global_argp, name, length);
}

static bool is_global(const struct argp_option *option)
{
	return find_in(&global_argp, option->name, strlen(option->name)) == option;
}

/* Applies an option if it is global; its value is `value`, or the next word if that is NULL. */
static void take_option(struct line *line, const struct argp_option *option, const char *value)
{
	struct argp_state state = { .input = line->cli };

	if (option->arg && !value && line->next == line->count) {
		line->waiting = option;
		return;
	}
	if (option->arg && !value)
		value = line->words[line->next++];
	if (is_global(option) && ((option->arg && !value) ||
				  global_argp.parser(option->key, (char *)value, &state) != 0))
		line->unsure = true;
}

/* Takes "-qc PATH"; what follows an unknown letter may be anything. */
static void take_letters(struct line *line, const char *letters)
{
	for (; *letters; letters++) {
		const struct argp_option *option = find_option(line, letters, 1);
		if (!option)
			return;
		const char *rest = option->arg && letters[1] ? letters + 1 : NULL;
		take_option(line, option, rest);
		if (option->arg)
			return;
	}
}

static void take_argument(struct line *line, const char *word)
{
	if (line->named)
		line->arguments[line->argument_count++] = word;
	else if (word)
		line->command = command_find(line->cli, word);
	line->named = true;
}

static void take_word(struct line *line, const char *word)
{
	if (!word || line->ended || word[0] != '-' || !word[1]) {
		take_argument(line, word);
	} else if (word[1] != '-') {
		take_letters(line, word + 1);
	} else if (!word[2]) {
		line->ended = true;
	} else {
		size_t length = strcspn(word + 2, "=");
		const struct argp_option *option = find_option(line, word + 2, length);
		if (option)
			take_option(line, option, word[2 + length] ? word + 3 + length : NULL);
	}
}

/*
 * Reads these words, and applies the global options among them, wherever they stand. With
 * `quoted`, the words are as typed, and the shell's quotes are removed; one that only the shell can
 * read is NULL.
 */
static struct line read_line(struct cli *cli, const struct arguments *words, bool quoted)
{
	struct line line = { .cli = cli, .count = words->count };

	line.words = arena_array(cli->arena, words->count + 1, sizeof(*line.words));
	line.arguments = arena_array(cli->arena, words->count + 1, sizeof(*line.arguments));
	for (size_t i = 0; i < words->count; i++) {
		line.words[i] = as_given(cli->arena, words->list[i], quoted);
		if (words->list[i][0] == '-' && !line.words[i]) {
			line.unsure = true;
			line.words[i] = "--="; /* some option, and no argument */
		}
	}
	while (line.next < line.count)
		take_word(&line, line.words[line.next++]);
	return line;
}

/* The names */

#define PATIENCE (900 * CLOCK_MILLISECOND) /* of the person at the prompt */
#define MOST     1000                      /* names printed */

struct complete {
	struct arguments arguments; /* "line" or a kind of names, then the words of the line */
	bool quoted;
	int64_t within; /* 0 = PATIENCE */
};

/* The names printed so far. */
struct printed {
	struct arena *arena;
	const char *prefix; /* of each: "--queue=" */
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

static error_t complete_parse(int key, const char *value, struct argp_state *state)
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
	(void)printf("%s%s\n", printed->prefix, name);
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

/* Kinds of names that commands and options take (cli.h). */
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

static const struct kind *find_kind(const char *name)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}

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

static void find_names(const struct line *line, const char *kind_name, const char *prefix)
{
	struct cli *cli = line->cli;
	const struct kind *kind = find_kind(kind_name);
	struct printed printed = { .arena = cli->arena, .prefix = prefix };
	struct error error = { 0 };
	struct names names = { 0 };

	if (line->unsure || !configure(cli))
		return;
	if (kind->configured)
		kind->configured(cli, &printed);
	if (!(cli->config->faulty & NEED_DATABASE) &&
	    cli_database(cli, CLI_EXISTING, &error) == STATUS_OK &&
	    kind->known(cli->db, cli->arena, &names, &error) == STATUS_OK)
		print_names(&printed, &names);
}

/* What the last word may become: "word", or "word<tab>what it means"; or one of these lines */

#define FILES   "\tfiles"
#define FOLDERS "\tfolders"

static void print_commands(const struct cli *cli)
{
	for (size_t i = 0; cli->commands[i]; i++)
		(void)printf("%s\t%s\n", cli->commands[i]->name, cli->commands[i]->summary);
}

static void print_options(const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		(void)printf("--%s\t%s\n", option->name, option->doc);
		if (option_letter(option))
			(void)printf("-%c\t%s\n", option_letter(option), option->doc);
	}
}

static void print_all_options(const struct line *line)
{
	if (line->command)
		print_options(line->command->argp);
	print_options(&global_argp);
	(void)puts("--help\tprint the help");
	(void)puts("--usage\tprint a short help");
	(void)puts("--version\tprint the version and the supported databases");
}

/* The words of a text, with a blank between two. */
static void print_words(const char *words, const char *prefix)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		(void)printf("%s%.*s\n", prefix, (int)length, words);
	}
}

static bool has_word(const char *words, const char *word)
{
	for (size_t length; *words; words += length + (words[length] == ' ')) {
		length = strcspn(words, " ");
		if (strlen(word) == length && strncmp(words, word, length) == 0)
			return true;
	}
	return false;
}

/* What follows an option: names of a kind, or one of a few words. */
static const struct choice {
	const char *option, *kind, *words;
} choices[] = {
	{ "queue", .kind = "queues" },        { "queues", .kind = "queues" },
	{ "from", .kind = "queues" },         { "class", .kind = "classes" },
	{ "process", .kind = "processes" },   { "dialect", .words = "sqlite postgresql mysql" },
	{ "enabled", .words = "true false" },
};

/* Of a recurring task's key, whose option has - instead of _. */
static const char *const *key_words(const char *option)
{
	for (int id = 0; id < TASK_KEYS; id++) {
		const char *name = task_keys[id].name;
		size_t same = 0;
		while (name[same] && option[same] == (name[same] == '_' ? '-' : name[same]))
			same++;
		if (!name[same] && !option[same])
			return task_keys[id].words;
	}
	return NULL;
}

static void print_values(const struct line *line, const struct argp_option *option,
			 const char *prefix)
{
	const char *const *words = key_words(option->name);

	if (strcmp(option->name, "state") == 0)
		for (int state = 0; state < JOB_STATES; state++)
			print_words(job_state_name((enum job_state)state), prefix);
	for (; words && *words; words++)
		print_words(*words, prefix);
	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		if (strcmp(choices[i].option, option->name) != 0)
			continue;
		if (choices[i].kind)
			find_names(line, choices[i].kind, prefix);
		else
			print_words(choices[i].words, prefix);
	}
	if (has_word("PATH FILE URL", option->arg))
		(void)puts(FILES);
	if (strcmp(option->arg, "DIR") == 0)
		(void)puts(FOLDERS);
}

static void print_arguments(const struct line *line)
{
	const struct command *command = line->command;
	size_t count = line->argument_count;
	const char *first = count > 0 ? line->arguments[0] : NULL;
	bool named =
		command && command->names &&
		(command->names_after ? count == 1 && first && has_word(command->names_after, first)
				      : count == 0);

	if (!line->named || (command == &help_command && count == 0))
		print_commands(line->cli);
	else if (command && command->words && count == 0)
		print_words(command->words, "");
	else if (named)
		find_names(line, command->names, "");
	else
		(void)puts(FILES);
}

static void complete_word(const struct line *line, const char *word)
{
	size_t length = strcspn(word, "=");

	if (line->waiting) {
		print_values(line, line->waiting, "");
	} else if (line->ended || word[0] != '-') {
		print_arguments(line);
	} else if (!word[length]) {
		print_all_options(line);
	} else if (length > 2) {
		const struct argp_option *option = find_option(line, word + 2, length - 2);
		if (option && option->arg)
			print_values(line, option,
				     arena_strndup(line->cli->arena, word, length + 1));
	}
}

static int complete_run(struct cli *cli, void *input)
{
	const struct complete *complete = input;
	const char *kind = complete->arguments.list[0];
	struct arguments words = { .list = complete->arguments.list + 1,
				   .count = complete->arguments.count - 1 };
	bool whole = strcmp(kind, "line") == 0 && words.count > 0;

	if (!whole && !find_kind(kind)) {
		cli_complain("complete: expected line and the words, or classes, queues, paused, "
			     "tasks or processes");
		return EXIT_USAGE;
	}
	limit_time(complete->within ? complete->within : PATIENCE);
	be_silent();
	words.count -= whole;
	struct line line = read_line(cli, &words, complete->quoted);
	if (whole)
		complete_word(&line, words.list[words.count]);
	else
		find_names(&line, kind, "");
	return EXIT_STOPPED;
}

static const struct argp argp = {
	.options = options,
	.args_doc = "line -- WORD...\nKIND [-- WORD...]",
	.doc = "Print for a shell's completion what the last WORD of the command line may become, "
	       "one per line, with a tabulator and what it means behind it; a line that begins "
	       "with a tabulator stands for files or folders. Or print the names of a KIND: "
	       "classes, queues, paused (queues and patterns), tasks or processes. Global options "
	       "among the WORDs are applied, wherever they stand. Errors are not reported, and "
	       "the command ends within a second."
	       "\vExamples:\n"
	       "  dray complete line -- enqueue --queue ''\n"
	       "  dray complete queues -- --database sqlite3:jobs.sqlite3 pause",
};

const struct command complete_command = {
	.name = "complete",
	.summary = "print names for a shell's completion",
	.argp = &argp,
	.parse = complete_parse,
	.input_size = sizeof(struct complete),
	.run = complete_run,
};
