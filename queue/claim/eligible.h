/*
 * Private to claiming: the jobs of a queue that a worker may take, where others stand between them.
 * Not eligible are jobs of classes that the worker leaves to others (unknown_classes: leave;
 * run_by: other), of a paused class, and, while it runs one, jobs on their last chance.
 *
 * They may stand before the eligible ones by the thousand, for as long as others have not taken
 * them. So they are walked past by a look that locks nothing, and for a short time it is remembered
 * how far; claims begin there.
 */
#ifndef ELIGIBLE_H
#define ELIGIBLE_H

#include "queue/claim/claim.h"

/* Are there jobs that it leaves, whatever is paused? */
bool eligible_leaves(const struct claim_request *request);

/* Does it claim only the eligible jobs of a queue, because not all are? */
bool eligible_only(const struct claim_request *request);

/* Where to begin to claim from this queue: behind what is known not to be eligible. */
struct claim_place eligible_place(const struct claim_request *request, const char *queue);

/* Looks for the first eligible job in a queue, and remembers where it stands. */
enum status eligible_look(struct claiming *claiming, const char *queue, bool *any,
			  struct error *error) MUST_CHECK;

/*
 * Looks for the first eligible job of a queue at or behind this place, and does not remember it.
 * *place is where it stands if there is *any.
 */
enum status eligible_first(struct claiming *claiming, const char *queue, struct claim_place *place,
			   bool *any, struct error *error) MUST_CHECK;

/* A claim from a queue began at the remembered place; this was the first job it got. */
void eligible_found(struct claim_request *request, const char *queue, const struct job *first);

/*
 * The parameters that say which jobs are eligible: classes and others as JSON arrays (null = all,
 * null = none), and which lost jobs are left.
 */
struct eligible {
	struct db_value classes, others, max_losses;
};

struct eligible eligible_of(const struct claim_request *request);

#endif
