/*
 * Private to this folder: what pauses by name and by pattern have in common. pause.c calls
 * pattern.c, and both call rows.c, which this header and the rest of pause.h declare.
 */
#ifndef PAUSE_CALLS_H
#define PAUSE_CALLS_H

#include "queue/pauses/pause.h"

/* NULL for 0. */
struct db_value pause_optional_time(int64_t instant);

/* Pauses anything but a queue; the result says whether it was not paused before. */
struct db_call pause_other_call(struct db *db, struct arena *arena, enum pause_kind kind,
				const char *name, const struct pause_note *note);

/* Deletes a stale row. */
struct db_call pause_forget_call(struct arena *arena, const struct pause_row *row);

#endif
