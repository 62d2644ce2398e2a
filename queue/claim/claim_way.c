#include "queue/claim/claim_way.h"

/* "*" and every class: what stands first in the whole order is ours unless it is paused. */
static enum claim_way choose_of_every(const struct claim_facts *facts)
{
	if (facts->paused == CLAIM_NOTHING_PAUSED)
		return CLAIM_EVERY_QUEUE;
	/* An idle worker asks what locks nothing; one that knows of a backlog spares itself a claim
	 * that would find only this. */
	if (facts->idle || (facts->backlog && !facts->window))
		return CLAIM_BEHIND_BACKLOG;
	return CLAIM_WINDOW;
}

enum claim_way claim_choose(const struct claim_facts *facts)
{
	const bool chooses = facts->leaves || facts->paused == CLAIM_CLASSES_PAUSED;

	if (facts->scope == CLAIM_SCOPE_ONE)
		return chooses ? CLAIM_ELIGIBLE : CLAIM_ONE_QUEUE;
	if (facts->scope == CLAIM_SCOPE_SOME || facts->leaves)
		return CLAIM_BY_QUEUE;
	return choose_of_every(facts);
}
