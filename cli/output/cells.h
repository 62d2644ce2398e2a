/* Texts in columns: on one line and measured in characters, whatever they hold. */
#ifndef CELLS_H
#define CELLS_H

#include <stddef.h>

#include "common/arena.h"

/* A copy with neither a line break nor anything a terminal would obey. */
char *cell_clean(struct arena *arena, const char *text);

/*
 * The same of several lines, as of JSON: what deceives (utf8_deceives) is written as in JSON,
 * \u202e, and everything else stays.
 */
char *cell_escape(struct arena *arena, const char *text);

/* How many characters of UTF-8. */
size_t cell_characters(const char *text);

/* Bytes of the first `count` characters. */
int cell_bytes(const char *text, size_t count);

#endif
