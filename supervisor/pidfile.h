/*
 * The supervisor's pidfile: one supervisor for each file. If the file names a living
 * supervisor, the start is refused; a file left behind by a dead one is taken over, also when
 * another program has its number by now. A lock on the file (flock)
 * makes the check and the writing one step, so that exactly one of two supervisors that start at
 * once succeeds.
 */
#ifndef PIDFILE_H
#define PIDFILE_H

#include <stdbool.h>
#include <sys/types.h>

#include "common/error.h"

#define PIDFILE_STARTING "dray: starting" /* the title of a supervisor that claims one */

/*
 * Writes our pid (decimal, no newline) to path and makes missing parent directories. CONFLICT if
 * the file names a living supervisor, INVALID if it cannot be made.
 */
enum status pidfile_claim(const char *path, struct error *error) MUST_CHECK;

/* The pid in the file. INVALID if there is no such file, or no pid in it. */
enum status pidfile_read(const char *path, pid_t *pid, struct error *error) MUST_CHECK;

/* Is that process of this host a running supervisor? Its number may be another program's by now. */
bool supervisor_is(pid_t pid);

/* Removes the file if it still names this process. */
void pidfile_release(const char *path);

#endif
