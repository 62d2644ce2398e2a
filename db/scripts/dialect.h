/*
 * db/scripts/: the files of db/sql, from text to statements that a driver can run. Private to db/.
 *
 * From a .sql file to statements a driver can run: the text for the dialect is chosen, tokens are
 * replaced, statements are split and named parameters become placeholders.
 *
 * The form of a file in db/sql (tests/db/sql_test.c checks every one):
 *
 *     -- finish(process_id, claims, now) -> claim_id, job_id
 *     -- One or two lines that say what it does.
 *     -- read                         (optional: no transaction needed)
 *     -- guard                        (before a statement: changing no row stops the script)
 *     -- rows                         (before a statement whose rows are the result)
 *     UPDATE ... WHERE id = :claims;
 *
 * Where dialects differ, sections follow, each for the dialects that it names; what stands before
 * the first one is for all:
 *
 *     -- @mysql
 *     UPDATE ...;
 *
 *     -- @postgresql @sqlite
 *     UPDATE ...;
 *
 * Statements end with ";" at the end of a line. Parameters are :name; one name may occur often.
 * PostgreSQL: every solid_queue_* and dray_* table name gets the configured schema in front.
 *
 * Tokens:
 *   {skip_locked}   FOR UPDATE SKIP LOCKED, or FOR UPDATE with no_skip_locked; nothing on SQLite
 *   {in:ids}        compares with a list of ids (PostgreSQL and SQLite)
 *   {as_jobs}       for a text column of JSON_TABLE: the character set and collation of the jobs
 *                   table (MySQL)
 *   {index:name}    FORCE INDEX (name) on MySQL, nothing elsewhere
 *   {join}          STRAIGHT_JOIN on MySQL, JOIN elsewhere
 *   {name:word}     a name that is a word of MySQL's, quoted there
 *   {newest_first}  DESC; nothing in an operation whose name ends with _oldest
 *   {include:name}, {include:name it}
 *                   a fragment, what several scripts share: {it} in it is what the script says
 *                   it is about, to the end of the token, which may have tokens in it
 *
 * A fragment begins with "-- @fragment name" in the fragments.sql of its subject, then a sentence
 * that says what it means; it may have sections, as an operation. It may have statements, marked as
 * there; the last one ends in the script. Behind them a script has no comments of its own.
 *
 * "-- also NAME" gives a file a second name, for {newest_first}.
 */
#ifndef DIALECT_H
#define DIALECT_H

#include "db/driver.h"

#define DIALECT_RAILS_MARKER "schema_migrations" /* made by db/sql/schema/019_tables */

/* One embedded file: made at build time by cmake/embed_sql.cmake, sorted by name. */
struct sql_file {
	const char *name;        /* "claim", or "schema/019_tables", or "fragments/is_eligible" */
	enum db_dialect dialect; /* DB_DIALECTS = for all */
	const char *text;
};

extern const struct sql_file sql_files[];
extern const size_t sql_file_count;

/* What rendering depends on. */
struct dialect {
	enum db_dialect kind;
	const char *schema;    /* PostgreSQL; NULL = none */
	const char *collation; /* MySQL: of the jobs table's text columns */
	bool no_skip_locked;
};

/* The text for this dialect (the override if there is one), or NULL. */
const char *sql_find(const char *name, enum db_dialect dialect);

/* Renders one file for a dialect. FATAL, with what is wrong, when it is malformed. */
enum status dialect_render_file(struct arena *arena, const struct sql_file *file,
				const struct dialect *dialect, const struct script **out,
				struct error *error) MUST_CHECK;

/*
 * Renders one operation. FATAL when the file is missing or malformed: a bug, found by the test
 * that renders all of them.
 */
enum status dialect_render(struct arena *arena, const char *name, const struct dialect *dialect,
			   const struct script **out, struct error *error) MUST_CHECK;

/* A name or literal in SQL: between two of `quote`, each one inside doubled. */
char *dialect_quote(struct arena *arena, const char *text, char quote);

/* Puts `schema` before every name of our tables in sql. Also used for DDL. */
char *dialect_qualify(struct arena *arena, const char *sql, const char *schema);

/* The operations that one struct db has used, rendered for its server at first use. */
struct scripts {
	struct arena *arena;    /* lives as long as the struct db */
	struct dialect dialect; /* of the present connection; its texts live as long as that */
	const struct script **list;
	size_t count;
	unsigned statements; /* numbered so far: IDs belong to one struct db, and do not grow with
				each one that is opened, as the drivers' tables by ID would */
};

/* The operation `name`; FATAL when db/sql has no such operation or it is malformed. */
enum status scripts_find(struct scripts *scripts, const char *name, const struct script **script,
			 struct error *error) MUST_CHECK;

/*
 * A script that is not in db/sql and runs once: one SELECT without parameters that ends with ";".
 * For migrations, whose table names are known only at run time.
 */
enum status scripts_ask(struct scripts *scripts, const char *sql, const struct script **script,
			struct error *error) MUST_CHECK;

#endif
