/*
 * Does other software, that is Rails, work with the same tables? What may be decided differently
 * then is decided by this one question. Whoever was seen once is remembered (dray_others), because
 * processes that are down for a deployment come back to their jobs.
 */
#ifndef QUEUE_SHARED_H
#define QUEUE_SHARED_H

#include "db/db.h"

struct shared {
	bool shared;
	bool past;       /* nothing speaks for it but what is remembered */
	int64_t others;  /* processes of other software */
	const char *why; /* "Rails made them" or what else speaks for it; NULL = nothing does */
};

/*
 * Only reads. other_class: one that jobs.yml leaves to other software (config_other_class); NULL =
 * none. The text is in the arena.
 */
enum status shared_look(struct db *db, struct arena *arena, const char *other_class,
			struct shared *shared, struct error *error) MUST_CHECK;

/* Remembers those who are registered now; once somebody is remembered, this is one read. */
enum status shared_remember(struct db *db, struct error *error) MUST_CHECK;

/* Remembers this one, in the transaction in which it goes. The values are in the arena. */
struct db_call shared_seen(struct db *db, struct arena *arena, const char *kind, const char *name);

/* Is a process with this metadata (may be NULL) one of dray's? */
bool shared_is_ours(const char *metadata);

#endif
