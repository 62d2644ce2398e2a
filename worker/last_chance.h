/*
 * Jobs on their last chance: they were lost as often as they may be, and the next loss fails them.
 * Jobs that were lost together are claimed together again, the one that kills its worker and its
 * innocent neighbours. So a worker runs only one of them at a time: a job that fails has caused
 * that itself. All other jobs run beside it.
 */
#ifndef LAST_CHANCE_H
#define LAST_CHANCE_H

#include "common/role.h"
#include "queue/claim/claim.h"

struct worker;

/* Once, before the first claim. */
void last_chance_open(struct worker *worker);

/* How many of `limit` jobs the next claim takes, and which. Call it before each claim. */
size_t last_chance_limit(struct worker *worker, size_t limit);

/*
 * Gives back all but one of the claims on their last chance, before anything else happens to them;
 * *count is what is left. When it fails nothing may be started: resolving gives all of them back.
 */
enum status last_chance_keep_apart(struct role_context *context, struct claim claims[],
				   size_t *count, struct error *error) MUST_CHECK;

#endif
