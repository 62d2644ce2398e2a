/*
 * Private to claiming: the window of the order over all queues that claims take from while
 * something is paused (CLAIM_WINDOW). Any number of paused jobs may stand in that order, so a claim
 * must not walk it to its end; where to stop is looked up once for many claims, and how depends on
 * what is paused:
 *
 * - Queues by name: a hop through the index of each paused queue tells where its jobs are more than
 *   a few. The window ends there, or nowhere when they are few everywhere.
 * - Patterns or classes: no index knows them, so the window is so many jobs of any kind.
 */
#ifndef CLAIM_WINDOW_H
#define CLAIM_WINDOW_H

#include "queue/claim/claim.h"

/* Has the window been planned, and not too long ago? */
bool claim_window_is_known(const struct claim_request *request);

/*
 * Plans a window that begins where `from` does, NULL = at the front. If that was a window already,
 * the new one holds for what is left of its time.
 */
enum status claim_window_plan(struct claiming *claiming, const struct claim_window *from,
			      struct error *error) MUST_CHECK;

#endif
