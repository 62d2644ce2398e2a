/*
 * Tables that Rails has made are adopted: recorded, and nothing of them altered. Databases of
 * before the first release, whose migrations 000 to 018 have become 019, are taken over.
 */
#include "db/schema/schema.h"
#include "db/scripts/dialect.h"
#include "tests/support/invariant.h"
#include "tests/support/sites/process.h"
#include "tests/support/sites/rails.h"

#define MIGRATIONS test_migrations()

#define PROCESSES 8
#define BEFORE    18 /* the last one that was never released */

static void assert_whole(struct test_db *test, bool adopted)
{
	struct schema_migration *list;
	const char **differences;
	size_t count;

	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS);
	assert_int_equal(list[0].number, BEFORE + 1);
	assert_true(list[0].applied && list[0].adopted == adopted);
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
	assert_whole(test, true);
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

/* However many try it, one does it. */
static void assert_one_migrates(struct test_db *test)
{
	int results[PROCESSES];
	int workers = 0;

	const char *before = test_rails_dump(test);
	test_fork_all(&(struct test_function){ migrate_in_child, test }, PROCESSES, results,
		      CLOCK_MINUTE);
	for (size_t i = 0; i < PROCESSES; i++) {
		assert_true(results[i] == 0 || results[i] == MIGRATIONS);
		workers += results[i] == MIGRATIONS;
	}
	assert_int_equal(workers, 1);
	assert_string_equal(test_rails_dump(test), before);
	assert_whole(test, true);
}

DB_CASE_ON_EMPTY(test_at_once)
{
	test_rails_tables(test);
	assert_one_migrates(test);
}

DB_CASE(test_one_of_before_at_once)
{
	test_rows_before(test->db, BEFORE, true);
	assert_one_migrates(test);
}

static void take_over(struct test_db *test, bool adopted)
{
	struct schema_migration *list;
	size_t count;

	test_rows_before(test->db, BEFORE, adopted);
	must_say("schema.behind", STATUS_INVALID, schema_require, test->db);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, BEFORE + 1 + MIGRATIONS);
	assert_true(list[BEFORE].applied && list[BEFORE].number == BEFORE);
	assert_false(list[BEFORE + 1].applied);
	const char *before = test_rails_dump(test);
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
	assert_int_equal(test_migrate(test->db, test->arena), 0);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS);
	assert_true(list[0].applied_at > db_now(test->db) - CLOCK_HOUR);
	assert_string_equal(test_rails_dump(test), before);
	assert_whole(test, adopted);
	assert_string_equal(sql_text(test, "SELECT count(*) FROM dray_losses"), "1\n");
	assert_string_equal(sql_text(test, "SELECT name FROM dray_pauses"), "a\n");
}

DB_CASE(test_all_of_them_are_taken_over)
{
	sql_do(test,
	       "INSERT INTO solid_queue_jobs (queue_name, class_name, finished_at, created_at, "
	       "updated_at) VALUES ('a', 'A', '2026-01-01 00:00:00', '2026-01-01 00:00:00', "
	       "'2026-01-01 00:00:00');INSERT INTO dray_losses (job_id, losses, last_lost_at) "
	       "SELECT id, 1, created_at FROM solid_queue_jobs;INSERT INTO dray_pauses (kind, "
	       "name, created_at) VALUES ('queue', 'a', '2026-02-01 00:00:00');");
	take_over(test, false);
	take_over(test, true);
	test_invariant(test->db);
}

/* Cut off after any statement it has not begun, or is over. */
DB_CASE_ONLY(test_cut_off, "mysql mariadb")
{
	const char *text = sql_find("schema/take_over", DB_MYSQL);
	size_t statements = 0;

	for (const char *end = strstr(text, ";\n"); end; end = strstr(end + 1, ";\n")) {
		test_rows_before(test->db, BEFORE, true);
		struct db *db = test_db_open(test->url);
		test_execute(db, arena_strndup(test->arena, text, (size_t)(end - text) + 1));
		db_close(db);
		assert_int_equal(test_migrate(test->db, test->arena),
				 MIGRATIONS - (end[2] == '\0'));
		assert_whole(test, true);
		statements++;
	}
	assert_int_equal(statements, 4);
}

static void assert_refused(struct test_db *test)
{
	static const char rows[] = "SELECT version, name, applied_at, adopted FROM dray_migrations "
				   "ORDER BY version";
	const char *before = sql_text(test, "%s", rows);
	size_t applied;

	must_be(STATUS_INVALID, schema_require, test->db);
	must_be(STATUS_INVALID, schema_migrate, test->db, test->arena, &applied);
	assert_string_equal(sql_text(test, "%s", rows), before);
}

DB_CASE(test_any_other_is_refused)
{
	test_rows_before(test->db, 0, false);
	assert_refused(test);
	test_rows_before(test->db, BEFORE - 1, true);
	must_say("schema.unreleased", STATUS_INVALID, schema_require, test->db);
	assert_refused(test);
	test_rows_before(test->db, BEFORE, false);
	test_execute(test->db, "UPDATE dray_migrations SET applied_at = NULL WHERE version = 18");
	assert_refused(test);
	test_rows_before(test->db, BEFORE, false);
	test_execute(test->db, "DELETE FROM dray_migrations WHERE version = 5");
	assert_refused(test);
	test_rows_before(test->db, BEFORE + 1, false);
	assert_refused(test);
}
