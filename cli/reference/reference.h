/*
 * cli/reference/: the reference of the commands, and completion. Generated from the tables of
 * commands: man/dray.1, docs/commands.md and the files of completions/. A test compares these files
 * with the output of `dray help --format NAME`.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdio.h>

#include "cli/cli.h"

/* A name and its meaning, for tables that apply to all commands. */
struct fact {
	const char *name;
	const char *text;
};

/* Each ended by a row without a name. */
extern const struct fact exit_statuses[];
extern const struct fact environment_variables[];
extern const struct fact option_kinds[]; /* options and the kind of names that they take */

/* What `dray help --format` writes of a table of commands, ended by NULL. */
void reference_bash(FILE *file, const struct command *const commands[]);
void reference_zsh(FILE *file, const struct command *const commands[]);
void reference_fish(FILE *file, const struct command *const commands[]);

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

/* The kind of names that the option takes (`dray complete`), or NULL. */
const char *option_kind(const struct argp_option *option);

/* The letter of the short option, or 0. */
int option_letter(const struct argp_option *option);

extern const struct command help_command;
extern const struct command complete_command; /* hidden */

#endif
