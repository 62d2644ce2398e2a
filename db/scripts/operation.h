/*
 * An operation as the server gets it, for people.
 */
#ifndef OPERATION_H
#define OPERATION_H

#include "db/db.h"

/*
 * The statements of the operation (a file of db/sql: "claim") in this dialect, with the file's
 * comments; schema: PostgreSQL's, or NULL. *text is in the arena. NONE: there is no such operation.
 */
enum status operation_text(struct arena *arena, const char *name, enum db_dialect dialect,
			   const char *schema, const char **text, struct error *error) MUST_CHECK;

/* The names of all operations, sorted, NULL-terminated; in the arena. */
const char **operation_names(struct arena *arena, size_t *count);

#endif
