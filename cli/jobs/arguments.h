/* A job's arguments on the command line. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include "cli/cli.h"

struct config_class;

/* When NAME=VALUE (a name of letters, digits and _) is a named argument, and when it is text. */
enum argument_names {
	NAMES_BY_CLASS, /* a command says so by {NAME}; for others a VALUE is enough */
	NAMES_ALWAYS,
	NAMES_NEVER,
};

struct argument_rule {
	enum argument_names names;
	const struct config_class *class; /* of the job; NULL = not declared */
};

/*
 * Builds the JSON array of the words behind the first, which is the class: texts, and a
 * last element that holds the named arguments (docs/internals/solid-queue.md, 2.3). *shown is what
 * was understood, for people; NULL = there are no words. INVALID: a word is not UTF-8, or a name is
 * reserved or given twice.
 */
enum status arguments_json(struct arena *arena, const struct arguments *given,
			   const struct argument_rule *rule, const char **json, const char **shown,
			   struct error *error) MUST_CHECK;

#endif
