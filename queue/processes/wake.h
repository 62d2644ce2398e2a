/* Processes of this host that are to look at once, and not with their next heartbeat. */
#ifndef WAKE_H
#define WAKE_H

#include "db/db.h"

/* For the columns `running` of rows, which stand first, once they are committed: signals those of
 * this host. */
void processes_wake(const struct db_rows *rows);

#endif
