/* For the files that put the findings together: what has been read, and what was found so far. */
#ifndef FINDINGS_LOOK_H
#define FINDINGS_LOOK_H

#include "queue/claim/heads.h"
#include "show/show.h"

struct look {
	struct db *db;
	struct arena *arena;
	const struct findings_request *request;
	struct servers servers;
	struct queue_heads heads;
	struct recurring_row *tasks;
	size_t task_count;
	struct gone *gone; /* the latest first */
	size_t gone_count;
	struct findings *findings;
};

static inline void findings_add(struct look *look, struct finding finding)
{
	struct findings *findings = look->findings;

	findings->list =
		arena_extend(look->arena, findings->list, findings->count, sizeof(finding));
	findings->list[findings->count++] = finding;
}

/* Of processes that ended without a word, and of hosts. */
enum status findings_add_hosts(struct look *look, struct error *error) MUST_CHECK;

#endif
