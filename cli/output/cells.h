/* Texts for columns: kept on one line and measured in columns, whatever they contain. */
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

/* How many columns of a terminal a UTF-8 text takes. */
size_t cell_columns(const char *text);

/* The number of bytes of what fits into `count` columns. */
int cell_bytes(const char *text, size_t count);

#endif
