/*
 * A command's argv: the template of jobs.yml with a job's arguments in it. {0} is the first
 * positional argument, {name} a named one, {{ and }} are literal braces. Nothing is split and no
 * shell is involved: one entry of the template is one argument of the program. The exception is
 * {*}, which must stand alone: all positional arguments, each as an argument of its own.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"

struct payload;

/* Is the template well-formed? INVALID says which brace is wrong and how to write a literal one. */
enum status command_check(const char *const template[], struct error *error) MUST_CHECK;

/* Has the template this placeholder? Also for other templates of jobs.yml, as a list of one. */
bool command_uses(const char *const template[], const char *name);

/*
 * NULL-terminated argv in arena. INVALID names the placeholder that has no argument ("{path}:
 * ...").
 */
enum status command_render(struct arena *arena, const char *const template[],
			   const struct payload *payload, const char ***argv,
			   struct error *error) MUST_CHECK;

/*
 * Finds the program as execvp would: a relative path with a slash is taken from `directory` (NULL =
 * here), a plain name is looked for in the absolute directories of `path`. Returns 0 and what to
 * pass to execve after chdir(directory), or an errno.
 */
int program_find(struct arena *arena, const char *name, const char *path, const char *directory,
		 const char **program);

/* Where programs are looked for when the environment has no PATH. */
#define PROGRAM_PATH "/usr/local/bin:/usr/bin:/bin"

/* scripts: what the kernel makes of a program file's first line, and what is wrong with that */

/*
 * Why this file, which exists and may be executed, would not start: its interpreter is missing, its
 * lines end in CR LF, it has no #! line. NULL: nothing is known to be wrong. A relative file
 * starts in `directory` (NULL = here); env looks in `search` (a PATH). Not *certain: it starts, but
 * its interpreter may not understand the line.
 */
const char *script_fault(struct arena *arena, const char *file, const char *directory,
			 const char *search, bool *certain);

/*
 * The environment of a process: some of the worker's own variables by an allow list (a command) or
 * all of them (a job host), what the class adds, and what describes the job.
 */

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
