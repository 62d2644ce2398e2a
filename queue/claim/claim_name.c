#include "queue/claim/claim_name.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/invariant.h"
#include "common/order.h"
#include "db/operations.h"

int claim_name_compare(const void *left, const void *right)
{
	const struct claim_name *a = left;
	const struct claim_name *b = right;
	int result = order_numbers(a->id, b->id);

	if (result == 0)
		result = order_numbers(a->job_id, b->job_id);
	if (result == 0)
		result = order_numbers(a->process_id, b->process_id);
	return result == 0 ? order_numbers(a->claimed_at, b->claimed_at) : result;
}

bool claim_name_among(const struct claim_name names[], size_t count, const struct claim_name *name)
{
	return count > 0 && bsearch(name, names, count, sizeof(*names), claim_name_compare);
}

struct claim_name claim_name_read(const struct db_rows *rows, size_t row, size_t column)
{
	return (struct claim_name){ .id = db_int(rows, row, column + CLAIM_NAME_ID),
				    .job_id = db_int(rows, row, column + CLAIM_NAME_JOB_ID),
				    .process_id = db_int(rows, row, column + CLAIM_NAME_PROCESS_ID),
				    .claimed_at =
					    db_time(rows, row, column + CLAIM_NAME_CLAIMED_AT) };
}

struct db_list *claim_list(struct arena *arena, const struct claim_name names[], size_t count)
{
	struct db_list *list = arena_alloc(arena, sizeof(*list));

	list->arena = arena;
	for (size_t i = 0; i < count; i++)
		claim_list_add(list, &names[i]);
	return list;
}

void claim_list_add(struct db_list *list, const struct claim_name *name)
{
	DB_ADD(list, claim_row, .id = P_INT(name->id), .job_id = P_INT(name->job_id),
	       .process_id = P_INT(name->process_id), .created_at = P_TIME(name->claimed_at));
}

void claim_token(const struct claim_name *name, char text[CLAIM_TOKEN_SIZE])
{
	const int length = snprintf(text, CLAIM_TOKEN_SIZE, "%016lld-%lld-%lld-%lld",
				    (long long)name->claimed_at, (long long)name->id,
				    (long long)name->job_id, (long long)name->process_id);

	INVARIANT(length > 0 && length < CLAIM_TOKEN_SIZE);
}
