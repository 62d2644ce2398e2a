/* What claiming from all queues at once and queue by queue have in common; nobody else's. */
#ifndef CLAIM_PARTS_H
#define CLAIM_PARTS_H

#include "queue/claim.h"

static inline bool claim_is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

/* Are there classes that it leaves alone, its own choice or because they are paused? */
static inline bool claim_leaves_classes(const struct claim_request *request)
{
	return request->only_classes || request->paused == CLAIM_CLASSES_PAUSED;
}

/* Makes claiming->call the claim from one queue, down to a priority. */
void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority);

/* Adds what that claim took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue);

#endif
