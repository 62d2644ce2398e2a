/* How long a process's loop may stand still before the process counts as stuck: pure. */
#ifndef STALL_H
#define STALL_H

#include <stdint.h>

#include "config/config.h"

/*
 * Microseconds. A loop waits only for the database, and each wait is bounded: this is several times
 * the longest wait. It is never less than process_alive_threshold, after which a process without
 * heartbeats is presumed dead anyway and has lost its jobs, and at least 5 s.
 */
int64_t stall_limit(const struct config *config);

/* How often a loop reports that it turns: several beats may be lost or late. */
int64_t stall_beat(const struct config *config);

#endif
