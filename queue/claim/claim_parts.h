/* What claiming from all queues at once and queue by queue have in common; nobody else's. */
#ifndef CLAIM_PARTS_H
#define CLAIM_PARTS_H

#include "queue/claim/claim.h"

static inline bool claim_is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

/* Does it take some classes only, or no lost jobs? */
static inline bool claim_chooses(const struct claim_request *request)
{
	return request->only_classes || request->other_count > 0 || request->spare.on;
}

/* Are there jobs that it walks past, or of paused classes? */
static inline bool claim_passes(const struct claim_request *request)
{
	return claim_chooses(request) || request->paused == CLAIM_CLASSES_PAUSED;
}

/* Makes claiming->call the claim from one queue, down to a priority. */
void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority);

/* Adds what that claim took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue);

#endif
