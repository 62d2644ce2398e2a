/* Migrations: applied once, however many processes try, and continued after any interruption. */
#include "db/driver.h"
#include "db/schema/schema.h"
#include "db/scripts/dialect.h"
#include "tests/support/database.h"
#include "tests/support/sites/process.h"
#include "tests/support/sites/rails.h"

#define MIGRATIONS test_migrations()
#define PROCESSES  8

static void assert_complete(struct db *db, struct arena *arena)
{
	const char **differences;
	size_t count;

	must(schema_require, db);
	must(schema_verify, db, arena, &differences, &count);
	for (size_t i = 0; i < count; i++)
		print_error("%s\n", differences[i]);
	assert_int_equal(count, 0);
}

DB_CASE_ON_EMPTY(test_status)
{
	struct schema_migration *list;
	size_t count;

	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS);
	for (size_t i = 0; i < count; i++) {
		assert_true(i == 0 || list[i].number > list[i - 1].number);
		assert_false(list[i].applied);
		assert_int_equal(list[i].applied_at, 0);
	}
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
	assert_int_equal(test_migrate(test->db, test->arena), 0);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS);
	assert_string_equal(list[0].name, "tables");
	for (size_t i = 0; i < count; i++) {
		assert_true(list[i].applied);
		assert_false(list[i].adopted);
		int64_t age = db_now(test->db) - list[i].applied_at;
		assert_true(age > -CLOCK_MINUTE && age < CLOCK_HOUR);
	}
	assert_complete(test->db, test->arena);
}

DB_CASE_ON_EMPTY(test_not_prepared)
{
	must_say("schema.not_prepared", STATUS_INVALID, schema_require, test->db);
}

DB_CASE(test_newer)
{
	struct schema_migration *list;
	size_t count;

	test_execute(test->db, "INSERT INTO dray_migrations (version, name, applied_at) VALUES "
			       "(900, 'from_the_future', '2030-01-01 00:00:00');");
	must_say("schema.newer", STATUS_INVALID, schema_require, test->db);
	must_say("schema.newer", STATUS_INVALID, schema_migrate, test->db, test->arena, &count);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_int_equal(count, MIGRATIONS + 1);
	assert_string_equal(list[MIGRATIONS].name, "from_the_future");
	assert_true(list[MIGRATIONS].applied);
}

/* What `dray db sql` prints, run by a DBA, is as good as migrating. */
DB_CASE_ON_EMPTY(test_sql_by_hand)
{
	test_execute(test->db, schema_sql(test->arena, db_dialect_of(test->db), NULL));
	assert_complete(test->db, test->arena);
	assert_int_equal(test_migrate(test->db, test->arena), 0);
}

static int migrate_in_child(unsigned index, void *data)
{
	struct test_db *test = data;

	(void)index;
	return (int)test_migrate(test_db_open(test->url), test->arena);
}

DB_CASE_ON_EMPTY(test_at_once)
{
	int results[PROCESSES];
	int workers = 0;

	test_fork_all(&(struct test_function){ migrate_in_child, test }, PROCESSES, results,
		      CLOCK_MINUTE);
	for (size_t i = 0; i < PROCESSES; i++) {
		assert_true(results[i] == 0 || results[i] == MIGRATIONS);
		workers += results[i] == MIGRATIONS;
	}
	assert_int_equal(workers, 1);
	assert_complete(test->db, test->arena);
}

/* Killed at some point of it, wherever that is: the next one brings it to its end. */
DB_CASE_ON_EMPTY(test_killed)
{
	static const int64_t delays[] = { 0, 5, 10, 20, 40, 80 };

	for (size_t i = 0; i < sizeof(delays) / sizeof(delays[0]); i++) {
		const char *url = test_database_new(test->arena, test->backend);
		struct test_db victim = { .url = url, .arena = test->arena };
		pid_t pid = test_fork(&(struct test_function){ migrate_in_child, &victim }, 0);
		clock_sleep(delays[i] * CLOCK_MILLISECOND); /* any moment is a good one */
		kill(pid, SIGKILL);
		test_wait_exit(pid, CLOCK_MINUTE);
		struct db *db = test_db_open(url);
		test_migrate(db, test->arena);
		assert_complete(db, test->arena);
		db_close(db);
		test_database_drop(test->arena, test->backend, url);
	}
}

static const char *first_migration(struct arena *arena, bool adopted)
{
	const struct schema_migration first = { 19, "tables", .adopted = adopted };

	return schema_migration_sql(arena, &first, DB_MYSQL, NULL);
}

/* How long the text is up to the end of the next statement; 0 = there is none. */
static size_t next_cut(const char *text, size_t cut)
{
	const char *end = strstr(text + cut, ";\n");

	return end ? (size_t)(end - text) + 2 : 0;
}

static void assert_goes_on(struct test_db *test, bool adopted, size_t cut)
{
	const char *text = first_migration(test->arena, adopted);
	struct test_db own = *test;
	struct schema_migration *list;
	size_t count;

	own.url = test_database_new(test->arena, test->backend);
	own.db = test_db_open(own.url);
	if (adopted)
		test_rails_tables(&own);
	test_execute(own.db, arena_strndup(test->arena, text, cut));
	assert_int_equal(test_migrate(own.db, test->arena), MIGRATIONS - (text[cut] == '\0'));
	must(schema_status, own.db, test->arena, &list, &count);
	assert_true(list[0].applied && list[0].adopted == adopted);
	assert_complete(own.db, test->arena);
	db_close(own.db);
	test_database_drop(test->arena, test->backend, own.url);
}

/* MySQL commits each statement: stopped after any of them, migrating goes on. */
DB_CASE_ON_EMPTY_ONLY(test_goes_on, "mysql mariadb")
{
	const char *text = first_migration(test->arena, false);
	size_t statements = 0;

	for (size_t cut = next_cut(text, 0); cut > 0; cut = next_cut(text, cut)) {
		test_execute(test->db, arena_strndup(test->arena, text, cut));
		if (++statements <= 2 || statements % 16 == 0 || text[cut] == '\0')
			assert_goes_on(test, false, cut);
	}
	assert_int_equal(statements, 33);
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS - 1);
	assert_complete(test->db, test->arena);
}

DB_CASE_ON_EMPTY_ONLY(test_goes_on_beside_rails, "mysql mariadb")
{
	const char *text = first_migration(test->arena, true);
	size_t statements = 0;

	for (size_t cut = next_cut(text, 0); cut > 0; cut = next_cut(text, cut))
		if (++statements <= 2 || statements % 16 == 0 || text[cut] == '\0')
			assert_goes_on(test, true, cut);
	assert_int_equal(statements, 22);
}

/* Where DDL is transactional a migration that fails leaves nothing behind. */
DB_CASE_ON_EMPTY_ONLY(test_fails_whole, "sqlite postgresql")
{
	struct schema_migration *list;
	size_t count = 99;
	struct error error = { 0 };

	test_execute(test->db, "CREATE TABLE other (id integer);"
			       "CREATE INDEX index_solid_queue_semaphores_on_key ON other (id);");
	assert_status(schema_migrate(test->db, test->arena, &count, &error), STATUS_FATAL, &error);
	assert_contains(error.text, "schema/019_tables");
	assert_int_equal(count, 99);
	must(schema_status, test->db, test->arena, &list, &count);
	assert_false(list[0].applied);
	test_execute(test->db, "DROP TABLE other;");
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
	assert_complete(test->db, test->arena);
}

static void terminate_others(struct test_db *test)
{
	if (db_dialect_of(test->db) == DB_POSTGRESQL) {
		test_query(test->arena, test->url,
			   "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
			   "WHERE datname = current_database() AND pid <> pg_backend_pid()");
		return;
	}
	struct db_rows rows = test_query(test->arena, test->url,
					 "SELECT id FROM " TEST_SESSIONS " "
					 "WHERE db = DATABASE() AND id <> CONNECTION_ID()");
	struct db *other = test_db_open(test->url);
	for (size_t i = 0; i < rows.count; i++)
		sql_execute(other, "KILL %s", db_text(&rows, i, 0));
	db_close(other);
}

/* A new connection would not have the lock, so there must be none until it is given back. */
DB_CASE_ON_EMPTY_ONLY(test_lost_lock, "postgresql mysql mariadb")
{
	struct error error = { 0 };

	must(db_lock, test->db);
	terminate_others(test);
	enum status status = db_execute(test->db, "CREATE TABLE lost (id integer)", &error);
	assert_true(status == STATUS_DOWN || status == STATUS_UNCERTAIN);
	must_say("schema.lock_lost", STATUS_DOWN, db_execute, test->db,
		 "CREATE TABLE lost (id integer)");
	assert_true(db_unlock(test->db, false, &error) != STATUS_OK);
	assert_int_equal(test_migrate(test->db, test->arena), MIGRATIONS);
}

/* How often every table of ours is in the schema. */
static const char *tables_in(const struct test_db *test, const char *schema)
{
	return sql_text(test,
			"SELECT count(*) FROM pg_tables WHERE schemaname = %s AND tablename ~ "
			"'^(solid_queue|dray|schema)_'",
			dialect_quote(test->arena, schema, '\''));
}

/* A schema of one's own, beside Rails' tables in public; its name needs quotes. */
static void try_schema(const struct test_db *test, const char *name)
{
	const struct db_options options = { .schema = name };

	struct db *db = test_db_open_with(test->url, &options);
	must_be(STATUS_INVALID, schema_require, db);
	assert_int_equal(test_migrate(db, test->arena), MIGRATIONS);
	assert_complete(db, test->arena);
	assert_string_equal(tables_in(test, name), "28\n");
	assert_string_equal(tables_in(test, "public"), "28\n");
	sql_execute(db, "DROP SCHEMA %s CASCADE;", dialect_quote(test->arena, name, '"'));
	assert_complete(test->db, test->arena);
	test_execute(test->db, schema_sql(test->arena, DB_POSTGRESQL, name));
	assert_complete(db, test->arena);
	assert_int_equal(test_migrate(db, test->arena), 0);
	db_close(db);
}

DB_CASE_ONLY(test_own_schema, "postgresql")
{
	const char *longest =
		"0123456789012345678901234567890123456789012345678901234567890\xc3\xa9";

	try_schema(test, "Jobs");
	try_schema(test, "a \"b\" 'c' \\d $$ $1 {e} :f -- ? solid_queue_jobs");
	try_schema(test, longest);
}

/* The session has it as Rails' does: what is not there is passed over. */
DB_CASE_ONLY(test_search_path, "postgresql")
{
	static const struct {
		const char *path, *in_app;
	} cases[] = {
		{ "%22$user%22,%20nowhere,%20'an%20app'", "28\n" },
		{ "nowhere,public", "0\n" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		test_execute(test->db, "CREATE SCHEMA \"an app\"");
		struct db *db = test_db_open_with(
			arena_printf(test->arena, "%s%cschema_search_path=%s", test->url,
				     strchr(test->url, '?') ? '&' : '?', cases[i].path),
			NULL);
		assert_int_equal(test_migrate(db, test->arena), i == 0 ? MIGRATIONS : 0);
		assert_complete(db, test->arena);
		assert_string_equal(tables_in(test, "an app"), cases[i].in_app);
		assert_int_equal(test_migrate(db, test->arena), 0);
		db_close(db);
		test_execute(test->db, "DROP SCHEMA \"an app\" CASCADE");
	}
}

DB_CASE_ONLY(test_impossible_schema, "postgresql")
{
	static const char *const names[] = {
		"",
		"0123456789012345678901234567890123456789012345678901234567890123",
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct db_options options = { .schema = names[i] };
		struct db *db = NULL;
		must_say("schema.impossible_name", STATUS_INVALID, db_open, &db, test->url,
			 &options);
	}
}
