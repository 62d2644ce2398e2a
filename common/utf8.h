/* Steps through UTF-8 (RFC 3629) a sequence at a time, for whatever prints text from outside. */
#ifndef UTF8_H
#define UTF8_H

#include <stddef.h>

/* Bytes of the well-formed sequence at data (1 to 4), or 0 when there is none within length. */
size_t utf8_sequence(const char *data, size_t length);

#endif
