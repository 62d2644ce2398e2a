/*
 * What a supervisor tells its children: a page of memory that they share and only it writes. It
 * writes, then sends CONTROL_SIGNAL, which means "look". So however late a child looks, it finds
 * what is wanted now, and nothing is lost or done twice when signals merge.
 */
#ifndef CONTROL_H
#define CONTROL_H

#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "common/error.h"

#define CONTROL_SIGNAL SIGURG /* ignored by whoever does not listen to it */

struct control {
	atomic_uint quiet_changes; /* odd: quiet */
};

/* Shared with every child forked later. NULL with *error filled when there is no memory. */
struct control *control_new(struct error *error);
void control_free(struct control *control);

/* Quiet or not; returns what it is now. The caller then signals the children. */
bool control_toggle_quiet(struct control *control);
bool control_is_quiet(const struct control *control);

/* What a child has seen of the page; it begins with what held when it was forked. */
struct control_view {
	unsigned quiet_changes;
};
struct control_view control_look(const struct control *control);

#endif
