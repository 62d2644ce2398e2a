/*
 * The audit trail: what people have done to queues and jobs. Pausing and resuming write their line
 * in the same transaction. An action of many transactions writes its line before the first one, so
 * that nothing is done without a line; each transaction adds its number of jobs to the line's
 * count, and at the end the result is added. A line that was only begun belongs to an action that
 * is still in progress, or that was killed; its count is right in either case.
 */
#ifndef QUEUE_AUDIT_H
#define QUEUE_AUDIT_H

#include "queue/look/job.h"

struct audit {
	int64_t id;
	const char *action; /* "retry" */
	const char *target; /* what was acted on, for people: "failed jobs of class A", "1 3 99" */
	const char *reason; /* NULL = none */
	const char *who;
	const char *host;
	int64_t count;     /* how many jobs or queues */
	const char *state; /* "begun", "done", "interrupted" */
	int64_t at;
};

/* Writes the line (action, target, reason, user, host) and sets its ID. */
enum status audit_begin(struct db *db, struct audit *audit, struct error *error) MUST_CHECK;

/*
 * `count` below 0: the transactions of the action have already added it. NONE: the line no longer
 * exists.
 */
enum status audit_end(struct db *db, int64_t id, int64_t count, bool done,
		      struct error *error) MUST_CHECK;

/* Adds the call that adds `count` to the line, for the transaction that does the work. Line 0: it
 * does nothing. */
void audit_add(struct db_calls *calls, int64_t id, int64_t count);

struct audit_filter {
	int64_t since;      /* 0 = from the beginning */
	const char *action; /* NULL = any */
	int64_t before;     /* IDs below it; 0 = from the latest */
	int limit;          /* 0 = 50 */
};

/* The latest first. */
enum status audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
		       struct audit **out, size_t *count, struct error *error) MUST_CHECK;

/* Deletes lines that are older than this. */
#define AUDIT_KEPT_DAYS 90
enum status audit_clear(struct db *db, struct error *error) MUST_CHECK;

#endif
