/* What pauses by name and by pattern have in common; nobody else's. */
#ifndef PAUSE_CALLS_H
#define PAUSE_CALLS_H

#include "queue/pauses/pause.h"

/* Pauses what is not a queue; the result is whether it was not so before. */
struct db_call pause_other_call(struct db *db, struct arena *arena, enum pause_kind kind,
				const char *name, const struct pause_note *note);

/* Forgets a stale row. */
struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row);

#endif
