#include "tests/support/home.h"

#include "common/text/text.h"
#include "db/driver.h"
#include "db/schema/schema.h"
#include "tests/support/database.h"

/* Lives from one case to the next. */
static struct {
	struct arena *arena;
	const char *backend;
	enum db_dialect dialect;
	const char *url;
	const char *shape;      /* what the migrations have made */
	const char *migrations; /* which these were */
	const char *wipe;       /* empties the tables */
} home;

static const char migrations[] = "SELECT count(*), max(version), max(name) FROM dray_migrations";

/* What a case may have changed that is no row. */
static const char *const shapes[DB_DIALECTS] = {
	[DB_POSTGRESQL] =
		"SELECT c.relname, c.relkind, array_to_string(c.reloptions, ','),"
		" (SELECT string_agg(concat(a.attname, a.atttypid, a.atttypmod, a.attnotnull), ','"
		" ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = c.oid),"
		" (SELECT count(*) FROM pg_trigger t WHERE t.tgrelid = c.oid),"
		" (SELECT count(*) FROM pg_constraint k WHERE k.conrelid = c.oid)"
		" FROM pg_class c WHERE c.relnamespace NOT IN (SELECT oid FROM pg_namespace"
		" WHERE nspname LIKE 'pg\\_%' OR nspname = 'information_schema')"
		" UNION ALL SELECT proname, 'f', prosrc, NULL, 0, 0 FROM pg_proc WHERE"
		" pronamespace = current_schema()::regnamespace ORDER BY 1, 2",
	[DB_MYSQL] = "SELECT 1, table_name, column_name, column_type FROM"
		     " information_schema.columns WHERE table_schema = DATABASE()"
		     " UNION ALL SELECT 2, table_name, index_name, column_name FROM"
		     " information_schema.statistics WHERE table_schema = DATABASE()"
		     " UNION ALL SELECT 3, event_object_table, trigger_name, action_timing FROM"
		     " information_schema.triggers WHERE trigger_schema = DATABASE()"
		     " UNION ALL SELECT 4, table_name, constraint_name, '' FROM"
		     " information_schema.table_constraints WHERE table_schema = DATABASE()"
		     " ORDER BY 1, 2, 3, 4",
};

/* Every table whose rows come from use, and not from a migration. */
static const char *const tables[DB_DIALECTS] = {
	[DB_POSTGRESQL] = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() AND"
			  " tablename NOT LIKE '%\\_migrations'",
	[DB_MYSQL] = "SELECT table_name FROM information_schema.tables WHERE"
		     " table_schema = DATABASE() AND table_type = 'BASE TABLE' AND"
		     " RIGHT(table_name, 11) <> '_migrations'",
};

/* MySQL's tables of which numbers were used. What it knows of that it else keeps for a day. */
static const char fresh_numbers[] =
	"SET @x = 0 /*!80000 , SESSION information_schema_stats_expiry = 0 */";
static const char numbered[] = "SELECT table_name FROM information_schema.tables WHERE"
			       " table_schema = DATABASE() AND auto_increment > 1";

/* Sessions that a case has left behind: they may still hold a row. */
static const char *const others[DB_DIALECTS] = {
	[DB_POSTGRESQL] = "SELECT 'SELECT pg_terminate_backend(' || pid || ')' FROM"
			  " pg_stat_activity WHERE datname = current_database() AND"
			  " pid <> pg_backend_pid()",
	[DB_MYSQL] = "SELECT CONCAT('KILL ', id) FROM " TEST_SESSIONS
		     " WHERE db = DATABASE() AND id <> CONNECTION_ID()",
};

static const char *make_wipe(struct connection *connection, enum db_dialect dialect)
{
	const struct db_rows rows = test_query_on(connection, home.arena, tables[dialect]);
	struct text text = { 0 };

	text_add(&text, dialect == DB_MYSQL ? "SET foreign_key_checks = 0;" : "");
	for (size_t i = 0; i < rows.count; i++)
		text_printf(&text, "DELETE FROM %s;", db_text(&rows, i, 0));
	if (dialect == DB_POSTGRESQL)
		text_add(&text, "DO $$ BEGIN PERFORM setval(oid::regclass, 1, false) FROM pg_class"
				" WHERE relkind = 'S' AND relnamespace ="
				" current_schema()::regnamespace; END $$;");
	return text_take(&text, home.arena);
}

static void home_make(const char *backend)
{
	size_t applied;

	home.arena = arena_new();
	home.backend = arena_strdup(home.arena, backend);
	home.url = test_database_new(home.arena, backend);
	struct db *db = test_db_open(home.url);
	must(schema_migrate, db, home.arena, &applied);
	home.dialect = db_dialect_of(db);
	db_close(db);
	if (home.dialect == DB_SQLITE)
		return;
	struct connection *connection = test_driver_open(home.arena, home.url);
	home.shape = test_text_on(connection, home.arena, shapes[home.dialect]);
	home.migrations = test_text_on(connection, home.arena, migrations);
	home.wipe = make_wipe(connection, home.dialect);
	connection->driver->close(connection);
}

static bool execute(struct connection *connection, const char *sql)
{
	struct error error = { 0 };

	return connection->driver->execute(connection, sql, &error) == STATUS_OK;
}

/* Each takes milliseconds, so only where it is needed. */
static void number_anew(struct connection *connection, struct arena *arena)
{
	assert_true(execute(connection, fresh_numbers));
	const struct db_rows rows = test_query_on(connection, arena, numbered);
	for (size_t i = 0; i < rows.count; i++)
		assert_true(execute(connection,
				    arena_printf(arena, "ALTER TABLE %s AUTO_INCREMENT = 1;",
						 db_text(&rows, i, 0))));
}

/* Is it still what the migrations have made, and does it say so? */
static bool is_whole(struct connection *connection, struct arena *arena)
{
	return strcmp(test_text_on(connection, arena, shapes[home.dialect]), home.shape) == 0 &&
	       strcmp(test_text_on(connection, arena, migrations), home.migrations) == 0;
}

/* Empties it; false when it is not what the migrations have made. */
static bool empty(struct arena *arena)
{
	struct connection *connection = test_driver_open(arena, home.url);
	const struct db_rows sessions = test_query_on(connection, arena, others[home.dialect]);

	for (size_t i = 0; i < sessions.count; i++)
		(void)execute(connection, db_text(&sessions, i, 0)); /* it may be gone already */
	const bool whole = is_whole(connection, arena);
	if (whole)
		assert_true(execute(connection, home.wipe));
	if (whole && home.dialect == DB_MYSQL)
		number_anew(connection, arena);
	connection->driver->close(connection);
	return whole;
}

/* SQLite's is a file that nobody uses; each case gets a copy. */
static const char *copy_of_home(struct arena *arena)
{
	const char *url = test_database_new(arena, home.backend);
	FILE *from = fopen(strchr(home.url, ':') + 1, "re");
	FILE *to = fopen(strchr(url, ':') + 1, "we");
	char bytes[65536];
	size_t count;

	assert_non_null(from);
	assert_non_null(to);
	while ((count = fread(bytes, 1, sizeof(bytes), from)) > 0)
		assert_int_equal(fwrite(bytes, 1, count, to), count);
	assert_int_equal(ferror(from), 0);
	assert_int_equal(fclose(from), 0);
	assert_int_equal(fclose(to), 0);
	return url;
}

const char *home_open(struct arena *arena, const char *backend)
{
	bool same = home.url && strcmp(home.backend, backend) == 0;

	if (home.url && (!same || (home.dialect != DB_SQLITE && !empty(arena))))
		home_drop();
	if (!home.url)
		home_make(backend);
	if (home.dialect == DB_SQLITE)
		return copy_of_home(arena);
	return arena_strdup(arena, home.url);
}

const char *home_url(void)
{
	return home.url ? home.url : "";
}

void home_drop(void)
{
	if (!home.url)
		return;
	test_database_drop(home.arena, home.backend, home.url);
	arena_free(home.arena);
	memset(&home, 0, sizeof(home));
}
