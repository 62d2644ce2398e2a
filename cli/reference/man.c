#include <string.h>

#include "cli/reference/reference.h"

/* The date of the version in CMakeLists.txt; change it with that version, also in man/dray.3. */
#define RELEASED "2026-11-21"

/*
 * Writes text for troff: hyphens that can be copied, `words` in bold, and no line that could be
 * read as a request.
 */
static void write_text(FILE *file, const char *text, size_t length)
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

static void write_string(FILE *file, const char *text)
{
	write_text(file, text, strlen(text));
}

static void write_options(FILE *file, const struct argp *argp)
{
	for (const struct argp_option *option = option_next(argp, NULL); option;
	     option = option_next(argp, option)) {
		int letter = option_letter(option);
		(void)fputs(".TP\n", file);
		if (letter)
			(void)fprintf(file, "\\fB\\-%c\\fR, ", letter);
		(void)fputs("\\fB\\-\\-", file);
		write_string(file, option->name);
		(void)fputs("\\fR", file);
		if (option->arg)
			(void)fprintf(file, " \\fI%s\\fR", option->arg);
		(void)fputc('\n', file);
		write_string(file, option->doc);
		(void)fputc('\n', file);
	}
}

/* Writes a line for each form of the command: "dray enqueue [OPTION...] CLASS". */
static void write_synopsis(FILE *file, const struct command *command)
{
	const char *form = command->argp->args_doc ? command->argp->args_doc : "";

	for (;;) {
		size_t length = strcspn(form, "\n");
		(void)fprintf(file, "\\fBdray %s\\fR [OPTION...] ", command->name);
		write_text(file, form, length);
		(void)fputs("\n.br\n", file);
		if (form[length] == '\0')
			break;
		form += length + 1;
	}
}

static void write_command(FILE *file, const struct command *command)
{
	struct description description = command_description(command->argp);

	(void)fprintf(file, ".SS %s\n", command->name);
	write_synopsis(file, command);
	(void)fputs(".PP\n", file);
	write_text(file, description.text, description.length);
	(void)fputc('\n', file);
	if (command->output) {
		(void)fputs(".PP\nWith \\fB\\-\\-json\\fR: ", file);
		write_string(file, command->output);
		(void)fputc('\n', file);
	}
	write_options(file, command->argp);
	(void)fputs(".PP\n.nf\n", file);
	write_string(file, description.examples);
	(void)fputs("\n.fi\n", file);
}

static void write_facts(FILE *file, const char *title, const struct fact *fact)
{
	(void)fprintf(file, ".SH %s\n", title);
	for (; fact->name; fact++) {
		(void)fprintf(file, ".TP\n\\fB%s\\fR\n", fact->name);
		write_string(file, fact->text);
		(void)fputc('\n', file);
	}
}

void reference_man(FILE *file, const struct command *const commands[])
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
		write_command(file, commands[i]);
	(void)fputs(".SH GLOBAL OPTIONS\nThese may stand before or after the command.\n", file);
	write_options(file, &global_argp);
	write_facts(file, "EXIT STATUS", exit_statuses);
	write_facts(file, "ENVIRONMENT", environment_variables);
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
