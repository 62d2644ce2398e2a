/* Tables that Rails has made are adopted: recorded, and nothing of them altered. */
#include "db/schema/schema.h"
#include "tests/support/invariant.h"
#include "tests/support/sites/process.h"
#include "tests/support/sites/rails.h"

#define MIGRATIONS test_migrations()

#define PROCESSES 8

static void assert_adopted(struct test_db *test)
{
	struct schema_migration *list;
	const char **differences;
	size_t count;

	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS);
	assert_true(list[0].applied && !list[0].adopted);
	assert_string_equal(list[1].name, "solid_queue");
	assert_true(list[1].applied && list[1].adopted);
	must(schema_require, test->db);
	must(schema_verify, test->db, test->arena, &differences, &count);
	assert_int_equal(count, 0);
}

static void assert_nothing_altered(struct test_db *test)
{
	const char *before = test_rails_dump(test);

	assert_contains(before, "index_solid_queue_jobs_on_class_name");
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
	assert_string_equal(test_rails_dump(test), before);
	assert_adopted(test);
	assert_int_equal(test_migrate(test->db, test->arena), 0);
	test_invariant(test->db);
}

DB_CASE_ON_EMPTY(test_rails)
{
	test_rails_tables(test);
	assert_nothing_altered(test);
}

DB_CASE_ON_EMPTY(test_rails_with_batches)
{
	test_rails_tables(test);
	test_rails_batches(test);
	assert_nothing_altered(test);
}

/* Somebody's own index, wider column or missing index is theirs to keep; verify names it. */
DB_CASE_ON_EMPTY(test_with_differences)
{
	const char **differences;
	size_t count;

	test_rails_tables(test);
	test_execute(test->db, "DROP TABLE solid_queue_pauses;"
			       "CREATE TABLE solid_queue_pauses (id integer NOT NULL PRIMARY KEY, "
			       "queue_name varchar(300) NOT NULL, created_at date NOT NULL);");
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
	must(schema_require, test->db);
	must(schema_verify, test->db, test->arena, &differences, &count);
	assert_int_equal(count, 4);
}

/* Before 1.0 tables were fewer: such a database is refused and not touched. */
DB_CASE_ON_EMPTY(test_too_old)
{
	size_t applied = 99;

	test_rails_tables(test);
	test_execute(test->db, "DROP TABLE solid_queue_recurring_tasks;");
	const char *before = test_rails_dump(test);
	must_say("schema.too_old", STATUS_INVALID, schema_migrate, test->db, test->arena, &applied);
	assert_int_equal(applied, 99);
	assert_string_equal(test_rails_dump(test), before);
	must_be(STATUS_INVALID, schema_require, test->db);
}

/* A claim is named by its time, and rows of one transaction are found by theirs. */
DB_CASE_ON_EMPTY(test_coarse_times)
{
	static const char *const coarser[] = {
		[DB_POSTGRESQL] = "ALTER TABLE solid_queue_claimed_executions "
				  "ALTER created_at TYPE timestamp(0)",
		[DB_MYSQL] = "ALTER TABLE solid_queue_claimed_executions "
			     "MODIFY created_at datetime(3) NOT NULL",
	};
	enum db_dialect dialect = db_dialect_of(test->db);
	size_t applied = 99;

	test_rails_tables(test);
	if (dialect == DB_SQLITE) { /* it keeps every text as it is */
		assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
		return;
	}
	test_execute(test->db, coarser[dialect]);
	must_say("schema.coarse_times", STATUS_INVALID, schema_migrate, test->db, test->arena,
		 &applied);
	must_be(STATUS_INVALID, schema_require, test->db);
}

static int migrate_in_child(unsigned index, void *data)
{
	struct test_db own = *(struct test_db *)data;

	(void)index;
	own.db = test_db_open(own.url);
	return (int)test_migrate(own.db, own.arena);
}

DB_CASE_ON_EMPTY(test_at_once)
{
	int results[PROCESSES];
	int applied = 0;

	test_rails_tables(test);
	const char *before = test_rails_dump(test);
	test_fork_all(&(struct test_function){ migrate_in_child, test }, PROCESSES, results,
		      CLOCK_MINUTE);
	for (size_t i = 0; i < PROCESSES; i++) {
		assert_true(results[i] == 0 || results[i] == MIGRATIONS);
		applied += results[i];
	}
	assert_int_equal(applied, MIGRATIONS);
	assert_string_equal(test_rails_dump(test), before);
	assert_adopted(test);
}
