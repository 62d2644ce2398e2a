#include "common/text/utf8.h"

#include <stdint.h>

#include "common/text/parse.h"

/* A row of RFC 3629's table: the first byte decides the length and narrows the second byte. */
struct sequence {
	unsigned char first, last; /* of the first byte */
	unsigned char second_first, second_last;
	unsigned char length;
};

static const struct sequence sequences[] = {
	{ 0x00, 0x7f, 0x00, 0x00, 1 }, { 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 }, { 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 }, { 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

static const struct sequence *find_sequence(unsigned char first)
{
	for (size_t i = 0; i < sizeof(sequences) / sizeof(sequences[0]); i++)
		if (first >= sequences[i].first && first <= sequences[i].last)
			return &sequences[i];
	return NULL;
}

size_t utf8_sequence(const char *data, size_t length)
{
	const unsigned char *bytes = (const unsigned char *)data;
	if (length == 0)
		return 0;
	const struct sequence *sequence = find_sequence(bytes[0]);
	if (!sequence || sequence->length > length)
		return 0;
	if (sequence->length == 1)
		return 1;
	if (bytes[1] < sequence->second_first || bytes[1] > sequence->second_last)
		return 0;
	for (size_t i = 2; i < sequence->length; i++)
		if ((bytes[i] & 0xc0) != 0x80)
			return 0;
	return sequence->length;
}

bool utf8_valid(const char *data, size_t length, size_t *fault)
{
	size_t at = 0;
	while (at < length) {
		size_t step = utf8_sequence(data + at, length - at);
		if (step == 0 || data[at] == '\0') {
			*fault = at;
			return false;
		}
		at += step;
	}
	return true;
}

uint32_t utf8_character(const char *sequence, size_t length)
{
	unsigned char first = (unsigned char)*sequence;
	uint32_t character = length == 1 ? first : first & (0x7fU >> length);

	for (size_t i = 1; i < length; i++)
		character = character << 6 | ((unsigned char)sequence[i] & 0x3fU);
	return character;
}

bool utf8_deceives(uint32_t character)
{
	return (character >= 0x80 && character < 0xa0) || character == 0x61c ||
	       character == 0x200e || character == 0x200f ||
	       (character >= 0x2028 && character <= 0x202e) ||
	       (character >= 0x2066 && character <= 0x2069);
}
