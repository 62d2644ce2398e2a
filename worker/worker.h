/*
 * The worker: claims jobs from its queues and runs up to `threads` of them at once, commands as
 * child processes and module functions on threads. The runner drives it.
 */
#ifndef WORKER_H
#define WORKER_H

#include "common/role.h"

extern const struct role worker_role;

#endif
