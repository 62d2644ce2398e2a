/*
 * queue/claim/: from ready to claimed, and from claimed to the end of the run.
 *
 * From ready to claimed: which jobs a worker takes, and in what order.
 */
#ifndef CLAIM_H
#define CLAIM_H

#include "queue/claim/claim_name.h"
#include "queue/look/job.h"

/*
 * A worker's choice of queues: "*" (all), "name", "prefix*", in order of preference
 * (docs/internals/solid-queue.md, 2.5). Once "*" is among them the order does not matter: all
 * queues are one, ordered by priority.
 */
struct selector_entry {
	const char *name; /* without the "*" */
	size_t length;
	bool prefix;
};

struct selector {
	bool all;
	struct selector_entry *entries;
	size_t count;
	const char *text; /* "a,b*" as written, for metadata */
	const char *json; /* for the database, which does the matching: it knows its collation */
};

/* INVALID for an entry with "*" elsewhere than at its end, or empty. */
enum status selector_compile(struct arena *arena, const char *const queues[], size_t count,
			     struct selector *selector, struct error *error) MUST_CHECK;

/* A claim of one run of one job. */
struct claim {
	int64_t id; /* claimed_executions.id: names it together with the rest of claim_name */
	int64_t claimed_at; /* claimed_executions.created_at */
	struct job job;     /* process_id: who claimed it */
};

static inline struct claim_name claim_name(const struct claim *claim)
{
	return (struct claim_name){ .id = claim->id,
				    .job_id = claim->job.id,
				    .process_id = claim->job.process_id,
				    .claimed_at = claim->claimed_at };
}

/*
 * Before this place in a queue's order there are only jobs of classes that are not ours. It holds
 * for a moment only: what is retried, released or more urgent may come to stand before it.
 */
struct claim_place {
	uint64_t queue; /* hash of the name; 0 = none */
	int64_t priority;
	int64_t job_id;
	int64_t until; /* clock_monotonic */
};

#define CLAIM_PLACES 64

/*
 * The part of the order over all queues that claims beside something paused walk through: it has
 * an end, because any number of paused jobs may stand there. It, too, holds for a moment only.
 */
struct claim_walk {
	int64_t from_priority, from_job;
	int64_t to_priority, to_job; /* before it; past all jobs when there are not so many */
	int64_t newest_pause;        /* of those that it knows of */
	int64_t until;               /* clock_monotonic */
	bool inside;                 /* only paused jobs stood before it */
	bool ends;                   /* there were more behind it */
};

/* What the database said last; the database decides, and this which way to claim is the cheap one.
 */
enum claim_paused {
	CLAIM_NOTHING_PAUSED,
	CLAIM_QUEUES_PAUSED,
	CLAIM_PATTERNS_PAUSED,
	CLAIM_CLASSES_PAUSED
};

/* Jobs that have been lost so often are passed: their next loss fails them. */
struct claim_spare {
	bool on;
	int64_t max_losses;
	const char *bounds; /* JSON [{"class_name", "max_losses"}]: classes that differ */
};

struct claim_request {
	const struct selector *selector;
	int64_t process_id;
	size_t limit;
	const char *const *only_classes; /* with unknown_classes: leave; NULL = every class */
	size_t only_count;
	const char *const *other_classes; /* that are never taken */
	size_t other_count;
	struct claim_spare spare; /* claim_spare_lost switches it */
	/* In and out, remembered from one call to the next: */
	enum claim_paused paused;
	bool idle;          /* nothing was found: look without locking before claiming again */
	int64_t deep_until; /* many jobs that are paused stand first; clock_monotonic */
	struct claim_walk walk;
	size_t paused_queues; /* when a walk was planned last */
	struct claim_place places[CLAIM_PLACES];
};

/* One claiming under way; its claims grow in the arena. */
struct claiming {
	struct db *db;
	struct arena *arena;
	struct claim_request *request;
	struct db_call call; /* what claim_prepare wants run */
	struct db_value values[11];
	bool asks;            /* first of all which queues have something to claim */
	struct claim *claims; /* result */
	size_t count;
};

/* From now on jobs on their last chance are passed, or taken again. */
void claim_spare_lost(struct claim_request *request, bool on);

/*
 * After an empty poll most polls are empty: looks whether there may be something to claim, without
 * locking anything, so that the database is spared a transaction that on SQLite would hold off
 * every other process. A worker that is not `idle` only looks when it does not know what stands
 * before its own jobs. *anything is true without a look when claim_prepare's script looks itself.
 */
enum status claim_look(struct claiming *claiming, bool idle, bool *anything,
		       struct error *error) MUST_CHECK;

/*
 * Fills claiming->call with the one script that claims, or, where that needs more than one, with
 * the question which queues have something to claim. It may run in one transaction with others.
 */
void claim_prepare(struct claiming *claiming);

/*
 * Takes what claiming->call returned and claims queue by queue where that is needed, each in its
 * own transaction. Not OK only when there may be claims of ours that we do not know (UNCERTAIN).
 */
enum status claim_take(struct claiming *claiming, struct error *error) MUST_CHECK;

#endif
