#ifndef DISPATCH_H
#define DISPATCH_H

#include "queue/look/job.h"

/* What a dispatcher remembers from one call to the next: zero at first. */
struct dispatching {
	int64_t apart_until; /* clock_monotonic: something was refused, so jobs go by number */
};

/*
 * Moves up to batch_size due jobs, earliest first, from scheduled to ready, or to blocked when no
 * slot of their key is free (or deletes them, if their class discards such jobs); *moved is how
 * many rows were examined: after a full batch there may be more. What the database refuses does not
 * hold up the others (queue/refused).
 */
enum status dispatch(struct db *db, struct dispatching *how, int batch_size, int64_t *moved,
		     struct error *error) MUST_CHECK;

#endif
