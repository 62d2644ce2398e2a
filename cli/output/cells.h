/* Texts for columns: kept on one line and measured in characters, whatever they contain. */
#ifndef CELLS_H
#define CELLS_H

#include <stddef.h>

#include "common/arena.h"

/* A copy without line breaks and without anything that a terminal would act on. */
char *cell_clean(struct arena *arena, const char *text);

/*
 * For JSON of several lines: a copy in which deceptive characters (utf8_deceives) are written as
 * JSON escapes (\u202e), and everything else is unchanged.
 */
char *cell_escape(struct arena *arena, const char *text);

/* The number of UTF-8 characters. */
size_t cell_characters(const char *text);

/* The number of bytes in the first `count` characters. */
int cell_bytes(const char *text, size_t count);

#endif
