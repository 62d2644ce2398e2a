#include "cli/output/cells.h"

#include <string.h>

#include "common/text/text.h"

char *cell_escape(struct arena *arena, const char *text)
{
	struct text out = { 0 };

	for (const char *at = text; *at;) {
		size_t length = utf8_sequence(at, strnlen(at, 4));
		uint32_t character = length > 1 ? utf8_character(at, length) : 0;
		if (utf8_deceives(character))
			text_printf(&out, "\\u%04x", (unsigned)character);
		else
			text_append(&out, at, length > 0 ? length : 1);
		at += length > 0 ? length : 1;
	}
	return text_take(&out, arena);
}

char *cell_clean(struct arena *arena, const char *text)
{
	char *copy = cell_escape(arena, text);

	for (char *at = copy; *at;) {
		size_t length = utf8_sequence(at, strnlen(at, 4));
		unsigned char byte = (unsigned char)*at;
		if (byte == '\n' || byte == '\t')
			*at = ' ';
		else if (length == 0 || byte < 0x20 || byte == 0x7f)
			*at = '?';
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
