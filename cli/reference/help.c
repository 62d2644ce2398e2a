/*
 * dray help: the list of commands, the help of one, and with --format everything that is made of
 * the table of commands: man/dray.1 and docs/commands.md. A text for people stands once, in the
 * command. The shells' completions are the files of completions/.
 */
#include <stdio.h>
#include <string.h>

#include "cli/reference/reference.h"
#include "cli/scripts.h"
#include "common/process.h"
#include "common/text/text.h"

/* man/dray.1 */

/* The date of the version in CMakeLists.txt; change it with that version, also in man/dray.3. */
#define RELEASED "2026-11-21"

/*
 * Writes text for troff: hyphens that can be copied, `words` in bold, and no line that could be
 * read as a request.
 */
static void man_text(FILE *file, const char *text, size_t length)
{
	bool begins = true;
	bool bold = false;

	for (size_t i = 0; i < length; i++) {
		if (begins && (text[i] == '.' || text[i] == '\''))
			(void)fputs("\\&", file);
		if (text[i] == '-')
			(void)fputs("\\-", file);
		else if (text[i] == '\\')
			(void)fputs("\\e", file);
		else if (text[i] == '`')
			(void)fputs((bold = !bold) ? "\\fB" : "\\fR", file);
		else
			(void)fputc(text[i], file);
		begins = text[i] == '\n';
	}
}

static void man_string(FILE *file, const char *text)
{
	man_text(file, text, strlen(text));
}

static void man_options(FILE *file, const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		int letter = option_letter(option);
		(void)fputs(".TP\n", file);
		if (letter)
			(void)fprintf(file, "\\fB\\-%c\\fR, ", letter);
		(void)fputs("\\fB\\-\\-", file);
		man_string(file, option->name);
		(void)fputs("\\fR", file);
		if (option->arg)
			(void)fprintf(file, " \\fI%s\\fR", option->arg);
		(void)fputc('\n', file);
		man_string(file, option->doc);
		(void)fputc('\n', file);
	}
}

/* Writes a line for each form of the command: "dray enqueue [OPTION...] CLASS". */
static void man_synopsis(FILE *file, const struct command *command)
{
	const char *form = command->argp->args_doc ? command->argp->args_doc : "";

	for (;;) {
		size_t length = strcspn(form, "\n");
		(void)fprintf(file, "\\fBdray %s\\fR [OPTION...] ", command->name);
		man_text(file, form, length);
		(void)fputs("\n.br\n", file);
		if (form[length] == '\0')
			break;
		form += length + 1;
	}
}

static void man_command(FILE *file, const struct command *command)
{
	struct description description = command_description(command->argp);

	(void)fprintf(file, ".SS %s\n", command->name);
	man_synopsis(file, command);
	(void)fputs(".PP\n", file);
	man_text(file, description.text, description.length);
	(void)fputc('\n', file);
	if (command->output) {
		(void)fputs(".PP\nWith \\fB\\-\\-json\\fR: ", file);
		man_string(file, command->output);
		(void)fputc('\n', file);
	}
	man_options(file, command->argp);
	(void)fputs(".PP\n.nf\n", file);
	man_string(file, description.examples);
	(void)fputs("\n.fi\n", file);
}

static void man_facts(FILE *file, const char *title, const struct fact *fact)
{
	(void)fprintf(file, ".SH %s\n", title);
	for (; fact->name; fact++) {
		(void)fprintf(file, ".TP\n\\fB%s\\fR\n", fact->name);
		man_string(file, fact->text);
		(void)fputc('\n', file);
	}
}

static void write_man(FILE *file, const struct command *const commands[])
{
	(void)fputs(
		".\\\" Made by `dray help --format man`: change the commands instead.\n"
		".TH DRAY 1 " RELEASED " \"dray " DRAY_VERSION "\" \"dray manual\"\n"
		".SH NAME\n"
		"dray \\- background jobs in the database you already have\n"
		".SH SYNOPSIS\n"
		"\\fBdray\\fR [OPTION...] \\fICOMMAND\\fR [ARGUMENT...]\n"
		".SH DESCRIPTION\n"
		"dray runs programs and functions of C modules as background jobs. The jobs "
		"are rows of an SQLite, PostgreSQL, MySQL or MariaDB database, in the tables of "
		"Solid Queue.\n"
		".PP\n"
		"Results go to standard output. Errors go to standard error, one per line. "
		"Times are in UTC. Put arguments that begin with \\- after \\fB\\-\\-\\fR.\n"
		".SH COMMANDS\n",
		file);
	for (size_t i = 0; commands[i]; i++)
		man_command(file, commands[i]);
	(void)fputs(".SH GLOBAL OPTIONS\nThese may stand before or after the command.\n", file);
	man_options(file, &global_argp);
	man_facts(file, "EXIT STATUS", exit_statuses);
	man_facts(file, "ENVIRONMENT", environment_variables);
	(void)fputs(
		".SH FILES\n"
		".TP\n\\fIconfig/queue.yml\\fR\nwhich processes run, and the database\n"
		".TP\n\\fIconfig/dray.yml\\fR\nread in place of config/queue.yml in a Rails "
		"application\n"
		".TP\n\\fIconfig/jobs.yml\\fR\nwhat runs the jobs of each class\n"
		".TP\n\\fIstorage/dray.sqlite3\\fR\nthe database, unless another is configured\n"
		".TP\n\\fIconfig/database.yml\\fR\nof a Rails application: there it names the "
		"database\n"
		".TP\n\\fI/etc/dray\\fR, \\fI/var/lib/dray\\fR\n"
		"without a folder \\fIconfig\\fR the files are in the first, and what relative "
		"paths in them name is in the second. Where the second belongs to another user, "
		"root's commands become that user once they have read the files.\n",
		file);
}

/* docs/commands.md */

#define INDENT 2 /* of an example's line */

/* Writes a table cell; a bar would end it. */
static void markdown_cell(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			(void)fputc('\\', file);
		(void)fputc(*text, file);
	}
}

static void markdown_options(FILE *file, const struct argp *argp)
{
	if (!option_next(argp, NULL))
		return;
	(void)fputs("| option | meaning |\n|---|---|\n", file);
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		int letter = option_letter(option);
		(void)fputs("| ", file);
		if (letter)
			(void)fprintf(file, "`-%c`, ", letter);
		(void)fprintf(file, "`--%s%s%s` | ", option->name, option->arg ? " " : "",
			      option->arg ? option->arg : "");
		markdown_cell(file, option->doc);
		(void)fputs(" |\n", file);
	}
	(void)fputc('\n', file);
}

static void markdown_synopsis(FILE *file, const struct command *command)
{
	const char *form = command->argp->args_doc ? command->argp->args_doc : "";

	(void)fputs("```\n", file);
	for (;;) {
		size_t length = strcspn(form, "\n");
		(void)fprintf(file, "dray %s%s%.*s\n", command->name, length > 0 ? " " : "",
			      (int)length, form);
		if (form[length] == '\0')
			break;
		form += length + 1;
	}
	(void)fputs("```\n\n", file);
}

static void markdown_command(FILE *file, const struct command *command)
{
	struct description description = command_description(command->argp);

	(void)fprintf(file, "## dray %s\n\n", command->name);
	markdown_synopsis(file, command);
	(void)fprintf(file, "%.*s\n\n", (int)description.length, description.text);
	markdown_options(file, command->argp);
	if (command->output)
		(void)fprintf(file, "With `--json`: %s\n\n", command->output);
	(void)fputs("```sh\n", file);
	for (const char *line = description.examples; *line;) {
		size_t length = strcspn(line, "\n");
		(void)fprintf(file, "%.*s\n", (int)length - INDENT, line + INDENT);
		line += length + (line[length] == '\n');
	}
	(void)fputs("```\n\n", file);
}

static void markdown_facts(FILE *file, const char *title, const char *head, const struct fact *fact)
{
	(void)fprintf(file, "## %s\n\n| %s | meaning |\n|---|---|\n", title, head);
	for (; fact->name; fact++) {
		(void)fprintf(file, "| `%s` | ", fact->name);
		markdown_cell(file, fact->text);
		(void)fputs(" |\n", file);
	}
	(void)fputc('\n', file);
}

static void write_markdown(FILE *file, const struct command *const commands[])
{
	(void)fputs(
		"# The commands\n\n"
		"<!-- Made by `dray help --format markdown`: change the commands instead. -->\n\n"
		"Results go to standard output. Errors go to standard error, one `dray: ...` line "
		"each; after a mistake in the command line, a second line tells how to get help. "
		"Times are in UTC.\n\nA table in a pipe or a file is complete, without colours and "
		"ages. On a terminal it is made to fit: columns without any value are left out, "
		"long texts are cut (numbers never are), and if that is not enough the last "
		"columns are left out, too. `--wide` prints everything.\n\nA `TIME` is an ISO 8601 "
		"text (`2026-12-24T18:00:00Z`; UTC if it names no zone), or `now`, `1h`, `2d ago`, "
		"`in 90s`, `18:00`, `9:30pm`, `noon`, `midnight`, `today`, `yesterday`, `tomorrow "
		"9am`, `2026-12-24 9am UTC`. Days and hours are those of the zone at the end of "
		"the text, or else of the host's zone (`TZ`). A text such as `1h` or `18:00`, "
		"which fits a past and a future time, means the last such time for options that "
		"look back, and the next for `enqueue --at` and `recurring --after`. A local time "
		"that the zone skips means the time at which the clock continues; of a local time "
		"that occurs twice, the first is meant. On a terminal, and with `--verbose`, the "
		"time that was understood is printed to standard error.\n\nWith `--json`, every "
		"result is one JSON value with the keys listed here. A value that does not apply "
		"is `null`, times are ISO 8601 texts, and durations are in seconds. New keys may "
		"be added; no key is renamed. Put arguments that begin with `-` after `--`.\n\n",
		file);
	for (size_t i = 0; commands[i]; i++)
		markdown_command(file, commands[i]);
	(void)fputs("## Global options\n\nThese may stand before or after the command.\n\n", file);
	markdown_options(file, &global_argp);
	markdown_facts(file, "Exit status", "status", exit_statuses);
	markdown_facts(file, "Environment", "variable", environment_variables);
}

/* dray help */

struct help {
	const char *command;
	const char *format;
};

enum key { KEY_FORMAT = 1 };

static const struct argp_option options[] = {
	{ "format", KEY_FORMAT, "NAME", OPTION_HIDDEN, "man, markdown, bash, zsh or fish", 0 },
	{ 0 },
};

static error_t help_parse(int key, const char *value, struct argp_state *state)
{
	struct help *help = state->input;

	if (key == KEY_FORMAT)
		help->format = value;
	else if (key == ARGP_KEY_ARG && !help->command)
		help->command = value;
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static int write_reference(const struct cli *cli, const char *format)
{
	if (strcmp(format, "man") == 0)
		write_man(stdout, cli->commands);
	else if (strcmp(format, "markdown") == 0)
		write_markdown(stdout, cli->commands);
	else if (strcmp(format, "bash") == 0)
		(void)fputs(script_bash, stdout);
	else if (strcmp(format, "zsh") == 0)
		(void)fputs(script_zsh, stdout);
	else if (strcmp(format, "fish") == 0)
		(void)fputs(script_fish, stdout);
	else {
		cli_complain("--format: expected man, markdown, bash, zsh or fish");
		return EXIT_USAGE;
	}
	return EXIT_STOPPED;
}

static int help_run(struct cli *cli, void *input)
{
	const struct help *help = input;
	char name[] = "dray";
	char option[] = "--help";
	char *argv[] = { name, option, NULL };

	if (help->format)
		return write_reference(cli, help->format);
	if (!help->command) {
		/* NOLINTNEXTLINE(concurrency-mt-unsafe): there is one thread */
		argp_help(cli->root, stdout, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK,
			  name);
		return EXIT_STOPPED;
	}
	const struct command *command = command_find(cli, help->command);
	if (!command)
		return cli_unknown_command(cli, help->command);
	argv[0] = arena_printf(cli->arena, "dray %s", command->name);
	return command_run(command, cli, 2, argv);
}

static const struct argp argp = {
	.options = options,
	.args_doc = "[COMMAND]",
	.doc = "List all commands, or print the help of one of them."
	       "\vExamples:\n"
	       "  dray help\n"
	       "  dray help enqueue",
};

const struct command help_command = {
	.name = "help",
	.summary = "list the commands, or print the help of one",
	.argp = &argp,
	.parse = help_parse,
	.input_size = sizeof(struct help),
	.run = help_run,
};
