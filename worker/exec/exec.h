/*
 * worker/exec/: jobs that are commands: child processes, their output and their end.
 *
 * One child process a run, watched by the loop. The run ends when the child is reaped, even if
 * another process still holds its pipes; what is left in its process group is killed then. Main
 * thread only.
 */
#ifndef EXEC_H
#define EXEC_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "common/error.h"
#include "worker/exec/stream.h"

struct cgroup;
struct run;
struct spawn_report;
struct worker;

struct exec {
	struct run *run;
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
	struct capture tail;     /* of its standard error */
	struct capture out_tail; /* of its standard output, where that is logged */
};

/* Once a worker, before the first run: prepares descriptors, signals and buffers for commands. */
enum status exec_open(struct worker *worker, struct error *error) MUST_CHECK;
void exec_close(struct worker *worker);

/*
 * Starts the run's command. True: it is running, and worker_ended will be called. False: it ended
 * before it started, and the run has its outcome: failed (arguments, program), or released when
 * this process is short of descriptors, processes or memory (worker_rest was called).
 */
bool exec_start(struct run *run);

/*
 * Kills the run's process group: it is interrupted, unless it had just ended or cannot be
 * killed.
 */
void exec_kill(struct run *run);

#endif
