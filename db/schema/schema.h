/*
 * db/schema/: the tables: making them, and comparing them with what should be there.
 *
 * The tables: numbered migrations in db/sql/schema, recorded in dray_migrations; a manifest of
 * what every table must look like; and the comparison of the two with a live database.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "db/db.h"

struct schema_migration {
	int number;
	const char *name;
	bool applied;
	bool adopted;       /* the tables were there already: made by Rails, left as they are */
	int64_t applied_at; /* 0 when not applied */
};

/* Migrations in order with their state; a database without dray_migrations has none applied. */
enum status schema_status(struct db *db, struct arena *arena, struct schema_migration **list,
			  size_t *count, struct error *error) MUST_CHECK;

/*
 * Applies what is missing, under a lock so that two processes at once are safe; *applied is how
 * many it did. Existing Solid Queue tables are adopted: recorded, never altered. Tables of ours
 * that a schema dump made are made again, or adopted when there are rows in them.
 */
enum status schema_migrate(struct db *db, struct arena *arena, size_t *applied,
			   struct error *error) MUST_CHECK;

/*
 * Makes the indexes and foreign keys of our own tables that are missing: a Rails schema file that
 * is loaded over the tables drops the keys with the tables they point to. So it does with the table
 * by which Rails knows that the others were made: a backup of some tables is without it. *mended is
 * how many.
 */
enum status schema_mend(struct db *db, struct arena *arena, size_t *mended,
			struct error *error) MUST_CHECK;

/*
 * OK when this program can work on the database; INVALID with a text that names the command to
 * run when it is behind, or says that it is newer than this program.
 */
enum status schema_require(struct db *db, struct error *error) MUST_CHECK;

/* Differences from the manifest, one line each ("solid_queue_jobs.priority: ..."), *count 0 = none.
 */
enum status schema_verify(struct db *db, struct arena *arena, const char ***differences,
			  size_t *count, struct error *error) MUST_CHECK;

/* The whole DDL of a dialect as text, for a DBA; schema may be NULL. */
const char *schema_sql(struct arena *arena, enum db_dialect dialect, const char *schema);

#endif
