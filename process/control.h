/*
 * What a supervisor sends to its children: a page of shared memory to which only the supervisor
 * writes. It writes, then sends CONTROL_SIGNAL, which means "look". However late a child looks, it
 * finds what is wanted now, and nothing is lost or done twice if signals merge.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "common/error.h"
#include "common/log/log.h"

#define CONTROL_SIGNAL SIGURG /* ignored by processes that do not handle it */

struct control {
	atomic_uint quiet_changes; /* odd: quiet */
	atomic_uint log_changes;
	atomic_int log_level; /* valid after the first change */
	atomic_int log_format;
	atomic_llong supervisor_id; /* of its row, which is a new one after it was presumed dead; 0
				       = none */
};

/* Shared with every child that is forked later. NULL, with *error set, if there is no memory. */
struct control *control_new(struct error *error);
void control_free(struct control *control);

/*
 * Switches quiet on or off and returns whether it is on now. The caller then signals the children.
 */
bool control_toggle_quiet(struct control *control);
bool control_is_quiet(const struct control *control);

/* Sets the level and format of the log. */
void control_set_log(struct control *control, enum log_level level, enum log_format format);

/* Sets the supervisor's row, which every child writes into its own row with its next heartbeat. */
void control_set_supervisor(struct control *control, int64_t id);
int64_t control_supervisor(const struct control *control);

/* What a child has seen of the page; at first, what was there when it was forked. */
struct control_view {
	unsigned quiet_changes;
	unsigned log_changes;
};
struct control_view control_look(const struct control *control);

#endif
