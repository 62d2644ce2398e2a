/* What Rails does to a shared database: `db:prepare`, schema files, dumps without our rows. */
#include "db/driver.h"
#include "db/schema/schema.h"
#include "db/scripts/dialect.h"
#include "tests/support/database.h"

#define MIGRATIONS test_migrations()

static void migrate(struct test_db *test, int expected)
{
	assert_int_equal(test_migrate(test->db, test->arena), expected);
}

static size_t mend(struct test_db *test)
{
	size_t mended = 99;

	must(schema_mend, test->db, test->arena, &mended);
	return mended;
}

static size_t differences(struct test_db *test, const char **first)
{
	const char **list;
	size_t count;

	must(schema_verify, test->db, test->arena, &list, &count);
	*first = count > 0 ? list[0] : "";
	return count;
}

static void assert_as_it_should_be(struct test_db *test)
{
	const char *first;

	if (differences(test, &first) > 0)
		fail_msg("%s", first);
	must(schema_require, test->db);
}

static const char *ask(struct test_db *test, const char *sql)
{
	return sql_text(test, "%s", sql);
}

/* Rails loads its schema file, dropping all jobs, where this table is missing. */
DB_CASE_ON_EMPTY(test_marker)
{
	migrate(test, MIGRATIONS);
	assert_string_equal(ask(test, "SELECT version FROM schema_migrations"), "1\n");
	assert_as_it_should_be(test);
	test_execute(test->db, "DROP TABLE schema_migrations");
	const char *first;
	assert_int_equal(differences(test, &first), 1);
	assert_string_equal(first, "schema_migrations: the table is missing");
	migrate(test, 0);
	assert_int_equal(mend(test), 1);
	assert_string_equal(ask(test, "SELECT version FROM schema_migrations"), "1\n");
	assert_as_it_should_be(test);
	assert_int_equal(mend(test), 0);
}

/* An application's own table is its own. */
DB_CASE_ON_EMPTY(test_marker_of_an_application)
{
	sql_do(test, "CREATE TABLE schema_migrations (version varchar(255) NOT NULL PRIMARY "
		     "KEY);INSERT INTO schema_migrations VALUES ('20260101000000'), "
		     "('20260102000000');");
	migrate(test, MIGRATIONS);
	assert_string_equal(ask(test, "SELECT version FROM schema_migrations ORDER BY 1"),
			    "20260101000000\n20260102000000\n");
	assert_as_it_should_be(test);
}

static void insert_job(struct test_db *test, const char *made, const char *key)
{
	sql_execute(test->db,
		    "INSERT INTO solid_queue_jobs (queue_name, class_name, concurrency_key, "
		    "created_at, updated_at) VALUES ('a', 'A', %s, '%s', '%s');",
		    key, made, made);
}

/* What PostgreSQL's DROP TABLE ... CASCADE takes with the tables that ours point to. */
static void drop_keys(struct test_db *test)
{
	const char *word = db_dialect_of(test->db) == DB_MYSQL ? "FOREIGN KEY" : "CONSTRAINT";

	sql_execute(test->db,
		    "ALTER TABLE dray_attempts DROP %s fk_dray_attempts_job_id;"
		    "ALTER TABLE dray_losses DROP %s fk_dray_losses_job_id;"
		    "ALTER TABLE dray_cancellations DROP %s fk_dray_cancellations_job_id;"
		    "ALTER TABLE dray_keys DROP %s fk_dray_keys_job_id;"
		    "ALTER TABLE dray_pauses DROP %s fk_dray_pauses_process_id;",
		    word, word, word, word, word);
}

/* Rows of jobs and processes that are gone go too, also where their number was given anew. */
DB_CASE_ONLY(test_keys_are_mended, "postgresql mysql mariadb")
{
	const char *first;

	assert_int_equal(mend(test), 0);
	drop_keys(test);
	assert_int_equal(differences(test, &first), 5);
	assert_string_equal(first, "dray_losses, foreign key (job_id): missing, expected "
				   "solid_queue_jobs (id) on delete cascade");
	insert_job(test, "2026-01-01 00:00:00", "'A/1'");
	insert_job(test, "2026-03-01 00:00:00", "NULL");
	sql_do(test, "INSERT INTO dray_losses (job_id, losses, last_lost_at) SELECT id, 1, "
		     "'2026-02-01 00:00:00' FROM solid_queue_jobs;INSERT INTO dray_losses "
		     "VALUES (700, 1, '2026-02-01 00:00:00', 0, 0);INSERT INTO dray_attempts "
		     "(job_id, attempt, claim_id, began_at, ended_at, outcome) SELECT id, 1, 1, "
		     "'2026-02-01 00:00:00', '2026-02-01 00:00:00', 'failed' FROM "
		     "solid_queue_jobs;INSERT INTO dray_cancellations (job_id, claim_id, "
		     "requested_at, requested_by) SELECT id, 1, '2026-02-01 00:00:00', "
		     "'ann@web' FROM solid_queue_jobs;INSERT INTO dray_keys (job_id, position, "
		     "concurrency_key) SELECT id, 1, 'B/1' FROM solid_queue_jobs;INSERT INTO "
		     "dray_keys (job_id, position, concurrency_key) VALUES (700, 1, "
		     "'B/1');INSERT INTO dray_pauses (kind, name, created_at) VALUES ('queue', "
		     "'a', '2026-02-01 00:00:00');INSERT INTO dray_pauses (kind, name, "
		     "process_id, created_at) VALUES ('process', 'w', 700, '2026-02-01 "
		     "00:00:00');");
	assert_int_equal(mend(test), 5);
	assert_as_it_should_be(test);
	assert_int_equal(mend(test), 0);
	assert_string_equal(ask(test, "SELECT count(*) FROM dray_attempts"), "1\n");
	assert_string_equal(ask(test, "SELECT j.concurrency_key FROM dray_losses l "
				      "JOIN solid_queue_jobs j ON j.id = l.job_id"),
			    "A/1\n");
	assert_string_equal(ask(test, "SELECT count(*) FROM dray_losses"), "1\n");
	assert_string_equal(ask(test, "SELECT count(*) FROM dray_cancellations"), "1\n");
	assert_string_equal(ask(test, "SELECT count(*) FROM dray_keys"), "1\n");
	assert_string_equal(ask(test, "SELECT name FROM dray_pauses"), "a\n");
}

DB_CASE(test_index_is_mended)
{
	const char *on = db_dialect_of(test->db) == DB_MYSQL ? " ON dray_slots" : "";

	sql_execute(test->db, "DROP INDEX index_dray_slots_on_job_id%s", on);
	assert_int_equal(mend(test), 1);
	assert_as_it_should_be(test);
}

/* Solid Queue's tables are Rails' to alter. */
DB_CASE(test_theirs_are_not_mended)
{
	const char *first;
	const char *on =
		db_dialect_of(test->db) == DB_MYSQL ? " ON solid_queue_ready_executions" : "";

	sql_execute(test->db, "DROP INDEX index_solid_queue_poll_all%s", on);
	assert_int_equal(mend(test), 0);
	assert_int_equal(differences(test, &first), 1);
}

/* As Rails 7.2 writes these two on each database: what it cannot say is lost. */
static void load_dump(struct test_db *test)
{
	static const char *const numbers[DB_DIALECTS] = {
		[DB_SQLITE] = "integer PRIMARY KEY AUTOINCREMENT NOT NULL",
		[DB_POSTGRESQL] = "serial PRIMARY KEY",
		[DB_MYSQL] = "int NOT NULL PRIMARY KEY",
	};
	static const char *const times[DB_DIALECTS] = {
		[DB_SQLITE] = "datetime(6)",
		[DB_POSTGRESQL] = "timestamp(6)",
		[DB_MYSQL] = "datetime(6)",
	};
	enum db_dialect dialect = db_dialect_of(test->db);

	migrate(test, MIGRATIONS);
	sql_execute(
		test->db,
		"DROP TABLE dray_migrations;"
		"CREATE TABLE dray_migrations (version %s, name varchar(255) NOT NULL, applied_at "
		"%s, adopted boolean DEFAULT %s NOT NULL);"
		"DROP TABLE dray_losses;"
		"CREATE TABLE dray_losses (job_id %s, losses integer NOT NULL, last_lost_at %s NOT "
		"NULL, FOREIGN KEY (job_id) REFERENCES solid_queue_jobs (id) ON DELETE CASCADE);",
		numbers[dialect], times[dialect], dialect == DB_POSTGRESQL ? "false" : "0",
		dialect == DB_SQLITE ? "integer PRIMARY KEY AUTOINCREMENT NOT NULL"
				     : "bigint NOT NULL PRIMARY KEY",
		times[dialect]);
	insert_job(test, "2026-01-01 00:00:00", "NULL");
}

DB_CASE_ON_EMPTY(test_loaded_dump)
{
	struct schema_migration *list;
	size_t count;

	load_dump(test);
	must_be(STATUS_INVALID, schema_require, test->db);
	migrate(test, MIGRATIONS);
	migrate(test, 0);
	assert_as_it_should_be(test);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_true(list[0].applied && list[0].adopted);
	assert_string_equal(ask(test, "SELECT count(*) FROM solid_queue_jobs"), "1\n");
}

/* A dump of an earlier dray, and one of which some tables were left out. */
DB_CASE_ON_EMPTY(test_part_of_a_dump)
{
	load_dump(test);
	sql_do(test, "DROP TABLE dray_slots;DROP TABLE dray_recurring_tasks;DROP TABLE "
		     "dray_recurring_runs;DROP TABLE dray_audit;DROP TABLE dray_gone;DROP TABLE "
		     "dray_recurring_own;DROP TABLE dray_cancellations;DROP TABLE dray_others;"
		     "DROP TABLE dray_leaders;DROP TABLE dray_findings;");
	migrate(test, MIGRATIONS);
	assert_as_it_should_be(test);
}

/* Rows are kept, whatever was lost besides. */
DB_CASE_ON_EMPTY(test_rows_are_kept)
{
	struct schema_migration *list;
	size_t count;

	load_dump(test);
	test_execute(test->db, "INSERT INTO dray_pauses (kind, name, created_at) VALUES ('queue', "
			       "'a', '2026-02-01 00:00:00');");
	migrate(test, MIGRATIONS);
	assert_as_it_should_be(test);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_true(list[0].applied && list[0].adopted);
	assert_string_equal(ask(test, "SELECT name FROM dray_pauses"), "a\n");
}

/* MySQL makes this foreign key in a statement of its own. */
DB_CASE_ON_EMPTY_ONLY(test_rows_whose_key_is_lost_are_kept, "postgresql mysql mariadb")
{
	load_dump(test);
	sql_execute(test->db, "ALTER TABLE dray_keys DROP %s fk_dray_keys_job_id",
		    db_dialect_of(test->db) == DB_MYSQL ? "FOREIGN KEY" : "CONSTRAINT");
	test_execute(test->db, "INSERT INTO dray_keys (job_id, position, concurrency_key) VALUES "
			       "(700, 1, 'B/1')");
	migrate(test, MIGRATIONS);
	assert_string_equal(ask(test, "SELECT job_id FROM dray_keys"), "700\n");
	assert_int_equal(mend(test), 1);
	assert_string_equal(ask(test, "SELECT count(*) FROM dray_keys"), "0\n");
	assert_as_it_should_be(test);
}

DB_CASE_ON_EMPTY(test_rows_of_another_form_are_refused)
{
	size_t applied;

	load_dump(test);
	sql_do(test, "DROP TABLE dray_audit;CREATE TABLE dray_audit (id integer);INSERT INTO "
		     "dray_audit VALUES (1);");
	must_say("schema.rows_of_another_form", STATUS_INVALID, schema_migrate, test->db,
		 test->arena, &applied);
	assert_string_equal(ask(test, "SELECT id FROM dray_audit"), "1\n");
	test_execute(test->db, "DROP TABLE dray_audit");
	must(schema_migrate, test->db, test->arena, &applied);
	assert_as_it_should_be(test);
}
