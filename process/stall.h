/* How long a process's loop may stand still before it is taken for stuck: pure. */
#ifndef STALL_H
#define STALL_H

#include <stdint.h>

#include "config/config.h"

/*
 * Microseconds. A loop waits for the database and for nothing else, and each wait is bounded:
 * several times what one may take. Never less than process_alive_threshold, after which a process
 * that does not beat is presumed dead anyway and has lost its jobs; at least 5 s.
 */
int64_t stall_limit(const struct config *config);

/* How often a loop says that it turns: several beats may be lost or late. */
int64_t stall_beat(const struct config *config);

#endif
