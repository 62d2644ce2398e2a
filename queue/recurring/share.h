/*
 * Schedulers with different files on one database, for good or while a deployment replaces one by
 * the other: what a file has not is not to be deleted while another scheduler that lives has it.
 * Schedulers say in their process rows which tasks they have.
 */
#ifndef QUEUE_RECURRING_SHARE_H
#define QUEUE_RECURRING_SHARE_H

#include "queue/processes/loss.h"

/* The tasks of schedulers that live, beside one's own. */
struct recurring_others {
	const char **keys;
	size_t count;
	size_t ours;      /* the first so many are of files of schedulers of dray */
	bool partial;     /* one of dray's may have more than it says */
	const char *name; /* of one of dray's; NULL = there is none */
};

/* patience->self is left out. Everything in the arena. */
enum status recurring_others_read(struct db *db, struct arena *arena, const struct prune *patience,
				  struct recurring_others *others, struct error *error) MUST_CHECK;

/* A task that a scheduler of other software may have, too, which heeds no pause of ours. */
struct recurring_elsewhere {
	const char *key;
	const char *scheduler; /* found: the name of one that lives, or NULL */
};

/* The name is in the arena. */
enum status recurring_elsewhere(struct db *db, struct arena *arena, const struct prune *patience,
				struct recurring_elsewhere *elsewhere,
				struct error *error) MUST_CHECK;

/* One key more, behind the others'. */
void recurring_others_add(struct arena *arena, struct recurring_others *others, const char *key);

#endif
