/*
 * A trigger of the proofs' own in the database under test: it notes in a table `twice` whoever
 * finishes a job that is finished already.
 */
#ifndef AUDIT_H
#define AUDIT_H

#include "db/db.h"

/* Once a database, after its tables have been made. On MySQL by a user who may make triggers. */
enum status audit_install(struct db *db, struct error *error) MUST_CHECK;

/* Jobs noted so far; over a connection of its own. */
enum status audit_count(const char *url, int64_t *count, struct error *error) MUST_CHECK;

#endif
