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

/* Every table whose rows come from use, and not from a migration; has it numbers of MySQL's own? */
static const char *const tables[DB_DIALECTS] = {
	[DB_POSTGRESQL] =
		"SELECT tablename, NULL FROM pg_tables WHERE schemaname = current_schema() AND"
		" tablename NOT LIKE '%\\_migrations'",
	[DB_MYSQL] = "SELECT t.table_name, (SELECT max(c.column_name) FROM"
		     " information_schema.columns c WHERE c.table_schema = DATABASE() AND"
		     " c.table_name = t.table_name AND c.extra LIKE '%auto_increment%')"
		     " FROM information_schema.tables t WHERE t.table_schema = DATABASE() AND"
		     " t.table_type = 'BASE TABLE' AND RIGHT(t.table_name, 11) <> '_migrations'",
};

/* Sessions that a case has left behind: they may still hold a row. */
static const char *const others[DB_DIALECTS] = {
	[DB_POSTGRESQL] = "SELECT 'SELECT pg_terminate_backend(' || pid || ')' FROM"
			  " pg_stat_activity WHERE datname = current_database() AND"
			  " pid <> pg_backend_pid()",
	[DB_MYSQL] = "SELECT CONCAT('KILL ', id) FROM " TEST_SESSIONS
		     " WHERE db = DATABASE() AND id <> CONNECTION_ID()",
};

static const char *make_wipe(enum db_dialect dialect)
{
	struct db_rows rows = test_query(home.arena, home.url, tables[dialect]);
	struct text text = { 0 };

	text_add(&text, dialect == DB_MYSQL ? "SET foreign_key_checks = 0;" : "");
	for (size_t i = 0; i < rows.count; i++)
		text_printf(&text, "DELETE FROM %s;", db_text(&rows, i, 0));
	for (size_t i = 0; i < rows.count; i++)
		if (db_text(&rows, i, 1))
			text_printf(&text, "ALTER TABLE %s AUTO_INCREMENT = 1;",
				    db_text(&rows, i, 0));
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
	home.shape = test_query_text(home.arena, home.url, shapes[home.dialect]);
	home.migrations = test_query_text(home.arena, home.url, migrations);
	home.wipe = make_wipe(home.dialect);
}

/* Is it still what the migrations have made, and does it say so? */
static bool is_whole(struct arena *arena)
{
	if (strcmp(test_query_text(arena, home.url, shapes[home.dialect]), home.shape) != 0)
		return false;
	return strcmp(test_query_text(arena, home.url, migrations), home.migrations) == 0;
}

/* Empties it; false when it is not what the migrations have made. */
static bool empty(struct arena *arena)
{
	struct db_rows sessions = test_query(arena, home.url, others[home.dialect]);
	struct db *db = test_db_open(home.url);

	for (size_t i = 0; i < sessions.count; i++) {
		struct error error = { 0 };
		/* A session that is gone already cannot be ended. */
		if (db_execute(db, db_text(&sessions, i, 0), &error) != STATUS_OK)
			continue;
	}
	bool whole = is_whole(arena);
	if (whole)
		test_execute(db, home.wipe);
	db_close(db);
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
