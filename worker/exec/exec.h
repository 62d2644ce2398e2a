/*
 * worker/exec/: jobs that are commands: child processes, their output and their end.
 *
 * Private to the files that run commands: the process of one run, its pipes and their data.
 * run_exec.c starts it, io.c moves the bytes, end.c turns its end into an outcome.
 */
#ifndef EXEC_H
#define EXEC_H

#include <stddef.h>
#include <sys/types.h>

#include "worker/exec/stream.h"

struct cgroup;
struct slot;
struct spawn_report;
struct worker;

struct exec {
	struct slot *slot;
	const char *program;   /* argv[0], for messages */
	const char *file;      /* what it was found to be; NULL = it was not found */
	struct cgroup *cgroup; /* NULL = it has none of its own */
	pid_t pid;
	int pidfd;
	int report;
	int input;
	const char *unsent; /* the rest of the payload; NULL = standard input is /dev/null */
	size_t unsent_length;
	struct stream out;
	struct stream err;
	struct capture tail;
};

/* Makes a run whose descriptors are all closed; `input` is what it will be sent, or NULL. */
struct exec *exec_new(struct slot *slot, const char *program, const char *input);

/* Closes all our descriptors, pipes and pidfd, and gives its cgroup back. */
void exec_close_all(struct exec *exec);

/* Loop callbacks; their context is the exec. */
void exec_on_input(void *context);
void exec_on_exit(void *context);

/* Fails the slot because its program could not be started. */
void exec_refused(struct exec *exec, const struct spawn_report *report);

#endif
