/* Cancelling jobs that run: the note for their process. */
#ifndef CANCEL_H
#define CANCEL_H

#include "queue/processes/wake.h"

/* The columns of its rows after those of wake.h; they are null when it was not cancelled before. */

/* The call that notes it for those of these jobs that run. Borrows the values' texts. */
void cancel_running(struct db_calls *calls, struct db_value jobs, struct db_value audit,
		    const char *reason, int64_t now);

#endif
