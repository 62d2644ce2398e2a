/* Lists of values: the texts that a database gets, and the parts that fit into a packet. */
#include "common/text/text.h"
#include "db/driver.h"
#include "db/operations.h"
#include "tests/support/test.h"

static const char *bound(struct arena *arena, enum db_dialect dialect, struct db_value value)
{
	const struct db_value values[] = { P_INT(1), value };
	const struct db_value *list = list_bind(arena, dialect, values, 2);

	assert_int_equal(list[0].number, 1);
	assert_int_equal(list[1].type, DB_TEXT);
	return list[1].text;
}

ARENA_CASE(test_ids_and_texts)
{
	static const int64_t ids[] = { 7, -1, INT64_MIN };
	static const char *const texts[] = { "a", "\"b\"" };

	assert_string_equal(bound(arena, DB_POSTGRESQL, P_IDS(ids, 3)),
			    "{7,-1,-9223372036854775808}");
	assert_string_equal(bound(arena, DB_POSTGRESQL, P_IDS(NULL, 0)), "{}");
	assert_string_equal(bound(arena, DB_MYSQL, P_IDS(ids, 2)), "[7,-1]");
	assert_string_equal(bound(arena, DB_SQLITE, P_IDS(NULL, 0)), "[]");
	assert_string_equal(bound(arena, DB_POSTGRESQL, P_TEXTS(texts, 2)),
			    "[\"a\",\"\\\"b\\\"\"]");
}

ARENA_CASE(test_values_without_lists_stay)
{
	const struct db_value values[] = { P_TEXT("a"), P_NULL };

	assert_true(list_bind(arena, DB_SQLITE, values, 2) == values);
	assert_null(list_bind(arena, DB_SQLITE, NULL, 0));
}

/* What is NULL, or left out, is not there. */
ARENA_CASE(test_rows)
{
	struct db_list list = { .arena = arena };
	struct db_part second = { .first = 1, .count = 1 };

	assert_string_equal(bound(arena, DB_SQLITE, P_ROWS(&list)), "[]");
	DB_ADD(&list, claim_row, .id = P_INT(3), .process_id = P_NULL,
	       .created_at = P_TIME(INT64_C(1767225600) * CLOCK_SECOND));
	DB_ADD(&list, claim_row, .job_id = P_BOOL(true), .created_at = P_TEXT("\n"));
	DB_ADD(&list, claim_row, .created_at = P_TEXT(NULL));
	assert_string_equal(bound(arena, DB_POSTGRESQL, P_ROWS(&list)),
			    "[{\"id\":3,\"created_at\":\"2026-01-01 00:00:00\"},"
			    "{\"job_id\":1,\"created_at\":\"\\n\"},{}]");
	assert_string_equal(bound(arena, DB_MYSQL, P_PART(&list, second)),
			    "[{\"job_id\":1,\"created_at\":\"\\n\"}]");
}

/* A part ends where either list has enough, and every row is in one. */
ARENA_CASE(test_parts)
{
	char *large = arena_alloc(arena, ((size_t)3 << 20) + 1);
	struct db_list list = { .arena = arena };
	struct db_list beside = { .arena = arena };
	struct db_part part = { 0 };

	memset(large, 'x', (size_t)3 << 20);
	assert_false(db_part_next(&part, &list, NULL));
	for (int i = 0; i < 5; i++) {
		DB_ADD(&list, found_row, .active_job_id = P_TEXT(i < 2 ? large : "a"));
		DB_ADD(&beside, found_row, .active_job_id = P_TEXT(i < 2 ? "a" : large));
	}
	static const unsigned alone[][2] = { { 0, 2 }, { 2, 3 } };
	for (size_t i = 0; i < 2; i++) {
		assert_true(db_part_next(&part, &list, NULL));
		assert_int_equal(part.first, alone[i][0]);
		assert_int_equal(part.count, alone[i][1]);
	}
	assert_false(db_part_next(&part, &list, NULL));
	part = (struct db_part){ 0 };
	static const unsigned both[][2] = { { 0, 2 }, { 2, 2 }, { 4, 1 } };
	for (size_t i = 0; i < 3; i++) {
		assert_true(db_part_next(&part, &list, &beside));
		assert_int_equal(part.first, both[i][0]);
		assert_int_equal(part.count, both[i][1]);
	}
	assert_false(db_part_next(&part, &list, &beside));
}

/* What counts is the JSON, in which a quote takes two bytes. */
ARENA_CASE(test_parts_of_quotes)
{
	char *quotes = arena_alloc(arena, ((size_t)2 << 20) + 1);
	struct db_list list = { .arena = arena };
	struct db_part part = { 0 };

	memset(quotes, '"', (size_t)2 << 20);
	for (int i = 0; i < 2; i++)
		DB_ADD(&list, found_row, .active_job_id = P_TEXT(quotes));
	assert_true(db_part_next(&part, &list, NULL));
	assert_int_equal(part.count, 1);
}
