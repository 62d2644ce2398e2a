/* Processes of this host that are to look at once, and not with their next heartbeat. */
#ifndef WAKE_H
#define WAKE_H

#include "db/db.h"

/* The first columns of the rows of scripts that note for processes that jobs are cancelled. */
enum { WAKE_JOB, WAKE_PID, WAKE_HOSTNAME, WAKE_COLUMNS };

/* For such rows, once they are committed: signals those of this host. */
void processes_wake(const struct db_rows *rows);

#endif
