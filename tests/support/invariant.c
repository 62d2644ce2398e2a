#include "tests/support/invariant.h"

#include "tests/support/test.h"

void test_invariant(struct db *db)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	struct error error = { 0 };
	enum status status = db_query(db, arena, "invariant", NULL, 0, &rows, &error);

	for (size_t i = 0; i < rows.count; i++)
		print_error("INVARIANT: %s: %s jobs, for example %s\n", db_text(&rows, i, 0),
			    db_text(&rows, i, 1), db_text(&rows, i, 2));
	size_t problems = rows.count;
	arena_free(arena);
	assert_ok(status, &error);
	assert_int_equal(problems, 0);
}
