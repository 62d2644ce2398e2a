/*
 * db/scripts/: the files of db/sql, from text to statements that a driver can run.
 *
 * The operations that one struct db has used, rendered for its server at first use. Private to db/.
 */
#ifndef SCRIPTS_H
#define SCRIPTS_H

#include "db/scripts/dialect.h"

struct rendered {
	const struct script *script;
};

struct scripts {
	struct arena *arena;    /* lives as long as the struct db */
	struct dialect dialect; /* of the present connection; its texts live as long as that */
	struct rendered *list;
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
