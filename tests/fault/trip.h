/* What a worker does in a scene: round trips that settle and claim. */
#ifndef FAULT_TRIP_H
#define FAULT_TRIP_H

#include "tests/fault/scene.h"

/* How one verb claims and settles. */
struct way {
	const char *const *queues;
	size_t queue_count;
	size_t wanted;
	bool preserve;
	bool known;               /* only jobs of classes with a handler */
	enum claim_paused paused; /* other queues are, and it knows */
	bool batches;             /* Solid Queue's are there */
	bool puts_back;           /* jobs of other classes, and then only claims those */
};

/*
 * Settles the scene's outcomes and claims until as many as wanted are held, resolving an uncertain
 * commit as a worker does. A transaction whose connection broke may hold rows for a moment, which
 * claiming leaves out: it is tried for as long as the scene's patience. scene->done counts what was
 * settled and what is held.
 */
enum status trips(struct scene *scene, const struct way *way, struct error *error) MUST_CHECK;

#endif
