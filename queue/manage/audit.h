/*
 * The audit trail: what people have done to queues and jobs. Pausing and resuming write their line
 * in the same transaction. What takes many transactions writes it before the first one, so that
 * nothing is done without a line; each of them adds what it did to the line's count, and at the end
 * it says what has come of it. A line that was only begun belongs to somebody who is at it still,
 * or who was killed; its count is right all the same.
 */
#ifndef QUEUE_AUDIT_H
#define QUEUE_AUDIT_H

#include "queue/look/job.h"

struct audit {
	int64_t id;
	const char *action; /* "retry" */
	const char *target; /* to what, for people: "failed jobs of class A", "1 3 99" */
	const char *reason; /* NULL = none */
	const char *who;
	const char *host;
	int64_t count;     /* how many jobs or queues */
	const char *state; /* "begun", "done", "interrupted" */
	int64_t at;
};

/* Writes the line (action, target, reason, who, host) and sets its id. */
enum status audit_begin(struct db *db, struct audit *audit, struct error *error) MUST_CHECK;

/*
 * `count` below 0: the line says it already, because each transaction of the action has added its
 * own. NONE: the line is gone.
 */
enum status audit_end(struct db *db, int64_t id, int64_t count, bool done,
		      struct error *error) MUST_CHECK;

/*
 * A call for the transaction that does it: `count` more. Its values are in the arena. Line 0: the
 * call does nothing.
 */
struct db_call audit_add(struct arena *arena, int64_t id, int64_t count);

struct audit_filter {
	int64_t since;      /* 0 = ever */
	const char *action; /* NULL = any */
	int64_t before;     /* ids below; 0 = from the latest */
	int limit;          /* 0 = 50 */
};

/* The latest first. */
enum status audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
		       struct audit **out, size_t *count, struct error *error) MUST_CHECK;

/* Deletes lines that are older than that. */
#define AUDIT_KEPT_DAYS 90
enum status audit_clear(struct db *db, struct error *error) MUST_CHECK;

#endif
