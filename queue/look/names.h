/*
 * Which names there are, for shells that complete a command line: found by hops through an
 * index, never by reading jobs one by one. They live in the arena.
 */
#ifndef NAMES_H
#define NAMES_H

#include "db/db.h"

struct names {
	const char **list;
	size_t count;
};

/* The queues that jobs, also finished ones, are in, and then those that are paused. */
enum status names_of_queues(struct db *db, struct arena *arena, struct names *names,
			    struct error *error) MUST_CHECK;

/* The classes of such jobs; at most 1,000. */
enum status names_of_classes(struct db *db, struct arena *arena, struct names *names,
			     struct error *error) MUST_CHECK;

/* The queues and patterns that are paused. */
enum status names_of_paused(struct db *db, struct arena *arena, struct names *names,
			    struct error *error) MUST_CHECK;

#endif
