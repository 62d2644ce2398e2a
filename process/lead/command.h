/*
 * A command of the configuration that is run aside: the loop goes on meanwhile and looks at it now
 * and then. It has a process group of its own, a text on standard input, and writes to the log's
 * descriptor. It is never left behind without an end: it has COMMAND_PATIENCE, dies with the
 * process that has started it, and if that is frozen, by a timer of its own. What it has started
 * itself may outlive it then.
 */
#ifndef COMMAND_H
#define COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define COMMAND_PATIENCE (30 * CLOCK_SECOND) /* then it gets TERM, and KILL a while later */
#define COMMAND_HOW      128

struct command {
	pid_t pid;       /* 0 = it does not run */
	int64_t ends_at; /* clock_monotonic: it gets the next signal then */
	int signal;      /* the last that it got; 0 = none */
	bool failed;     /* the last one, and how */
	char how[COMMAND_HOW];
};

/* Begins it. One that cannot be begun has failed at once: false. */
bool command_begin(struct command *command, const char *const argv[], const char *input);

/* Looks at it. True: it has ended, and `failed` and `how` say how. */
bool command_ended(struct command *command);

/* When to look again, clock_monotonic; CLOCK_NEVER: it does not run. */
int64_t command_due(const struct command *command);

/* Ends it at once. */
void command_stop(struct command *command);

#endif
