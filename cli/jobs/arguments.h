/* A job's arguments as they stand on a command line. */
#ifndef ARGUMENTS_H
#define ARGUMENTS_H

#include <stddef.h>

#include "common/arena.h"

/*
 * The JSON array of these words: plain ones are strings, NAME=VALUE (a name of letters, digits
 * and _) makes a member of the last element, the named arguments
 * (docs/internals/solid-queue.md, 2.3). INVALID names the word that is not UTF-8, or a name given
 * twice.
 */
enum status arguments_json(struct arena *arena, char *const words[], size_t count,
			   const char **json, struct error *error) MUST_CHECK;

#endif
