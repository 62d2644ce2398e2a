/*
 * Does other software, that is Rails, work with the same tables? What may be decided differently
 * then is decided by this one question.
 */
#ifndef QUEUE_SHARED_H
#define QUEUE_SHARED_H

#include "db/db.h"

struct shared {
	bool shared;
	int64_t others;  /* processes of other software */
	const char *why; /* "Rails made them" or what else speaks for it; NULL = nothing does */
};

/* The text is in the arena. */
enum status shared_look(struct db *db, struct arena *arena, struct shared *shared,
			struct error *error) MUST_CHECK;

/* Is a process with this metadata (may be NULL) one of dray's? */
bool shared_is_ours(const char *metadata);

#endif
