/* Cancelling jobs that run: the note for their process. */
#ifndef CANCEL_H
#define CANCEL_H

#include "queue/processes/wake.h"

/* The columns of its rows after those of wake.h; they are null when it was not cancelled before. */
enum { CANCEL_KNOWN_SINCE = WAKE_COLUMNS, CANCEL_KNOWN_BY };

/* The call that notes it for those of these jobs that run. Borrows the values' texts. */
struct db_call cancel_running(struct arena *arena, struct db_value jobs, struct db_value audit,
			      const char *reason, int64_t now);

#endif
