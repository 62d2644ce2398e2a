/*
 * Does other software, that is Rails, work with the same tables? Everything that depends on this is
 * decided by this one question. A process that was seen once is remembered (dray_others), because
 * processes that are down for a deployment return to their jobs.
 */
#ifndef QUEUE_SHARED_H
#define QUEUE_SHARED_H

#include "db/db.h"

struct shared {
	bool shared;
	int64_t others;  /* processes of other software */
	const char *why; /* "Rails made them" or other evidence; NULL = there is none */
};

/*
 * Only reads. other_class: one that jobs.yml leaves to other software (config_other_class); NULL =
 * none. The text is in the arena.
 */
enum status shared_look(struct db *db, struct arena *arena, const char *other_class,
			struct shared *shared, struct error *error) MUST_CHECK;

/* Remembers the processes that are registered now; once one is remembered, this is only a read. */
enum status shared_remember(struct db *db, struct error *error) MUST_CHECK;

/* Remembers this one, in the transaction that deletes its row. The values are in the arena. */
struct db_call shared_seen(struct db *db, struct arena *arena, const char *kind, const char *name);

/* Is a process with this metadata (may be NULL) one of dray's? */
bool shared_is_ours(const char *metadata);

#endif
