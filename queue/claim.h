/* From ready to claimed: which jobs a worker takes, and in what order. */
#ifndef CLAIM_H
#define CLAIM_H

#include "queue/job.h"

/*
 * A worker's choice of queues: "*" (all), "name", "prefix*", in order of preference (behaviour
 * document, 3.3). An entry with "*" elsewhere is INVALID.
 */
struct selector {
	bool all;	       /* "*" is among them: one order by priority over all queues */
	const char *json;      /* [{"name": "a", "prefix": 0}, ...] */
	const char *text;      /* "a,b*" as written, for metadata */
};

enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error) MUST_CHECK;

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
	bool paused; /* in and out: some queue is paused, remembered from one call to the next */
};

#endif
