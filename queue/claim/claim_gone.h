/* What became of a claim that is not there any more, for the log. */
#ifndef CLAIM_GONE_H
#define CLAIM_GONE_H

#include "queue/claim/claim_name.h"

/* A sentence, in the arena or static; when the database cannot be asked the plain one. */
const char *claim_why_gone(struct db *db, struct arena *arena, const struct claim_name *claim);

/* The same of a run that succeeded; NULL when its job is finished, or was deleted as such. */
const char *claim_why_unfinished(struct db *db, struct arena *arena,
				 const struct claim_name *claim);

#endif
