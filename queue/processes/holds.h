/* Which jobs processes have claimed: for people who wait for these processes to leave. */
#ifndef HOLDS_H
#define HOLDS_H

#include "queue/look/job.h"

struct held {
	int64_t job;
	const char *class_name;
};

/* Those of the process with this name, by number; in the arena. */
enum status holds_read(struct db *db, struct arena *arena, const char *name, struct held **list,
		       size_t *count, struct error *error) MUST_CHECK;

/* Those of all these processes: "job 17 (Sleep), job 18 (Sleep) and 3 more"; NULL = none. */
enum status holds_describe(struct db *db, struct arena *arena, const char *const names[],
			   size_t count, const char **text, struct error *error) MUST_CHECK;

#endif
