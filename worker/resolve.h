/*
 * When what we hold and what the database holds for us may differ: what is in the database decides.
 * Main thread only.
 */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "common/role.h"

struct worker;

/* There may be claims of ours that we do not know, or runs whose claims are gone. */
void resolve_later(struct worker *worker);

/* The same when another server answers than before. */
void resolve_after_failover(struct role_context *context);

bool resolve_due(const struct worker *worker);

/*
 * Looks: outcomes that are settled are forgotten, claims that nobody runs go back to ready, runs
 * whose claims are gone are stopped. Not OK: again.
 */
enum status resolve(struct role_context *context, struct error *error);

#endif
