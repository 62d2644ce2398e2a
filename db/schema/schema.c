/*
 * Migrations: the files of db/sql/schema, the tables that were there before us, and what is applied
 * when.
 *
 * A migration runs under one lock for all processes, and what is true is read again when the lock
 * is held. Rails' tables are adopted or refused, never altered. Ours may have come from a schema
 * dump, which has tables without their rows: empty ones are made again, others stay if they will
 * do.
 */
#include "db/schema/schema.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "common/text/text.h"
#include "db/driver.h"
#include "db/operations.h"
#include "db/schema/verify.h"
#include "db/scripts/dialect.h"

/* files */

/* Prefix of the name of every DDL file. */
#define DDL_PREFIX "schema/"

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

/*
 * A file's text for a schema of PostgreSQL (NULL = none): table names are qualified, {schema} is
 * its name as a literal. NULL when there is no such file.
 */
static const char *ddl_text(struct arena *arena, const char *name, enum db_dialect dialect,
			    const char *schema)
{
	const char *text = sql_find(name, dialect);

	if (!text || !schema || dialect != DB_POSTGRESQL)
		return text;
	text = replace(arena, text, "{schema}", dialect_quote(arena, schema, '\''));
	return dialect_qualify(arena, text, schema);
}

/* Runs a file. This and all that run something here: call them between db_lock and db_unlock. */
static enum status ddl_run(struct db *db, struct arena *arena, const char *name,
			   struct error *error)
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

const char *schema_migration_sql(struct arena *arena, const struct schema_migration *migration,
				 enum db_dialect dialect, const char *schema)
{
	const char *theirs = ddl_text(arena, DDL_PREFIX "solid_queue", dialect, schema);
	const char *text = ddl_text(arena, migration_name(arena, migration), dialect, schema);

	text = replace(arena, text, "{adopted}", migration->adopted ? "true" : "false");
	return replace(arena, text, "{solid_queue}", migration->adopted ? "" : theirs);
}

/* A migration, as ddl_run runs a file. */
static enum status ddl_migrate(struct db *db, struct arena *arena,
			       const struct schema_migration *migration, struct error *error)
{
	const char *text = schema_migration_sql(arena, migration, db_dialect_of(db),
						db_options_of(db)->schema);
	enum status status = db_execute(db, text, error);

	return status == STATUS_OK ? status
				   : error_prefix(error, "%s", migration_name(arena, migration));
}

/* The same with the caller's SQL, in which our tables are named. */
static enum status ddl_run_text(struct db *db, struct arena *arena, const char *sql,
				struct error *error)
{
	if (db_dialect_of(db) == DB_POSTGRESQL && db_options_of(db)->schema)
		sql = dialect_qualify(arena, sql, db_options_of(db)->schema);
	return db_execute(db, sql, error);
}

/* tables that exist although no migration is recorded */

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

/*
 * May Solid Queue's tables be used as they are? Indexes and types may differ; INVALID when a table
 * or a column is missing that dray needs.
 */
static enum status adopt_solid_queue(struct db *db, struct arena *arena, struct error *error)
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

/*
 * Our own tables of this migration, before it is applied. Empty ones are dropped, so that it can
 * create them properly: a dump does not contain everything about them. Those with rows stay if they
 * have all that dray needs; else INVALID.
 */
static enum status adopt_ours(struct db *db, struct arena *arena,
			      const struct schema_migration *migration, struct error *error)
{
	struct tables tables = { 0 };
	struct db_rows columns = { 0 };
	enum status status = verify_catalog(db, arena, "schema_columns", &columns, error);

	find_tables(arena, schema_migration_sql(arena, migration, db_dialect_of(db), NULL),
		    &tables);
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

/* migrations */

/* Files are "schema/NNN_name". */
#define PREFIX_LENGTH (sizeof(DDL_PREFIX) - 1)
#define NUMBER_LENGTH 3

#define FIRST 19 /* what has lower numbers was never released */

/* Columns of schema_applied. */
enum { APPLIED_VERSION, APPLIED_NAME, APPLIED_AT, APPLIED_ADOPTED, APPLIED_OBSTACLE };

/* The migrations of this program and of the database. */
struct state {
	struct schema_migration *list; /* those before FIRST, ours, and a newer program's */
	bool *begun;                   /* [i]: there is a row for list[i], ended or not */
	size_t count;
	size_t first;         /* where ours begin */
	size_t known;         /* where they end */
	bool tables;          /* dray_migrations exists */
	bool solid_queue;     /* tables of Solid Queue exist */
	const char *obstacle; /* keeps this login from working; NULL = nothing */
};

static bool is_migration(const char *name)
{
	return strncmp(name, DDL_PREFIX, PREFIX_LENGTH) == 0 &&
	       isdigit((unsigned char)name[PREFIX_LENGTH]);
}

static int migration_number(const char *name)
{
	int number = 0;

	for (size_t i = 0; i < NUMBER_LENGTH; i++)
		number = 10 * number + (name[PREFIX_LENGTH + i] - '0');
	return number;
}

/* The embedded files are sorted by name, so the migrations are in order. */
static void list_ours(enum db_dialect dialect, struct state *state)
{
	for (size_t i = 0; i < sql_file_count; i++) {
		const char *name = sql_files[i].name;
		if (sql_files[i].dialect != dialect || !is_migration(name))
			continue;
		state->list[state->count++] = (struct schema_migration){
			.number = migration_number(name),
			.name = name + PREFIX_LENGTH + NUMBER_LENGTH + 1,
		};
	}
	state->known = state->count;
}

static size_t find_number(const struct state *state, int number)
{
	size_t i = state->first;

	while (i < state->known && state->list[i].number != number)
		i++;
	return i;
}

static void merge_rows(const struct db_rows *rows, bool before_first, struct state *state)
{
	for (size_t row = 0; row < rows->count; row++) {
		int number = (int)db_int(rows, row, APPLIED_VERSION);
		if ((number < FIRST) != before_first)
			continue;
		size_t at = find_number(state, number);
		if (at == state->known)
			at = state->count++;
		struct schema_migration *migration = &state->list[at];
		migration->number = number;
		migration->name = db_text(rows, row, APPLIED_NAME);
		migration->applied = !db_is_null(rows, row, APPLIED_AT);
		migration->applied_at = db_time(rows, row, APPLIED_AT);
		migration->adopted = db_int(rows, row, APPLIED_ADOPTED) != 0;
		state->begun[at] = true;
	}
}

static enum status read_state(struct db *db, struct arena *arena, struct state *state,
			      struct error *error)
{
	struct db_rows columns = { 0 };
	struct db_rows rows = { 0 };
	enum status status = verify_catalog(db, arena, "schema_columns", &columns, error);

	*state = (struct state){ .tables = verify_has_table(&columns, "dray_migrations"),
				 .solid_queue = verify_has_table(&columns, "solid_queue_") };
	if (status == STATUS_OK && state->tables)
		status = db_query(db, arena, DB_PLAIN(schema_applied), &rows, error);
	if (status != STATUS_OK)
		return status;
	size_t room = sql_file_count + rows.count;
	state->list = arena_array(arena, room, sizeof(*state->list));
	state->begun = arena_array(arena, room, sizeof(*state->begun));
	merge_rows(&rows, true, state);
	state->first = state->count;
	list_ours(db_dialect_of(db), state);
	merge_rows(&rows, false, state);
	if (rows.count > 0)
		state->obstacle = db_text(&rows, 0, APPLIED_OBSTACLE);
	return STATUS_OK;
}

enum status schema_status(struct db *db, struct arena *arena, struct schema_migration **list,
			  size_t *count, struct error *error)
{
	struct state state;
	enum status status = read_state(db, arena, &state, error);

	if (status != STATUS_OK)
		return status;
	*list = state.list;
	*count = state.count;
	return STATUS_OK;
}

static size_t count_pending(const struct state *state)
{
	size_t pending = 0;

	for (size_t i = state->first; i < state->known; i++)
		pending += !state->list[i].applied;
	return pending;
}

/* Every one of before FIRST has been applied, and nothing since. */
static bool can_take_over(const struct state *state)
{
	bool all = state->first == FIRST && !state->begun[state->first];

	for (size_t i = 0; i < state->first; i++)
		all = all && state->list[i].applied;
	return all;
}

static enum status refuse_unreleased(const struct state *state, struct error *error)
{
	if (state->first == 0 || can_take_over(state))
		return STATUS_OK;
	const struct schema_migration *last = &state->list[state->first - 1];
	return error_set(error, STATUS_INVALID,
			 "the database was made by a dray that was never released (up to its "
			 "migration %03d %s), and cannot be taken over: use a new database",
			 last->number, last->name);
}

static enum status refuse_newer(const struct state *state, struct error *error)
{
	if (state->count == state->known)
		return STATUS_OK;
	const struct schema_migration *last = &state->list[state->count - 1];
	return error_set(
		error, STATUS_INVALID,
		"the database is newer than this program (dray " DRAY_VERSION
		"): it has migration %03d %s; use the dray that migrated it, or a later one",
		last->number, last->name);
}

static enum status refuse_behind(const struct state *state, bool of_rails, struct error *error)
{
	size_t pending = count_pending(state);
	size_t next = state->first;

	if (pending == 0)
		return STATUS_OK;
	if (pending == state->known)
		return error_set(error, STATUS_INVALID, "this database is not prepared yet; run %s",
				 of_rails ? "'bin/rails db:prepare' for the tables of Solid Queue, "
					    "then 'dray db migrate'"
					  : "'dray db migrate', or start with --migrate");
	while (state->list[next].applied)
		next++;
	return error_set(error, STATUS_INVALID,
			 "the database is behind: migration %03d %s not applied; run "
			 "'dray db migrate', or start with --migrate",
			 state->list[next].number, state->list[next].name);
}

/* Can this program bring it to where it works, or is it there already? */
static enum status refuse_foreign(const struct state *state, struct error *error)
{
	enum status status = refuse_newer(state, error);

	return status == STATUS_OK ? refuse_unreleased(state, error) : status;
}

enum status schema_require(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	struct state state;
	enum status status = read_state(db, arena, &state, error);

	if (status == STATUS_OK)
		status = refuse_foreign(&state, error);
	if (status == STATUS_OK)
		status = refuse_behind(&state, db_options_of(db)->of_rails, error);
	if (status == STATUS_OK && state.obstacle)
		status = error_set(error, STATUS_FATAL, "%s", state.obstacle);
	arena_free(arena);
	return status;
}

static enum status create_namespace(struct db *db, struct arena *arena, struct error *error)
{
	if (db_dialect_of(db) != DB_POSTGRESQL || !db_options_of(db)->schema)
		return STATUS_OK;
	return ddl_run(db, arena, DDL_PREFIX "namespace", error);
}

static enum status apply(struct db *db, struct arena *arena, const struct state *state, size_t at,
			 struct error *error)
{
	struct schema_migration migration = state->list[at];
	enum status status = STATUS_OK;

	if (at == state->first && state->first > 0)
		return ddl_run(db, arena, DDL_PREFIX "take_over", error);
	if (!state->begun[at]) {
		migration.adopted = at == 0 && state->solid_queue;
		if (migration.adopted)
			status = adopt_solid_queue(db, arena, error);
		if (status == STATUS_OK)
			status = adopt_ours(db, arena, &migration, error);
	}
	if (status != STATUS_OK)
		return status;
	return ddl_migrate(db, arena, &migration, error);
}

/* Under the lock: another process that held it before may have changed what was true. */
static enum status apply_pending(struct db *db, struct arena *arena, size_t *applied,
				 struct error *error)
{
	struct state state;
	enum status status = read_state(db, arena, &state, error);

	*applied = 0;
	if (status == STATUS_OK)
		status = refuse_foreign(&state, error);
	if (status == STATUS_OK && count_pending(&state) > 0)
		status = create_namespace(db, arena, error);
	for (size_t i = state.first; status == STATUS_OK && i < state.known; i++) {
		if (state.list[i].applied)
			continue;
		status = apply(db, arena, &state, i, error);
		++*applied;
	}
	return status;
}

enum status schema_migrate(struct db *db, struct arena *arena, size_t *applied, struct error *error)
{
	struct state state;
	size_t count = 0;
	enum status status = read_state(db, arena, &state, error);

	if (status == STATUS_OK)
		status = refuse_foreign(&state, error);
	if (status == STATUS_OK && count_pending(&state) > 0) {
		status = db_lock(db, error);
		if (status != STATUS_OK)
			return status;
		status = apply_pending(db, arena, &count, error);
		bool commit = status == STATUS_OK;
		enum status unlocked = db_unlock(db, commit, commit ? error : NULL);
		if (commit)
			status = unlocked;
	}
	if (status == STATUS_OK)
		*applied = count;
	return status;
}

static bool is_marker(const struct difference *difference)
{
	return difference->table && strcmp(difference->table, DIALECT_RAILS_MARKER) == 0;
}

/* Only for our own tables: Rails' are never altered. SQLite adds no key to an existing table. */
static bool can_mend(const struct db *db, const struct difference *difference)
{
	if (is_marker(difference))
		return true;
	if (!difference->definition || strncmp(difference->table, "dray_", 5) != 0)
		return false;
	return difference->index || db_dialect_of(db) != DB_SQLITE;
}

static enum status mend(struct db *db, struct arena *arena, const struct difference *difference,
			struct error *error)
{
	if (is_marker(difference))
		return ddl_run(db, arena, DDL_PREFIX "marker", error);
	const char *columns = strchr(difference->definition, '(');

	if (!difference->index)
		return ddl_run(db, arena,
			       arena_printf(arena, DDL_PREFIX "keys/%s", difference->table), error);
	bool unique = columns > difference->definition;
	return ddl_run_text(db, arena,
			    arena_printf(arena, "CREATE %sINDEX %s ON %s %s;",
					 unique ? "UNIQUE " : "", difference->index,
					 difference->table, columns),
			    error);
}

/* Counts what can be mended, and mends it if `change`. */
static enum status mend_all(struct db *db, struct arena *arena, bool change, size_t *count,
			    struct error *error)
{
	struct differences found;
	enum status status = verify_tables(db, arena, "", &found, error);

	*count = 0;
	for (size_t i = 0; status == STATUS_OK && i < found.count; i++) {
		if (!can_mend(db, &found.list[i]))
			continue;
		if (change)
			status = mend(db, arena, &found.list[i], error);
		++*count;
	}
	return status;
}

enum status schema_mend(struct db *db, struct arena *arena, size_t *mended, struct error *error)
{
	enum status status = mend_all(db, arena, false, mended, error);

	if (status != STATUS_OK || *mended == 0)
		return status;
	status = db_lock(db, error);
	if (status != STATUS_OK)
		return status;
	status = mend_all(db, arena, true, mended, error);
	bool commit = status == STATUS_OK;
	enum status unlocked = db_unlock(db, commit, commit ? error : NULL);
	return commit ? unlocked : status;
}

enum status schema_verify(struct db *db, struct arena *arena, const char ***differences,
			  size_t *count, struct error *error)
{
	struct differences found;
	enum status status = verify_tables(db, arena, "", &found, error);

	if (status != STATUS_OK)
		return status;
	const char **texts = arena_array(arena, found.count + 1, sizeof(*texts));
	for (size_t i = 0; i < found.count; i++)
		texts[i] = found.list[i].text;
	*differences = texts;
	*count = found.count;
	return STATUS_OK;
}

const char *schema_sql(struct arena *arena, enum db_dialect dialect, const char *schema)
{
	struct text text = { 0 };
	struct state state = { 0 };

	state.list = arena_array(arena, sql_file_count, sizeof(*state.list));
	list_ours(dialect, &state);
	text_add(&text, sql_find(DDL_PREFIX "begin", dialect));
	if (dialect == DB_POSTGRESQL && schema)
		text_printf(&text, "\n%s",
			    ddl_text(arena, DDL_PREFIX "namespace", dialect, schema));
	for (size_t i = 0; i < state.count; i++)
		text_printf(&text, "\n%s",
			    schema_migration_sql(arena, &state.list[i], dialect, schema));
	text_printf(&text, "\n%s", sql_find(DDL_PREFIX "commit", dialect));
	return text_take(&text, arena);
}
