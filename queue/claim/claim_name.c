#include "queue/claim/claim_name.h"

#include <stdio.h>
#include <stdlib.h>

#include "common/clock.h"
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

void claim_time_add(struct text *json, const char *key, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_short(instant, text);
	text_json_member(json, key, text);
}

static void add_numbers(struct text *json, const struct claim_name *name)
{
	text_printf(json, "\"id\":%lld,\"job_id\":%lld,\"process_id\":%lld", (long long)name->id,
		    (long long)name->job_id, (long long)name->process_id);
}

void claim_name_add(struct text *json, const struct claim_name *name)
{
	add_numbers(json, name);
	claim_time_add(json, "created_at", name->claimed_at);
}

static const char *take(struct arena *arena, struct text *json)
{
	text_add(json, json->length == 0 ? "[]" : "]");
	return text_take(json, arena);
}

const char *claim_names_json(struct arena *arena, const struct claim_name names[], size_t count)
{
	struct text json = { 0 };

	for (size_t i = 0; i < count; i++) {
		text_add(&json, i == 0 ? "[{" : ",{");
		claim_name_add(&json, &names[i]);
		text_add(&json, "}");
	}
	return take(arena, &json);
}

void claim_row_add(struct text *json, const struct db_rows *rows, size_t row)
{
	const struct claim_name name = claim_name_read(rows, row, 0);

	add_numbers(json, &name);
	text_json_member(json, "created_at", db_text(rows, row, CLAIM_NAME_CLAIMED_AT));
}

const char *claim_rows_json(struct arena *arena, const struct db_rows *rows, size_t first,
			    size_t end)
{
	struct text json = { 0 };

	for (size_t i = first; i < end; i++) {
		text_add(&json, i == first ? "[{" : ",{");
		claim_row_add(&json, rows, i);
		text_add(&json, "}");
	}
	return take(arena, &json);
}

void claim_token(const struct claim_name *name, char text[CLAIM_TOKEN_SIZE])
{
	const int length = snprintf(text, CLAIM_TOKEN_SIZE, "%016lld-%lld-%lld-%lld",
				    (long long)name->claimed_at, (long long)name->id,
				    (long long)name->job_id, (long long)name->process_id);

	INVARIANT(length > 0 && length < CLAIM_TOKEN_SIZE);
}
