#include "db/schema/adopt.h"

#include <string.h>

#include "db/driver.h"
#include "db/operations.h"
#include "db/schema/ddl.h"
#include "db/schema/verify.h"

#define MAXIMUM_TABLES 32 /* of one migration */

/* The tables of ours that a migration creates. */
struct tables {
	const char *names[MAXIMUM_TABLES];
	size_t count;
};

/* The first difference without which dray cannot work, or NULL. */
static const char *first_missing(const struct differences *differences)
{
	for (size_t i = 0; i < differences->count; i++)
		if (differences->list[i].missing)
			return differences->list[i].text;
	return NULL;
}

/* The first time column that is not precise enough, or NULL. */
static const char *first_coarse(const struct differences *differences)
{
	for (size_t i = 0; i < differences->count; i++)
		if (differences->list[i].coarse)
			return differences->list[i].text;
	return NULL;
}

enum status adopt_solid_queue(struct db *db, struct arena *arena, struct error *error)
{
	struct differences differences;
	enum status status = verify_tables(db, arena, "solid_queue_", &differences, error);
	const char *missing = status == STATUS_OK ? first_missing(&differences) : NULL;

	if (missing)
		return error_set(error, STATUS_INVALID,
				 "the database has tables from before Solid Queue 1.0 (%s): "
				 "upgrade them first, with Solid Queue's migrations",
				 missing);
	const char *coarse = status == STATUS_OK ? first_coarse(&differences) : NULL;
	if (coarse)
		status = error_set(error, STATUS_INVALID,
				   "the tables keep times without microseconds (%s): give these "
				   "columns a precision of 6 first",
				   coarse);
	return status;
}

static void find_tables(struct arena *arena, const char *text, struct tables *tables)
{
	static const char create[] = "CREATE TABLE ";
	static const char unless[] = "IF NOT EXISTS ";

	for (const char *at = text; (at = strstr(at, create));) {
		at += sizeof(create) - 1;
		if (strncmp(at, unless, sizeof(unless) - 1) == 0)
			at += sizeof(unless) - 1;
		if (strncmp(at, "dray_", 5) == 0 && tables->count < MAXIMUM_TABLES)
			tables->names[tables->count++] =
				arena_strndup(arena, at, strcspn(at, " \n("));
	}
}

/* Where DDL is transactional the answer holds until the migrations' lock is released. */
static enum status has_rows(struct db *db, struct arena *arena, const char *name, bool *rows,
			    struct error *error)
{
	struct db_rows found = { 0 };
	enum status status = STATUS_OK;

	if (db_dialect_of(db) == DB_POSTGRESQL)
		status =
			ddl_run_text(db, arena, arena_printf(arena, "LOCK TABLE %s;", name), error);
	if (status == STATUS_OK)
		status = db_ask(db, arena, arena_printf(arena, "SELECT 1 FROM %s LIMIT 1;", name),
				&found, error);
	*rows = found.count > 0;
	return status;
}

static bool is_there(const struct db_rows *columns, const char *name)
{
	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(db_text(columns, i, CATALOG_TABLE), name) == 0)
			return true;
	return false;
}

/* A table with rows is kept, if dray can work with it. */
static enum status keep(struct db *db, struct arena *arena,
			const struct schema_migration *migration, const char *name,
			struct error *error)
{
	struct differences differences;
	enum status status = verify_tables(db, arena, name, &differences, error);
	const char *missing = status == STATUS_OK ? first_missing(&differences) : NULL;

	if (missing)
		return error_set(error, STATUS_INVALID,
				 "migration %03d %s is not recorded, but the table %s exists, has "
				 "rows, and is not as dray creates it (%s): rename or drop it, "
				 "then migrate again",
				 migration->number, migration->name, name, missing);
	return status;
}

enum status adopt_ours(struct db *db, struct arena *arena, const struct schema_migration *migration,
		       struct error *error)
{
	struct tables tables = { 0 };
	struct db_rows columns = { 0 };
	enum status status = verify_catalog(db, arena, "schema_columns", &columns, error);

	find_tables(arena, ddl_migration(arena, migration, db_dialect_of(db), NULL), &tables);
	for (size_t i = 0; i < tables.count && status == STATUS_OK; i++) {
		const char *name = tables.names[i];
		bool rows = false;
		if (!is_there(&columns, name))
			continue;
		status = has_rows(db, arena, name, &rows, error);
		if (status != STATUS_OK)
			return status;
		status = rows ? keep(db, arena, migration, name, error)
			      : ddl_run_text(db, arena, arena_printf(arena, "DROP TABLE %s;", name),
					     error);
	}
	return status;
}
