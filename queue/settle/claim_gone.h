/* What became of a claim that is not there any more, for the log. */
#ifndef CLAIM_GONE_H
#define CLAIM_GONE_H

#include "queue/settle/settle.h"

/* A sentence, in the arena or static; when the database cannot be asked the plain one. */
const char *claim_why_gone(struct db *db, struct arena *arena, const struct claim_name *claim);

/*
 * The same of a run that has ended; NULL when the database has this outcome, or its job was deleted
 * with it. Sets outcome->told: it would run again, but it was cancelled, and has ended so.
 */
const char *claim_why_unsettled(struct db *db, struct arena *arena, struct outcome *outcome);

#endif
