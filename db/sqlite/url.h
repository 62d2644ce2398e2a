/*
 * Private to the SQLite driver: what its urls may say, and the directories that their paths need.
 */
#ifndef SQLITE_URL_H
#define SQLITE_URL_H

#include "db/driver.h"

struct sqlite_settings {
	const char *synchronous; /* a pragma */
	unsigned mode;           /* of a file that is made */
};

/* INVALID for what is not the path of a file or not an option. */
enum status sqlite_read_url(const struct db_url *url, struct sqlite_settings *settings,
			    struct error *error) MUST_CHECK;

/* Makes the directories above the file. What cannot be made is left to opening to report. */
enum status sqlite_make_parent(const char *path, struct error *error) MUST_CHECK;

/*
 * Makes the file, with this mode exactly: arguments of jobs are in it. SQLite gives the same to its
 * log. One that exists stays as it is, and what cannot be made is left to opening to report.
 */
void sqlite_make_file(const char *path, unsigned mode);

/* INVALID when the folder that the file is in is not there. */
enum status sqlite_find_parent(const char *path, struct error *error) MUST_CHECK;

/* INVALID when there is certainly no such file; what else is wrong is left to opening. */
enum status sqlite_find_file(const char *path, struct error *error) MUST_CHECK;

#endif
