/* Jobs that are C functions of a module: runs on one of the pool's threads. */
#ifndef RUN_MODULE_H
#define RUN_MODULE_H

#include "worker/pool.h"

/* Once a process, before the first run. */
void module_runs_prepare(void);

/*
 * The pool's run function, for the task of a slot whose handler is a module. Gives the slot its
 * outcome.
 */
void module_run(struct pool_task *task);

#endif
