/*
 * A trigger for the proofs in the database under test: it records in a table `twice` each job that
 * is finished although it has finished already.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "db/db.h"

/* Once a database, after its tables exist. On MySQL the user must be allowed to create triggers. */
enum status audit_install(struct db *db, struct error *error) MUST_CHECK;

/* Jobs recorded so far; over a connection of its own. */
enum status audit_count(const char *url, int64_t *count, struct error *error) MUST_CHECK;

/* A statement whose result is one number; over a connection of its own. */
enum status audit_ask(const char *url, const char *sql, int64_t *number,
		      struct error *error) MUST_CHECK;

#endif
