/* What stands, in few words: for the title of a process, and what a service manager shows. */
#ifndef DEGRADED_H
#define DEGRADED_H

#include "queue/findings/kept.h"

#define DEGRADED_SIZE 128

/*
 * "degraded: queue mail late 6m +2": the worst, and how many others stand; "" = none. It is
 * printable ASCII, as names come from the tables, and a line break there would be another message.
 */
void degraded_text(struct arena *arena, const struct kept_list *kept, int64_t now,
		   char text[DEGRADED_SIZE]);

#endif
