/*
 * Claiming queue by queue: for lists and prefixes, which have an order of their own, for workers of
 * some classes, and where what is paused stands so deep that it is not walked over. First the
 * queues that have ready jobs are asked for, the candidates; they live as long as the claiming.
 */
#ifndef CANDIDATES_H
#define CANDIDATES_H

#include "queue/claim/claim.h"

/* A queue that has ready jobs and is not paused. */
struct candidate {
	const char *name;
	int position;     /* in the worker's list */
	int64_t priority; /* of its next job */
	int64_t job_id;
	bool dry;  /* its next job could not be had */
	bool done; /* and it has nothing behind that either */
};

struct candidates {
	struct candidate *list;
	size_t count;
};

/* Makes claiming->call the question which candidates there are. */
void candidates_prepare(struct claiming *claiming);

/* From the question's answer, which says what is paused, too. */
void candidates_read(struct claiming *claiming, struct candidates *candidates);

/* Prepares the question, asks it and reads the answer. */
enum status candidates_ask(struct claiming *claiming, struct candidates *candidates,
			   struct error *error) MUST_CHECK;

/* The one whose next job comes first by priority and age; NULL when there is none. */
const struct candidate *candidates_first(const struct candidates *candidates);

/* Claims from one after the other, each in its own transaction, until there is enough. */
enum status candidates_claim(struct claiming *claiming, struct candidates *candidates,
			     struct error *error) MUST_CHECK;

#endif
