/* Private to claiming: the scripts that claim, as calls, and what they took. */
#ifndef CLAIM_CALLS_H
#define CLAIM_CALLS_H

#include "queue/claim/claim.h"

static inline bool claim_is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

/* Makes claiming->call the claim from the whole order over all queues, or from the window of it. */
void claim_prepare_every(struct claiming *claiming);
void claim_prepare_window(struct claiming *claiming);

/* The same from one queue, down to a priority: of its eligible jobs, or of all when all are. */
void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority);

/* Adds what a claim over all queues took; returns and remembers what it found to be paused. */
enum claim_paused claim_add_of_every(struct claiming *claiming);

/* Adds what a claim from a queue took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue);

#endif
