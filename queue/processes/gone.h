/*
 * Dead processes that are remembered: those that were buried or pruned, recorded in the transaction
 * that did so (process_lose). A process that left in good order is not among them.
 */
#ifndef QUEUE_GONE_H
#define QUEUE_GONE_H

#include "queue/look/job.h"

#define GONE_KEPT CLOCK_HOUR
#define GONE_MOST 1000

struct gone {
	int64_t process_id;
	const char *kind;
	const char *name;
	const char *hostname; /* NULL = not known */
	int64_t pid;
	int64_t last_heartbeat_at;
	/* gone_list only: */
	const char *how; /* a sentence: "Exited with status 1." */
	int64_t released;
	int64_t failed;
	int64_t at;
};

/* The living process's row with this name. NONE when there is no such row. */
enum status gone_find(struct db *db, struct arena *arena, const char *name, struct gone *gone,
		      struct error *error) MUST_CHECK;

/* Those of the last hour (GONE_KEPT), the latest first, at most GONE_MOST. */
enum status gone_list(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error) MUST_CHECK;

/* Adds "Worker worker-1 (host-1, pid 7)" to a list, or "..." when there is no room. */
void gone_name(const struct gone *gone, char *list, size_t size);

/* Deletes some older ones; *more: there may be more of them. */
enum status gone_clear(struct db *db, bool *more, struct error *error) MUST_CHECK;

#endif
