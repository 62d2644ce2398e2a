/*
 * Private to the SQLite driver: what its urls may say, and the directories that their paths need.
 */
#ifndef SQLITE_URL_H
#define SQLITE_URL_H

#include "db/driver.h"

/* INVALID for what is not the path of a file or not an option; *synchronous is a pragma. */
enum status sqlite_read_url(const struct db_url *url, const char **synchronous,
			    struct error *error) MUST_CHECK;

/* Makes the directories above the file. What cannot be made is left to opening to report. */
enum status sqlite_make_parent(const char *path, struct error *error) MUST_CHECK;

/* INVALID when the folder that the file is in is not there. */
enum status sqlite_find_parent(const char *path, struct error *error) MUST_CHECK;

/* INVALID when there is certainly no such file; what else is wrong is left to opening. */
enum status sqlite_find_file(const char *path, struct error *error) MUST_CHECK;

#endif
