/* What an error says in one line: to people in lists, and to its fingerprint. */
#ifndef CAUSE_H
#define CAUSE_H

#include "common/arena.h"

/*
 * The last of these lines (what a program wrote to its standard error) that says something: not an
 * empty or indented one, a stack frame, nor what languages write behind an error, unless there is
 * nothing else. NULL: there is none. In the arena.
 */
const char *cause_line(struct arena *arena, const char *lines);

/* "MESSAGE: LINE"; a line of NULL is left out. */
const char *cause_text(struct arena *arena, const char *message, const char *line);

/* An error as failed_executions.error has it, in one line. */
struct cause {
	const char *error_class; /* NULL: it cannot be read, and nothing else is there */
	const char *message;
	const char *line;  /* the last one of a failed command's standard error; NULL = none */
	const char *brief; /* that, or else CLASS: MESSAGE */
};

struct cause cause_of(struct arena *arena, const char *error);

#endif
