/* What the history says of a job that a person has cancelled. */
#ifndef CANCEL_H
#define CANCEL_H

#include "common/arena.h"

#define CANCEL_ERROR  "Dray::CancelledError"
#define CANCEL_REASON 1000 /* bytes of a reason at most */

/* The JSON of the error: by this user of this host, and why (NULL = no reason was given). */
const char *cancel_error(struct arena *arena, const char *reason);

#endif
