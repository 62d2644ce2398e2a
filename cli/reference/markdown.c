#include <string.h>

#include "cli/reference/reference.h"

#define INDENT 2 /* of an example's line */

/* Writes a table cell; a bar would end it. */
static void write_cell(FILE *file, const char *text)
{
	for (; *text; text++) {
		if (*text == '|')
			(void)fputc('\\', file);
		(void)fputc(*text, file);
	}
}

static void write_options(FILE *file, const struct argp *argp)
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
		write_cell(file, option->doc);
		(void)fputs(" |\n", file);
	}
	(void)fputc('\n', file);
}

static void write_synopsis(FILE *file, const struct command *command)
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

static void write_command(FILE *file, const struct command *command)
{
	struct description description = command_description(command->argp);

	(void)fprintf(file, "## dray %s\n\n", command->name);
	write_synopsis(file, command);
	(void)fprintf(file, "%.*s\n\n", (int)description.length, description.text);
	write_options(file, command->argp);
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

static void write_facts(FILE *file, const char *title, const char *head, const struct fact *fact)
{
	(void)fprintf(file, "## %s\n\n| %s | meaning |\n|---|---|\n", title, head);
	for (; fact->name; fact++) {
		(void)fprintf(file, "| `%s` | ", fact->name);
		write_cell(file, fact->text);
		(void)fputs(" |\n", file);
	}
	(void)fputc('\n', file);
}

void reference_markdown(FILE *file, const struct command *const commands[])
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
		write_command(file, commands[i]);
	(void)fputs("## Global options\n\nThese may stand before or after the command.\n\n", file);
	write_options(file, &global_argp);
	write_facts(file, "Exit status", "status", exit_statuses);
	write_facts(file, "Environment", "variable", environment_variables);
}
