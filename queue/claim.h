/* From ready to claimed: which jobs a worker takes, and in what order. */
#ifndef CLAIM_H
#define CLAIM_H

#include "queue/job.h"

/*
 * A worker's choice of queues: "*" (all), "name", "prefix*", in order of preference (behaviour
 * document, 3.3). Once "*" is among them the order does not matter: all queues are one, ordered
 * by priority.
 */
struct selector_entry {
	const char *name; /* without the "*" */
	size_t length;
	bool prefix;
};

struct selector {
	bool all;
	struct selector_entry *entries;
	size_t count;
	const char *text; /* "a,b*" as written, for metadata */
};

/* INVALID for an entry with "*" elsewhere than at its end, or empty. */
enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error) MUST_CHECK;

/* The position of the first entry that takes this queue, or -1. */
int selector_match(const struct selector *selector, const char *queue);

/* A claim: the fencing token of one run of one job. */
struct claim {
	int64_t id; /* claimed_executions.id: new with every claim */
	struct job job;
};

struct claim_request {
	const struct selector *selector;
	int64_t process_id;
	size_t limit;
	const char *const *only_classes; /* with unknown_classes: leave; NULL = every class */
	size_t only_count;
	/* In and out, remembered from one call to the next: */
	bool paused; /* some queue is paused */
	bool idle;   /* nothing was found: look without locking before claiming again */
};

/* One claiming under way; its claims grow in the arena. */
struct claiming {
	struct db *db;
	struct arena *arena;
	struct claim_request *request;
	struct db_call call; /* what claim_prepare wants run */
	struct db_value values[6];
	struct claim *claims; /* result */
	size_t count;
};

/*
 * Fills claiming->call with the one script that claims, or, where that needs more than one, with
 * the question which queues have something to claim. It may run in one transaction with others.
 */
void claim_prepare(struct claiming *claiming);

/*
 * Takes what claiming->call returned and claims queue by queue where that is needed, each in its
 * own transaction. Not OK only when there may be claims of ours that we do not know (UNCERTAIN).
 */
enum status claim_take(struct claiming *claiming, struct error *error) MUST_CHECK;

#endif
