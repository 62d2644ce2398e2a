#include "db/schema/verify.h"

#include <string.h>

#include "db/driver.h"
#include "db/operations.h"
#include "db/scripts/dialect.h"

enum kind { KIND_COLUMN, KIND_INDEX, KIND_KEY, KINDS };

static const struct {
	const char *word;      /* word in the manifest */
	const char *operation; /* operation that lists the live ones */
	const char *separator; /* between the table and the name, in messages */
} kinds[KINDS] = {
	[KIND_COLUMN] = { "column", "schema_columns", "." },
	[KIND_INDEX] = { "index", DB_LIKE(schema_indexes, schema_columns), ", index " },
	[KIND_KEY] = { "key", DB_LIKE(schema_keys, schema_columns), ", foreign key " },
};

struct item {
	enum kind kind;
	const char *table;
	const char *name;
	const char *definition;
};

struct comparison {
	const struct db *db;
	struct arena *arena;
	const char *prefix;
	struct item *items; /* the manifest */
	size_t item_count;
	struct db_rows live[KINDS];
	struct differences *differences;
};

static enum kind find_kind(const char *word)
{
	enum kind kind = KIND_COLUMN;

	while (kind < KINDS && strcmp(kinds[kind].word, word) != 0)
		kind++;
	return kind;
}

/* Reads "KIND TABLE NAME DEFINITION", splitting the line in place. */
static bool read_item(char *line, struct item *item)
{
	char *rest = line;

	item->kind = find_kind(strsep(&rest, " "));
	item->table = strsep(&rest, " ");
	item->name = strsep(&rest, " ");
	item->definition = rest;
	return item->kind < KINDS && rest;
}

static enum status read_manifest(struct comparison *comparison, struct error *error)
{
	const char *text = sql_find("schema/manifest", DB_DIALECTS);
	if (!text)
		return error_set(error, STATUS_FATAL, "the schema's manifest is missing");
	char *rest = arena_strdup(comparison->arena, text);
	size_t lines = 1;

	for (const char *at = rest; *at; at++)
		lines += *at == '\n';
	comparison->items = arena_array(comparison->arena, lines, sizeof(*comparison->items));
	for (char *line = strsep(&rest, "\n"); line; line = strsep(&rest, "\n")) {
		if (*line == '\0' || *line == '#')
			continue;
		if (!read_item(line, &comparison->items[comparison->item_count++]))
			return error_set(error, STATUS_FATAL, "the schema's manifest: '%s'", line);
	}
	return STATUS_OK;
}

enum status verify_catalog(struct db *db, struct arena *arena, const char *operation,
			   struct db_rows *rows, struct error *error)
{
	struct db_call call = DB_CALL(schema_columns, .schema = P_TEXT(db_options_of(db)->schema));

	call.operation = operation;
	return db_query(db, arena, call, rows, error);
}

static bool starts_with(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool verify_has_table(const struct db_rows *columns, const char *prefix)
{
	for (size_t i = 0; i < columns->count; i++)
		if (starts_with(db_text(columns, i, CATALOG_TABLE), prefix))
			return true;
	return false;
}

/* The first row of this table and name (NULL = any name), or rows->count. */
static size_t find_live(const struct db_rows *rows, const char *table, const char *name)
{
	for (size_t i = 0; i < rows->count; i++)
		if (strcmp(db_text(rows, i, CATALOG_TABLE), table) == 0 &&
		    (!name || strcmp(db_text(rows, i, CATALOG_NAME), name) == 0))
			return i;
	return rows->count;
}

static struct difference *add(struct comparison *comparison, const char *text, bool missing)
{
	struct differences *differences = comparison->differences;

	differences->list = arena_extend(comparison->arena, differences->list, differences->count,
					 sizeof(*differences->list));
	struct difference *added = &differences->list[differences->count++];
	*added = (struct difference){ .text = text, .missing = missing };
	return added;
}

/* SQLite keeps every text as it is, whatever the type of its column. */
static bool is_coarse(const struct db *db, const char *found, const char *expected)
{
	return db_dialect_of(db) != DB_SQLITE && starts_with(expected, "datetime") &&
	       (starts_with(found, "datetime(") || starts_with(found, "timestamp("));
}

/* A missing table is reported once: at its first item, which is a column. */
static void compare_item(struct comparison *comparison, size_t at)
{
	const struct item *item = &comparison->items[at];
	const struct db_rows *columns = &comparison->live[KIND_COLUMN];
	const struct db_rows *rows = &comparison->live[item->kind];
	const char *separator = kinds[item->kind].separator;

	if (find_live(columns, item->table, NULL) == columns->count) {
		if (at == 0 || strcmp(comparison->items[at - 1].table, item->table) != 0)
			add(comparison,
			    arena_printf(comparison->arena, "%s: the table is missing",
					 item->table),
			    true)
				->table = item->table;
		return;
	}
	size_t row = find_live(rows, item->table, item->name);
	bool absent = row == rows->count;
	const char *found = absent ? "missing" : db_text(rows, row, CATALOG_DEFINITION);
	if (strcmp(found, item->definition) == 0 ||
	    (!absent && strcmp(item->definition, "any") == 0))
		return;
	struct difference *difference =
		add(comparison,
		    arena_printf(comparison->arena, "%s%s%s: %s, expected %s", item->table,
				 separator, item->name, found, item->definition),
		    absent && item->kind == KIND_COLUMN);
	difference->coarse = is_coarse(comparison->db, found, item->definition);
	if (absent && item->kind != KIND_COLUMN) {
		difference->table = item->table;
		difference->index = item->kind == KIND_INDEX ? item->name : NULL;
		difference->definition = item->definition;
	}
}

static bool is_expected(const struct comparison *comparison, const char *table, const char *name)
{
	bool known_table = false;

	for (size_t i = 0; i < comparison->item_count; i++) {
		const struct item *item = &comparison->items[i];
		if (item->kind != KIND_COLUMN || strcmp(item->table, table) != 0)
			continue;
		known_table = true;
		if (strcmp(item->name, name) == 0)
			return true;
	}
	return !known_table;
}

/* A column that dray does not know and that must be given a value makes our inserts fail. */
static void compare_live_column(struct comparison *comparison, size_t row)
{
	const struct db_rows *columns = &comparison->live[KIND_COLUMN];
	const char *table = db_text(columns, row, CATALOG_TABLE);
	const char *name = db_text(columns, row, CATALOG_NAME);
	const char *definition = db_text(columns, row, CATALOG_DEFINITION);

	if (!starts_with(table, comparison->prefix) || is_expected(comparison, table, name))
		return;
	if (strstr(definition, " not null") && !strstr(definition, " default "))
		add(comparison,
		    arena_printf(comparison->arena,
				 "%s.%s: %s, not expected, and no row can be inserted without it",
				 table, name, definition),
		    false);
}

static void compare(struct comparison *comparison)
{
	for (size_t i = 0; i < comparison->item_count; i++)
		if (starts_with(comparison->items[i].table, comparison->prefix))
			compare_item(comparison, i);
	for (size_t i = 0; i < comparison->live[KIND_COLUMN].count; i++)
		compare_live_column(comparison, i);
}

enum status verify_tables(struct db *db, struct arena *arena, const char *prefix,
			  struct differences *differences, struct error *error)
{
	struct comparison comparison = {
		.db = db, .arena = arena, .prefix = prefix, .differences = differences
	};
	enum status status = read_manifest(&comparison, error);

	for (size_t i = 0; i < KINDS && status == STATUS_OK; i++)
		status = verify_catalog(db, arena, kinds[i].operation, &comparison.live[i], error);
	if (status != STATUS_OK)
		return status;
	*differences = (struct differences){ 0 };
	compare(&comparison);
	return STATUS_OK;
}
