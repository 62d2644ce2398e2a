/*
 * Jobs that are commands: one child process a run, watched by the loop. The run ends when the child
 * is reaped, even if another process still holds its pipes; what is left in its process group is
 * killed then. Main thread only.
 */
#ifndef RUN_EXEC_H
#define RUN_EXEC_H

#include <stdbool.h>

#include "common/error.h"

struct slot;
struct worker;

/* Once a worker, before the first run: prepares descriptors, signals and buffers for commands. */
enum status exec_open(struct worker *worker, struct error *error) MUST_CHECK;
void exec_close(struct worker *worker);

/*
 * Starts the slot's command. True: it runs, and worker_ended will be called. False: it ended before
 * it started, and the slot has its outcome: failed (arguments, program), or released when this
 * process is short of descriptors, processes or memory (worker_rest was called).
 */
bool exec_start(struct slot *slot);

/*
 * Kills the slot's process group: its run is interrupted, unless it had just ended or cannot be
 * killed.
 */
void exec_kill(struct slot *slot);

#endif
