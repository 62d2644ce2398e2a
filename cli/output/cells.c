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

/* What takes two columns (East Asian wide and full-width, pictures), and none (marks over others).
 */
static const struct {
	uint32_t first, last;
	unsigned columns;
} widths[] = {
	{ 0x0300, 0x036f, 0 },   { 0x1100, 0x115f, 2 },   { 0x1ab0, 0x1aff, 0 },
	{ 0x200b, 0x200f, 0 },   { 0x20d0, 0x20ff, 0 },   { 0x2e80, 0x303e, 2 },
	{ 0x3041, 0xa4cf, 2 },   { 0xa960, 0xa97f, 2 },   { 0xac00, 0xd7a3, 2 },
	{ 0xf900, 0xfaff, 2 },   { 0xfe00, 0xfe0f, 0 },   { 0xfe20, 0xfe2f, 0 },
	{ 0xfe30, 0xfe6f, 2 },   { 0xff01, 0xff60, 2 },   { 0xffe0, 0xffe6, 2 },
	{ 0x1f300, 0x1f64f, 2 }, { 0x1f680, 0x1f6ff, 2 }, { 0x1f900, 0x1f9ff, 2 },
	{ 0x20000, 0x3fffd, 2 },
};

/* Of the character at text; *length are its bytes. A byte that begins none takes a column. */
static size_t columns_of(const char *text, size_t *length)
{
	const size_t bytes = utf8_sequence(text, strnlen(text, 4));
	const uint32_t character = bytes > 1 ? utf8_character(text, bytes) : 0;

	*length = bytes > 0 ? bytes : 1;
	for (size_t i = 0; i < sizeof(widths) / sizeof(widths[0]); i++)
		if (character >= widths[i].first && character <= widths[i].last)
			return widths[i].columns;
	return 1;
}

size_t cell_columns(const char *text)
{
	size_t count = 0;

	for (size_t length; *text; text += length)
		count += columns_of(text, &length);
	return count;
}

int cell_bytes(const char *text, size_t count)
{
	size_t bytes = 0;

	for (size_t length, columns; text[bytes]; bytes += length) {
		columns = columns_of(text + bytes, &length);
		if (columns > count)
			break;
		count -= columns;
	}
	return (int)bytes;
}
