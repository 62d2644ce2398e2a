#include "db/schema/ddl.h"

#include <string.h>

#include "common/text/text.h"
#include "db/driver.h"
#include "db/scripts/dialect.h"

const char *ddl_replace(struct arena *arena, const char *text, const char *token, const char *value)
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
	text = ddl_replace(arena, text, "{schema}", dialect_quote(arena, schema, '\''));
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

enum status ddl_run_text(struct db *db, struct arena *arena, const char *sql, struct error *error)
{
	if (db_dialect_of(db) == DB_POSTGRESQL && db_options_of(db)->schema)
		sql = dialect_qualify(arena, sql, db_options_of(db)->schema);
	return db_execute(db, sql, error);
}
