/*
 * What stands against the deployment, as its leader remembers it: from when it was said until its
 * end was told. So another leader says nothing twice, and goes on where this one was.
 */
#ifndef KEPT_H
#define KEPT_H

#include "db/db.h"

/* A finding in the words of when it began. Texts are never NULL; "" is none. */
struct kept {
	int64_t id;
	const char *name;
	const char *subject;
	const char *queue;
	int64_t since; /* 0 = not known; this and the following by the database's clock */
	const char *text;
	const char *advice;
	bool dead;
	int64_t began_at;
	int64_t away_since; /* it is not found any more; 0 = it is */
	int64_t ended_at;   /* it was said that it is over; 0 = it stands */
	bool told;          /* on_alarm has heard that it began */
};

struct kept_list {
	struct kept *list; /* in the order in which they began */
	size_t count;
};

/* Everything is in the arena. */
enum status kept_read(struct db *db, struct arena *arena, struct kept_list *kept,
		      struct error *error) MUST_CHECK;

/* Each is a write of the leader of this epoch. NONE: others lead. After any failure: again. */

/* Remembers one that has begun just now, unless it is remembered. */
enum status kept_begin(struct db *db, int64_t epoch, const struct kept *kept,
		       struct error *error) MUST_CHECK;

/* Writes away_since, ended_at and told. */
enum status kept_mark(struct db *db, int64_t epoch, const struct kept *kept,
		      struct error *error) MUST_CHECK;

enum status kept_forget(struct db *db, int64_t epoch, const struct kept *kept,
			struct error *error) MUST_CHECK;

#endif
