/*
 * Private to claiming: claiming queue by queue (CLAIM_BY_QUEUE), for lists and prefixes, which have
 * an order of their own, for workers of some classes, and for what stands behind a paused backlog.
 * First the question which queues have jobs to claim; the answer lives as long as the claiming.
 */
#ifndef CLAIM_BY_QUEUE_H
#define CLAIM_BY_QUEUE_H

#include "queue/claim/claim.h"

/* A queue that has ready jobs and is not paused. */
struct claimable_queue {
	const char *name;
	int position;     /* in the worker's list */
	int64_t priority; /* of its next job */
	int64_t job_id;
	bool dry;  /* its next job could not be had */
	bool done; /* and it has nothing behind that either */
};

struct claimable {
	struct claimable_queue *list;
	size_t count;
};

/* Makes claiming->call the question. */
void claimable_prepare(struct claiming *claiming);

/* From the question's answer, which says what is paused, too. */
void claimable_read(struct claiming *claiming, struct claimable *claimable);

/* Prepares the question, asks it and reads the answer. */
enum status claimable_ask(struct claiming *claiming, struct claimable *claimable,
			  struct error *error) MUST_CHECK;

/* The one whose next job comes first by priority and age; NULL when there is none. */
const struct claimable_queue *claimable_first(const struct claimable *claimable);

/* Claims from one after the other, each in its own transaction, until there is enough. */
enum status claimable_claim(struct claiming *claiming, struct claimable *claimable,
			    struct error *error) MUST_CHECK;

/*
 * With the queues that are remembered: looks for the first that has something, claiming->next; when
 * that was claimed from, claims from those behind it. They are forgotten when that was not enough.
 */
enum status claim_next_look(struct claiming *claiming, struct error *error) MUST_CHECK;
enum status claim_next_take(struct claiming *claiming, struct error *error) MUST_CHECK;

/*
 * After the database has refused a claim: claims one after the other, until there are enough, what
 * a claim would take, and sets aside the jobs of which the database refuses that (queue/refused).
 */
enum status claim_apart(struct claiming *claiming, struct error *error) MUST_CHECK;

#endif
