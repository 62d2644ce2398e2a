/*
 * cli/reference/: what is written about the commands, and what shells complete, made from their
 * tables so that it cannot say anything else:
 * man/dray.1, docs/commands.md and the files of completions/. A test compares those with what
 * `dray help --format NAME` prints.
 */
#ifndef REFERENCE_H
#define REFERENCE_H

#include <stdio.h>

#include "cli/cli.h"

/* By the name of --format. */
struct reference {
	const char *name;
	void (*write)(FILE *file);
};

/* Ended by a row without a name. */
extern const struct reference references[];

/* Facts that hold for every command. */
struct fact {
	const char *name;
	const char *text;
};

/* Each ended by a row without a name. */
extern const struct fact exit_statuses[];
extern const struct fact environment_variables[];
extern const struct fact option_kinds[]; /* options and the kind of names they take */

void reference_man(FILE *file);
void reference_markdown(FILE *file);
void reference_bash(FILE *file);
void reference_zsh(FILE *file);
void reference_fish(FILE *file);

/* The parts of a command's help: before \v and after it, without "Examples:". */
struct description {
	const char *text;
	size_t length;
	const char *examples; /* lines, each with two spaces before it */
};
struct description command_description(const struct argp *argp);

/* Steps through the options that --help shows: NULL before the first, NULL after the last. */
const struct argp_option *option_next(const struct argp *argp, const struct argp_option *option);

/* The kind of names that its value is one of (`dray complete`), or NULL. */
const char *option_kind(const struct argp_option *option);

/* A short option's letter, or 0. */
int option_letter(const struct argp_option *option);

extern const struct command help_command;
extern const struct command complete_command; /* hidden */

#endif
