#include "db/schema/ddl.h"

#include <string.h>

#include "common/text/text.h"
#include "db/driver.h"
#include "db/scripts/dialect.h"

static const char *replace(struct arena *arena, const char *text, const char *token,
			   const char *value)
{
	struct text replaced = { 0 };

	for (const char *at; (at = strstr(text, token)); text = at + strlen(token)) {
		text_append(&replaced, text, (size_t)(at - text));
		text_add(&replaced, value);
	}
	text_add(&replaced, text);
	return text_take(&replaced, arena);
}

const char *ddl_text(struct arena *arena, const char *name, enum db_dialect dialect,
		     const char *schema)
{
	const char *text = sql_find(name, dialect);

	if (!text || !schema || dialect != DB_POSTGRESQL)
		return text;
	text = replace(arena, text, "{schema}", dialect_quote(arena, schema, '\''));
	return dialect_qualify(arena, text, schema);
}

enum status ddl_run(struct db *db, struct arena *arena, const char *name, struct error *error)
{
	const char *text = ddl_text(arena, name, db_dialect_of(db), db_options_of(db)->schema);

	if (!text)
		return error_set(error, STATUS_FATAL, "db/sql/%s: no such file", name);
	enum status status = db_execute(db, text, error);
	return status == STATUS_OK ? status : error_prefix(error, "%s", name);
}

static const char *migration_name(struct arena *arena, const struct schema_migration *migration)
{
	return arena_printf(arena, DDL_PREFIX "%03d_%s", migration->number, migration->name);
}

const char *ddl_migration(struct arena *arena, const struct schema_migration *migration,
			  enum db_dialect dialect, const char *schema)
{
	const char *theirs = ddl_text(arena, DDL_PREFIX "solid_queue", dialect, schema);
	const char *text = ddl_text(arena, migration_name(arena, migration), dialect, schema);

	text = replace(arena, text, "{adopted}", migration->adopted ? "true" : "false");
	return replace(arena, text, "{solid_queue}", migration->adopted ? "" : theirs);
}

enum status ddl_migrate(struct db *db, struct arena *arena,
			const struct schema_migration *migration, struct error *error)
{
	const char *text =
		ddl_migration(arena, migration, db_dialect_of(db), db_options_of(db)->schema);
	enum status status = db_execute(db, text, error);

	return status == STATUS_OK ? status
				   : error_prefix(error, "%s", migration_name(arena, migration));
}

enum status ddl_run_text(struct db *db, struct arena *arena, const char *sql, struct error *error)
{
	if (db_dialect_of(db) == DB_POSTGRESQL && db_options_of(db)->schema)
		sql = dialect_qualify(arena, sql, db_options_of(db)->schema);
	return db_execute(db, sql, error);
}
