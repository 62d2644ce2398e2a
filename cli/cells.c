#include "cli/cells.h"

#include <stdbool.h>
#include <string.h>

#include "common/utf8.h"

char *cell_clean(struct arena *arena, const char *text)
{
	char *copy = arena_strdup(arena, text);

	for (char *at = copy; *at;) {
		size_t length = utf8_sequence(at, strlen(at) < 4 ? strlen(at) : 4);
		unsigned char byte = (unsigned char)*at;
		bool control = byte < 0x20 || byte == 0x7f ||
			       (length == 2 && byte == 0xc2 && (unsigned char)at[1] < 0xa0);
		if (length == 0)
			*at = '?';
		else if (control)
			for (size_t i = 0; i < length; i++)
				at[i] = byte == '\n' || byte == '\t' ? ' ' : '?';
		at += length > 0 ? length : 1;
	}
	return copy;
}

size_t cell_characters(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += ((unsigned char)*text & 0xc0) != 0x80;
	return count;
}

int cell_bytes(const char *text, size_t count)
{
	size_t bytes = 0;

	while (text[bytes] && (count > 0 || ((unsigned char)text[bytes] & 0xc0) == 0x80))
		count -= ((unsigned char)text[bytes++] & 0xc0) != 0x80;
	return (int)bytes;
}
