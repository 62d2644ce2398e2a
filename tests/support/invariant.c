#include "tests/support/invariant.h"

#include "db/operations.h"
#include "tests/support/test.h"

void test_invariant(struct db *db)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	struct error error = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(invariant), &rows, &error);

	for (size_t i = 0; i < rows.count; i++)
		print_error("INVARIANT: %s: %s jobs, for example %s\n",
			    db_text(&rows, i, INVARIANT_PROBLEM), db_text(&rows, i, INVARIANT_JOBS),
			    db_text(&rows, i, INVARIANT_EXAMPLE));
	size_t problems = rows.count;
	arena_free(arena);
	assert_ok(status, &error);
	assert_int_equal(problems, 0);
}
