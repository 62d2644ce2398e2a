/*
 * Jobs of classes that a worker leaves alone (unknown_classes: leave) may stand before its own by
 * the thousand, for as long as others have not taken them. So they are walked past by a look that
 * locks nothing, and for a moment it is remembered how far. The same is done with jobs on their
 * last chance while the worker runs one.
 */
#ifndef KNOWN_H
#define KNOWN_H

#include "queue/claim/claim.h"

/* Where to begin to claim from this queue: behind what is known to be of other classes. */
struct claim_place known_place(const struct claim_request *request, const char *queue);

/* Looks for the first job of our classes in a queue, and remembers where it stands. */
enum status known_look(struct claiming *claiming, const char *queue, bool *any,
		       struct error *error) MUST_CHECK;

/* A claim from a queue began at the remembered place; this was the first job it got. */
void known_found(struct claim_request *request, const char *queue, const struct job *first);

/* The two parameters that say which lost jobs are passed; returns 2. */
size_t known_spare(const struct claim_request *request, struct db_value values[]);

/* The classes as a JSON array; NULL = all. And those that are not taken; NULL = none. */
const char *known_classes(struct arena *arena, const struct claim_request *request);
const char *known_others(struct arena *arena, const struct claim_request *request);

#endif
