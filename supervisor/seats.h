/*
 * The seats of the children: one for each configured process. The processes of a seat are the one
 * that is wanted and those that are leaving.
 */
#ifndef SEATS_H
#define SEATS_H

#include "supervisor/children.h"

/* A seat of this kind without processes that nobody is wanted in, or a new one. */
unsigned seats_take(struct children *children, const struct role_kind *kind);

/*
 * Must this child leave threads to the other, which ends its runs? Yes, if it has a queue of the
 * other's that the one who is wanted in the other's seat has not, or if it is that one.
 */
bool seats_wait(const struct children *children, const struct child *child,
		const struct child *other);

/* Keeps the queues that a new process of this child serves: the configuration may not last. */
void seats_note(const struct children *children, struct child *child);

#endif
