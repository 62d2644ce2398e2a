/* The files of db/sql/schema: as text, and to run. Private to db/. */
#ifndef DDL_H
#define DDL_H

#include "db/schema/schema.h"

/* Prefix of the name of every DDL file. */
#define DDL_PREFIX "schema/"

/*
 * A file's text for a schema of PostgreSQL (NULL = none): table names are qualified, {schema} is
 * its name as a literal. NULL when there is no such file.
 */
const char *ddl_text(struct arena *arena, const char *name, enum db_dialect dialect,
		     const char *schema);

/* A migration's text, as ddl_text; where it is adopted, without the tables of Solid Queue. */
const char *ddl_migration(struct arena *arena, const struct schema_migration *migration,
			  enum db_dialect dialect, const char *schema);

/* These run something: call them between db_lock and db_unlock. */
enum status ddl_migrate(struct db *db, struct arena *arena,
			const struct schema_migration *migration, struct error *error) MUST_CHECK;
enum status ddl_run(struct db *db, struct arena *arena, const char *name,
		    struct error *error) MUST_CHECK;

/* The same with the caller's SQL, in which our tables are named. */
enum status ddl_run_text(struct db *db, struct arena *arena, const char *sql,
			 struct error *error) MUST_CHECK;

#endif
