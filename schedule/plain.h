/* Text of other people's as it may stand in a message. */
#ifndef PLAIN_H
#define PLAIN_H

#include "common/arena.h"

/* In the arena: what is no printable ASCII is '?', and a long text is cut. */
const char *plain_text(struct arena *arena, const char *text, size_t length);

#endif
