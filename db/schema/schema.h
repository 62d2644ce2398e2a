/*
 * db/schema/: the tables: making them, and comparing them with what should be there.
 *
 * The tables: numbered migrations in db/sql/schema, recorded in dray_migrations; a manifest of what
 * every table must look like; and the comparison of the manifest with a live database.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "db/db.h"

struct schema_migration {
	int number;
	const char *name;
	bool applied;
	bool adopted;       /* Rails had made the tables of Solid Queue: left unchanged */
	int64_t applied_at; /* 0 when not applied */
};

/* Migrations in order with their state; a database without dray_migrations has none applied. */
enum status schema_status(struct db *db, struct arena *arena, struct schema_migration **list,
			  size_t *count, struct error *error) MUST_CHECK;

/*
 * Applies what is missing, under a lock, so that two processes may do this at once; *applied is how
 * many. Existing Solid Queue tables are adopted: recorded, never altered. Tables of ours that come
 * from a schema dump are created again, or kept if they have rows. INVALID for a database that a
 * newer program made, or one before the first release that cannot be taken over.
 */
enum status schema_migrate(struct db *db, struct arena *arena, size_t *applied,
			   struct error *error) MUST_CHECK;

/*
 * Creates the indexes and foreign keys of our own tables that are missing: loading a Rails schema
 * file over the tables drops the keys along with the tables they refer to. The same for the table
 * by which Rails knows that the others were created: a backup of some tables lacks it. *mended is
 * how many.
 */
enum status schema_mend(struct db *db, struct arena *arena, size_t *mended,
			struct error *error) MUST_CHECK;

/*
 * OK when this program can work on the database; INVALID when the database is behind (the text
 * names the command to run) or newer than this program.
 */
enum status schema_require(struct db *db, struct error *error) MUST_CHECK;

/* Differences from the manifest, one line each ("solid_queue_jobs.priority: ..."), *count 0 = none.
 */
enum status schema_verify(struct db *db, struct arena *arena, const char ***differences,
			  size_t *count, struct error *error) MUST_CHECK;

/* A migration's DDL, for a schema of PostgreSQL if not NULL; an adopted one makes no tables of
 * Rails. */
const char *schema_migration_sql(struct arena *arena, const struct schema_migration *migration,
				 enum db_dialect dialect, const char *schema);

/* The whole DDL of a dialect as text, for a DBA; schema may be NULL. */
const char *schema_sql(struct arena *arena, enum db_dialect dialect, const char *schema);

#endif
