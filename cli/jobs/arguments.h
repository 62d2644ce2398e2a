/* A job's arguments on the command line. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stddef.h>

#include "common/arena.h"

/*
 * Builds the JSON array of these words: plain words are strings; NAME=VALUE (a name of letters,
 * digits and _) is a member of the last element, which holds the named arguments
 * (docs/internals/solid-queue.md, 2.3). INVALID: a word is not UTF-8, or a name is reserved or
 * given twice.
 */
enum status arguments_json(struct arena *arena, char *const words[], size_t count,
			   const char **json, struct error *error) MUST_CHECK;

#endif
