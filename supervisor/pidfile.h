/*
 * The supervisor's pidfile: one supervisor a file. A file that names a living process refuses the
 * start, one left behind by a dead process is taken over; an flock on the file makes the check and
 * the writing one step, so that of two supervisors starting at once exactly one wins.
 */
#ifndef PIDFILE_H
#define PIDFILE_H

#include <sys/types.h>

#include "common/error.h"

/*
 * Writes our pid (decimal, no newline) to path, making missing parent directories. CONFLICT when a
 * living process is named there, INVALID when the file cannot be made.
 */
enum status pidfile_claim(const char *path, struct error *error) MUST_CHECK;

/* The pid in the file. INVALID when there is no such file, or no pid in it. */
enum status pidfile_read(const char *path, pid_t *pid, struct error *error) MUST_CHECK;

/* Removes the file if it still names this process. */
void pidfile_release(const char *path);

#endif
