/*
 * Limited jobs that were claimed without a slot: somebody made them ready past the gate (another
 * system's dispatcher that does not know the class, or rows written by hand). They must not run.
 */
#ifndef GATE_H
#define GATE_H

#include "queue/claim/claim.h"

/*
 * Takes the claims out of the list that have no slot and cannot have one; their jobs are blocked.
 * Jobs without a key cost nothing. Not OK: none of the claims may be run.
 */
enum status gate_claims(struct db *db, struct arena *arena, struct claim claims[], size_t *count,
			struct error *error) MUST_CHECK;

#endif
