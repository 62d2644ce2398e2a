/*
 * cli/reference/: the reference of the commands, and completion. Generated from the tables of
 * commands: man/dray.1 and docs/commands.md. A test compares these files, and those of
 * completions/, with the output of `dray help --format NAME`.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include "cli/cli.h"

/* A name and its meaning, for tables that apply to all commands. */
struct fact {
	const char *name;
	const char *text;
};

/* Each ended by a row without a name. */
extern const struct fact exit_statuses[];
extern const struct fact environment_variables[];

/* A command's help, split at \v: its description, and its examples without "Examples:". */
struct description {
	const char *text;
	size_t length;
	const char *examples; /* lines, each indented by two spaces */
};
struct description command_description(const struct argp *argp);

/*
 * The option that --help shows after this one: NULL asks for the first, and is returned after the
 * last.
 */
const struct argp_option *option_next(const struct argp *argp, const struct argp_option *option);

/* The letter of the short option, or 0. */
int option_letter(const struct argp_option *option);

extern const struct command help_command;
extern const struct command complete_command; /* hidden */

#endif
