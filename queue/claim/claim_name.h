/*
 * What names one claim for good. A claim's number alone does not: after a failover to a replica
 * that lacked the last transactions, or from a restored backup, numbers are given out again that a
 * living worker still holds. Number, job, process and the time of the claim together do not come
 * back, so whatever is done to a claim is done to the row in which all four agree.
 */
#ifndef CLAIM_NAME_H
#define CLAIM_NAME_H

#include "db/db.h"

struct claim_name {
	int64_t id;         /* claimed_executions.id; 0 = none */
	int64_t job_id;     /* of the four columns of that row */
	int64_t process_id; /* 0 = NULL */
	int64_t claimed_at; /* created_at, microseconds */
};

/* For qsort and bsearch. */
int claim_name_compare(const void *left, const void *right);

/* Is it among these, which are sorted? */
bool claim_name_among(const struct claim_name names[], size_t count, const struct claim_name *name);

/* The four columns of a row, from `column` on. */
struct claim_name claim_name_read(const struct db_rows *rows, size_t row, size_t column);

/* A parameter `claims`, in the arena. */
struct db_list *claim_list(struct arena *arena, const struct claim_name names[], size_t count);
void claim_list_add(struct db_list *list, const struct claim_name *name);

#define CLAIM_TOKEN_SIZE 84

/*
 * The name as a text for those whom a job changes (a fencing token): the time comes first, in 16
 * digits, so that tokens of one job sort as its claims came.
 */
void claim_token(const struct claim_name *name, char text[CLAIM_TOKEN_SIZE]);

#endif
