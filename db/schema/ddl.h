/*
 * The files of db/sql/schema as text, and run. Private to db/.
 */
#ifndef DDL_H
#define DDL_H

#include "db/db.h"

/* Before the name of every file of DDL. */
#define DDL_PREFIX "schema/"

/*
 * A file's text for a schema of PostgreSQL (NULL = none): table names are qualified, {schema} is
 * its name as a literal. NULL when there is no such file.
 */
const char *ddl_text(struct arena *arena, const char *name, enum db_dialect dialect,
		     const char *schema);

/* Between db_lock and db_unlock. */
enum status ddl_run(struct db *db, struct arena *arena, const char *name,
		    struct error *error) MUST_CHECK;

/* The same with SQL of the caller, which has tables of ours in it. */
enum status ddl_run_text(struct db *db, struct arena *arena, const char *sql,
			 struct error *error) MUST_CHECK;

/* The text with every `token` replaced by `value`. */
const char *ddl_replace(struct arena *arena, const char *text, const char *token,
			const char *value);

#endif
