/*
 * Compares the live catalog with db/sql/schema/manifest.txt. Private to db/: schema.c also uses it
 * before it adopts tables that others have created.
 */
#ifndef VERIFY_H
#define VERIFY_H

#include "db/db.h"

struct difference {
	const char *text; /* one line: what, and what was expected */
	bool missing;     /* a table or a column is missing: dray cannot work without it */
	bool coarse;      /* a time is not kept to the microsecond: claims are named by theirs */

	/* Set if a table, an index or a foreign key is missing entirely; else NULL. */
	const char *table;
	const char *index;      /* its name; NULL for a table or a foreign key */
	const char *definition; /* as in the manifest; NULL for a table */
};

struct differences {
	struct difference *list;
	size_t count;
};

/*
 * Differences of the tables whose names start with `prefix` ("" = all), in the order of the
 * manifest. Additional tables, columns and indexes are no difference (Rails 1.7 adds batch_id),
 * unless an additional column must be given a value.
 */
enum status verify_tables(struct db *db, struct arena *arena, const char *prefix,
			  struct differences *differences, struct error *error) MUST_CHECK;

/* The rows (table, name, definition) of a catalog operation such as "schema_columns". */
enum status verify_catalog(struct db *db, struct arena *arena, const char *operation,
			   struct db_rows *rows, struct error *error) MUST_CHECK;

/* Is there a table whose name starts with `prefix` among the rows of schema_columns? */
bool verify_has_table(const struct db_rows *columns, const char *prefix);

#endif
