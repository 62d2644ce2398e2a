/* Cancelling jobs that run: the note for their process. */
#ifndef CANCEL_H
#define CANCEL_H

#include "queue/processes/wake.h"

/*
 * Adds the call that notes it for those of these jobs that run. Of its rows known_since and
 * known_by are null when the job was not cancelled before.
 */
void cancel_running(struct db_calls *calls, struct db_value jobs, struct db_value audit,
		    const char *reason, int64_t now);

#endif
