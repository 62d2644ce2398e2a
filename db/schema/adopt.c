#include "db/schema/adopt.h"

#include <string.h>

#include "db/driver.h"
#include "db/schema/ddl.h"
#include "db/schema/verify.h"

#define MAXIMUM_TABLES 8 /* of one migration */

/* The tables of ours that a migration creates. */
struct tables {
	const char *names[MAXIMUM_TABLES];
	size_t count;
	size_t present;
	bool rows; /* in at least one of them */
};

static enum status record(struct db *db, struct arena *arena,
			  const struct schema_migration *migration, struct error *error)
{
	const char *text =
		ddl_text(arena, DDL_PREFIX "adopt", db_dialect_of(db), db_options_of(db)->schema);

	text = ddl_replace(arena, text, "{version}", arena_printf(arena, "%d", migration->number));
	text = ddl_replace(arena, text, "{name}", arena_printf(arena, "'%s'", migration->name));
	return db_execute(db, text, error);
}

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

enum status adopt_solid_queue(struct db *db, struct arena *arena,
			      const struct schema_migration *migration, struct error *error)
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
		return error_set(error, STATUS_INVALID,
				 "the tables keep times without microseconds (%s): give these "
				 "columns a precision of 6 first",
				 coarse);
	return status == STATUS_OK ? record(db, arena, migration, error) : status;
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
	*rows = *rows || found.count > 0;
	return status;
}

static bool is_there(const struct db_rows *columns, const char *name)
{
	for (size_t i = 0; i < columns->count; i++)
		if (strcmp(db_text(columns, i, 0), name) == 0)
			return true;
	return false;
}

/* Keeps only those in the list that exist. */
static enum status look(struct db *db, struct arena *arena, struct tables *tables,
			struct error *error)
{
	struct db_rows columns = { 0 };
	enum status status = verify_catalog(db, arena, "schema_columns", &columns, error);

	for (size_t i = 0; i < tables->count && status == STATUS_OK; i++) {
		if (!is_there(&columns, tables->names[i]))
			continue;
		tables->names[tables->present++] = tables->names[i];
		status = has_rows(db, arena, tables->names[i], &tables->rows, error);
	}
	return status;
}

static enum status drop(struct db *db, struct arena *arena, const struct tables *tables,
			struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < tables->present && status == STATUS_OK; i++)
		status = ddl_run_text(
			db, arena, arena_printf(arena, "DROP TABLE %s;", tables->names[i]), error);
	return status;
}

static enum status refuse(const struct schema_migration *migration, const char *why,
			  struct error *error)
{
	return error_set(
		error, STATUS_INVALID,
		"migration %03d %s is not recorded, but its tables exist, have rows, and are not "
		"as dray creates them (%s): rename or drop them, then migrate again",
		migration->number, migration->name, why);
}

static enum status keep(struct db *db, struct arena *arena,
			const struct schema_migration *migration, const struct tables *tables,
			struct error *error)
{
	struct differences differences;

	if (tables->present < tables->count)
		return refuse(migration, "some are missing", error);
	for (size_t i = 0; i < tables->count; i++) {
		enum status status =
			verify_tables(db, arena, tables->names[i], &differences, error);
		if (status != STATUS_OK)
			return status;
		const char *missing = first_missing(&differences);
		if (missing)
			return refuse(migration, missing, error);
	}
	return record(db, arena, migration, error);
}

enum status adopt_ours(struct db *db, struct arena *arena, const struct schema_migration *migration,
		       bool *adopted, struct error *error)
{
	struct tables tables = { 0 };
	const char *file =
		arena_printf(arena, DDL_PREFIX "%03d_%s", migration->number, migration->name);

	*adopted = false;
	find_tables(arena, ddl_text(arena, file, db_dialect_of(db), NULL), &tables);
	enum status status = look(db, arena, &tables, error);
	if (status != STATUS_OK || tables.present == 0)
		return status;
	if (!tables.rows)
		return drop(db, arena, &tables, error);
	*adopted = true;
	return keep(db, arena, migration, &tables, error);
}
