/*
 * For when our own view of our claims and the database's may differ: the database decides. Main
 * thread only.
 */
#ifndef RESOLVE_H
#define RESOLVE_H

#include "common/role.h"

struct worker;

/* There may be claims of ours that we do not know, or runs whose claims are gone. */
void resolve_later(struct worker *worker);

/* The same when a different server answers than before. */
void resolve_after_failover(struct role_context *context);

bool resolve_due(const struct worker *worker);

/*
 * Compares the two: outcomes that are settled are forgotten, claims that nothing runs go back to
 * ready, runs whose claims are gone are stopped. Not OK: call it again.
 */
enum status resolve(struct role_context *context, struct error *error);

#endif
