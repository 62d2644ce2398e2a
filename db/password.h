/* Private to db/: the password in a file of its own. */
#ifndef PASSWORD_H
#define PASSWORD_H

#include "common/arena.h"
#include "common/error.h"

/*
 * Sets *password, in the arena, to the file's first line; does nothing if path is NULL. INVALID
 * says what is wrong with the file. Read at every connect, so that a password can be changed while
 * dray runs.
 */
enum status password_read(struct arena *arena, const char *path, const char **password,
			  struct error *error) MUST_CHECK;

#endif
