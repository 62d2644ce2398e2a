/*
 * The seats of the children: one for each configured process. The processes of a seat are the one
 * that is wanted and those that are leaving; they share the seat's threads (process/control.h).
 */
#ifndef SEATS_H
#define SEATS_H

#include "supervisor/children.h"

/*
 * A seat of this kind that nobody is wanted in: the one that served the same last, even while its
 * processes are leaving; else one without processes, or a new one.
 */
unsigned seats_take(struct children *children, const struct role_kind *kind, uint64_t serves);

#endif
