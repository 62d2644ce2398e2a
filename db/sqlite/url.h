/*
 * Private to the SQLite driver: the options of its URLs, and the directories that their paths need.
 */
#ifndef SQLITE_URL_H
#define SQLITE_URL_H

#include "db/driver.h"

struct sqlite_settings {
	const char *synchronous; /* a pragma */
	unsigned mode;           /* permissions of a new file */
};

/* INVALID when it is not the path of a file, or an option is not valid. */
enum status sqlite_read_url(const struct db_url *url, struct sqlite_settings *settings,
			    struct error *error) MUST_CHECK;

/* Makes the directories above the file. If that fails, opening the file reports it. */
enum status sqlite_make_parent(const char *path, struct error *error) MUST_CHECK;

/*
 * Makes the file with exactly this mode, because jobs' arguments are in it. SQLite gives its log
 * the same mode. An existing file stays as it is. If this fails, opening the file reports it.
 */
void sqlite_make_file(const char *path, unsigned mode);

/* INVALID when the file's folder does not exist. */
enum status sqlite_find_parent(const char *path, bool of_rails, struct error *error) MUST_CHECK;

/* INVALID when the file certainly does not exist; opening it reports any other problem. */
enum status sqlite_find_file(const char *path, bool of_rails, struct error *error) MUST_CHECK;

#endif
