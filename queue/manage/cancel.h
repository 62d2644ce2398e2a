/* Cancelling jobs that run: the note for their process, and a signal where that is on this host. */
#ifndef CANCEL_H
#define CANCEL_H

#include "db/db.h"

/* The columns of its rows; the latter two are null when it was not cancelled before. */
enum { CANCEL_JOB, CANCEL_PID, CANCEL_HOSTNAME, CANCEL_KNOWN_SINCE, CANCEL_KNOWN_BY };

/* The call that notes it for those of these jobs that run. Borrows the values' texts. */
struct db_call cancel_running(struct arena *arena, struct db_value jobs, struct db_value audit,
			      const char *reason, int64_t now);

/*
 * The rows of that call, once it is committed. Processes of this host look at once, others with
 * their next heartbeat.
 */
void cancel_wake(const struct db_rows *rows);

#endif
