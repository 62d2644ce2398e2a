/* What claiming from all queues at once and queue by queue have in common; nobody else's. */
#ifndef CLAIM_PARTS_H
#define CLAIM_PARTS_H

#include "queue/claim.h"

static inline bool claim_is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

/* Are there jobs that it walks past: of classes that are not its own or are paused, or lost ones?
 */
static inline bool claim_passes(const struct claim_request *request)
{
	return request->only_classes || request->spare.on ||
	       request->paused == CLAIM_CLASSES_PAUSED;
}

/* Makes claiming->call the claim from one queue, down to a priority. */
void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority);

/* Adds what that claim took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue);

#endif
