/*
 * Schedulers with different files on one database, permanently or during a deployment. A task that
 * is missing from one file must not be deleted while another live scheduler has it. Schedulers
 * report their tasks in their process rows.
 */
#ifndef QUEUE_RECURRING_SHARE_H
#define QUEUE_RECURRING_SHARE_H

#include "queue/processes/loss.h"

/* The tasks of the other live schedulers. */
struct recurring_others {
	const char **keys;
	size_t count;
	size_t ours;      /* so many of them, the first, come from files of dray schedulers */
	bool partial;     /* a dray scheduler may have more than it reports */
	const char *name; /* of a dray scheduler; NULL = there is none */
};

/* patience->self is left out. Everything in the arena. */
enum status recurring_others_read(struct db *db, struct arena *arena, const struct prune *patience,
				  struct recurring_others *others, struct error *error) MUST_CHECK;

/* A task that a scheduler of other software may have, too; such a scheduler ignores pauses. */
struct recurring_elsewhere {
	const char *key;
	const char *scheduler; /* result: the name of a live one, or NULL */
};

/* The name is in the arena. */
enum status recurring_elsewhere(struct db *db, struct arena *arena, const struct prune *patience,
				struct recurring_elsewhere *elsewhere,
				struct error *error) MUST_CHECK;

/* Appends a key. */
void recurring_others_add(struct arena *arena, struct recurring_others *others, const char *key);

#endif
