/* Steps through UTF-8 (RFC 3629) one sequence at a time, for code that prints text from outside. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes of the well-formed sequence at data (1 to 4), or 0 when there is none within length. */
size_t utf8_sequence(const char *data, size_t length);

/* The character of a well-formed sequence. */
uint32_t utf8_character(const char *sequence, size_t length);

/*
 * Would a terminal obey it (C1), or show the text after it in another order or on another line
 * (bidirectional marks, line separators)? For characters from U+0080 on.
 */
bool utf8_deceives(uint32_t character);

#endif
