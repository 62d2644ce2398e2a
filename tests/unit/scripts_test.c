/* The operations of one struct db: each is rendered once, and all of them have room. */
#include "db/scripts/dialect.h"
#include "tests/support/test.h"

static const struct script *find(struct scripts *scripts, const char *name)
{
	const struct script *script = NULL;

	must(scripts_find, scripts, name, &script);
	return script;
}

CASE(test_all_have_room)
{
	for (enum db_dialect dialect = 0; dialect < DB_DIALECTS; dialect++) {
		struct scripts scripts = { .arena = arena_new(), .dialect.kind = dialect };
		for (size_t i = 0; i < sql_file_count; i++)
			if (!strchr(sql_files[i].name, '/') &&
			    sql_find(sql_files[i].name, scripts.dialect.kind) == sql_files[i].text)
				assert_ptr_equal(find(&scripts, sql_files[i].name),
						 find(&scripts, sql_files[i].name));
		assert_true(scripts.count > 128);
		bool *seen = arena_array(scripts.arena, scripts.statements + 1, sizeof(*seen));
		for (size_t i = 0; i < scripts.count; i++)
			for (unsigned j = 0; j < scripts.list[i]->statement_count; j++) {
				unsigned id = scripts.list[i]->statements[j].id;
				assert_in_range(id, 1, scripts.statements);
				assert_false(seen[id]);
				seen[id] = true;
			}
		arena_free(scripts.arena);
	}
}

/* Drivers have tables by these numbers: a program that opens a thousand times needs no more. */
CASE(test_numbers_begin_anew)
{
	for (int i = 0; i < 1000; i++) {
		struct scripts scripts = { .arena = arena_new(), .dialect.kind = DB_SQLITE };
		const struct script *asked = NULL;
		assert_int_equal(find(&scripts, "clock")->statements[0].id, 1);
		must(scripts_ask, &scripts, "SELECT 1;", &asked);
		assert_int_equal(asked->statements[0].id, 2);
		assert_int_equal(find(&scripts, "schema_applied")->statements[0].id, 3);
		arena_free(scripts.arena);
	}
}

CASE(test_no_such_operation)
{
	struct scripts scripts = { .arena = arena_new(), .dialect.kind = DB_SQLITE };
	const struct script *script = NULL;

	must_be(STATUS_FATAL, scripts_find, &scripts, "clam", &script);
	assert_int_equal(scripts.count, 0);
	arena_free(scripts.arena);
}
