/* What a byte of a text is, whatever the locale says. */
#ifndef BYTE_H
#define BYTE_H

#include <stdbool.h>

static inline bool is_digit(char byte)
{
	return byte >= '0' && byte <= '9';
}

static inline bool is_blank(char byte)
{
	return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r';
}

#endif
