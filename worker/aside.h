/*
 * Outcomes that the database refuses (queue/refused): they are kept, and offered again after a
 * pause, while their threads go on. A worker keeps ASIDE_MOST of them beside its threads; more of
 * them hold threads, and so in the end it claims nothing.
 */
#ifndef ASIDE_H
#define ASIDE_H

#include "common/role.h"
#include "worker/slot.h"

#define ASIDE_MOST 64

/* The outcome of this slot was refused. */
void aside_put(struct slot *slot);

/* Makes pending what is to be offered again by now, or all of it. */
void aside_offer(struct worker *worker, bool all);

/* This slot's outcome is in the database. If it was refused before, so may be the others. */
void aside_settled(struct role_context *context, const struct slot *slot);

/* The slots that hold no thread. */
size_t aside_spare(const struct worker *worker);

/* The worker leaves: these jobs will run again. */
void aside_give_up(const struct worker *worker);

#endif
