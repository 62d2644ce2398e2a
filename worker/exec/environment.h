/*
 * The environment of a process: some of the worker's own variables by an allow list (a command) or
 * all of them (a job host), what the class adds, and what describes the job.
 */
#ifndef ENVIRONMENT_H
#define ENVIRONMENT_H

#include <stddef.h>

#include "common/arena.h"

#define ENVIRONMENT_ARGUMENTS "DRAY_ARGUMENTS" /* never passed on: a worker may run in a job */

/*
 * "NAME=value" texts, NULL-terminated, in arena. `entries` (may be NULL) comes after the built-in
 * allow list: "NAME" passes a variable, "PREFIX*" all that begin with the prefix, "NAME=value" sets
 * one. Later entries win.
 */
const char **environment_build(struct arena *arena, const char *const entries[]);

/* The same, but all variables pass: a function finds in a job host what it finds on a thread. */
const char **environment_whole(struct arena *arena, const char *const entries[]);

/* The value of name in such a list, or NULL. */
const char *environment_get(const char *const environment[], const char *name);

/* The list with `count` further settings ("NAME=value") that replace those of the same name. */
const char **environment_extend(struct arena *arena, const char *const environment[],
				const char *const settings[], size_t count);

#endif
