/*
 * Texts: UTF-8 a sequence at a time, and the buffer that grows with what is printed into it, JSON
 * above all. The buffer takes bytes as they are; JSON and text_plain replace what is no UTF-8.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/text.h"

/* UTF-8 */

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

bool text_is_name(const char *text, size_t most)
{
	size_t characters = 0;

	for (const char *at = text; *at != '\0'; at++) {
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			return false;
		characters += (*at & 0xC0) != 0x80;
	}
	return characters > 0 && characters <= most;
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

/* The buffer */

#define CAPACITY_FIRST 64
#define PLAIN_MAXIMUM  40

/* How many of `more` bytes fit under the maximum. */
static size_t room_for(struct text *text, size_t more)
{
	if (text->maximum == 0)
		return more;
	size_t room = text->length < text->maximum ? text->maximum - text->length : 0;
	if (more <= room)
		return more;
	text->truncated = true;
	return room;
}

/* Makes space for `more` bytes and the NUL. */
static void make_room(struct text *text, size_t more)
{
	if (more > PTRDIFF_MAX - 1 - text->length)
		out_of_memory();
	size_t needed = text->length + more + 1;
	if (needed <= text->capacity)
		return;
	size_t capacity = text->capacity > 0 ? text->capacity : CAPACITY_FIRST;
	while (capacity < needed)
		capacity *= 2;
	char *data = realloc(text->data, capacity);
	if (!data)
		out_of_memory();
	text->data = data;
	text->capacity = capacity;
}

void text_append(struct text *text, const char *data, size_t length)
{
	length = room_for(text, length);
	make_room(text, length);
	if (length > 0)
		memcpy(text->data + text->length, data, length);
	text->length += length;
	text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *string)
{
	text_append(text, string, strlen(string));
}

PRINTF_LIKE(2, 0)
static void add_formatted(struct text *text, const char *format, va_list args)
{
	va_list measured;
	va_copy(measured, args);
	int needed = vsnprintf(NULL, 0, format, measured);
	va_end(measured);
	if (needed <= 0)
		return;
	size_t length = room_for(text, (size_t)needed);
	make_room(text, length);
	(void)vsnprintf(text->data + text->length, length + 1, format, args);
	text->length += length;
}

void text_number(struct text *text, int64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);
	uint64_t left = number < 0 ? -(uint64_t)number : (uint64_t)number;

	do
		digits[--at] = (char)('0' + left % 10);
	while ((left /= 10) > 0);
	if (number < 0)
		digits[--at] = '-';
	text_append(text, digits + at, sizeof(digits) - at);
}

void text_printf(struct text *text, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	add_formatted(text, format, args);
	va_end(args);
}

#define UNIT_SIZE 8

/* JSON's short escapes; every other control character is written as \u00xx. */
static const char short_escapes[] = {
	['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',  ['\r'] = 'r',
	['\t'] = 't', ['"'] = '"',  ['\\'] = '\\',
};

/* Control characters, DEL, and characters that deceive a terminal. */
static bool is_control(uint32_t character)
{
	return character < ' ' || character == 0x7f || utf8_deceives(character);
}

/* Writes the JSON form of the character at `at` into unit; returns the bytes read. */
static size_t json_unit(const char *at, size_t left, char unit[UNIT_SIZE])
{
	size_t step = utf8_sequence(at, left);
	unsigned char first = (unsigned char)at[0];
	char escape = '\0';
	if (step == 0) {
		(void)snprintf(unit, UNIT_SIZE, "\xef\xbf\xbd");
		return 1;
	}
	if (first < sizeof(short_escapes))
		escape = short_escapes[first];
	if (escape != '\0')
		memcpy(unit, (const char[]){ '\\', escape, '\0' }, 3);
	else if (is_control(utf8_character(at, step)))
		(void)snprintf(unit, UNIT_SIZE, "\\u%04x",
			       (unsigned)(utf8_character(at, step) & 0xffff));
	else
		(void)snprintf(unit, UNIT_SIZE, "%.*s", (int)step, at);
	return step;
}

/* The longest run of plain ASCII without quotes and backslashes, which can be copied as it is. */
static size_t plain_run(const char *at, size_t left)
{
	size_t run = 0;
	while (run < left && at[run] >= ' ' && at[run] < '\x7f' && at[run] != '"' &&
	       at[run] != '\\')
		run++;
	return run;
}

bool text_json_part(struct text *text, const char *string, size_t length, size_t room)
{
	static const char ending[] = "...\"";
	size_t limit = room < SIZE_MAX - text->length ? text->length + room : SIZE_MAX;
	size_t at = 0;
	text_append(text, "\"", 1);
	while (at < length) {
		char unit[UNIT_SIZE];
		size_t left = limit > text->length + sizeof(ending)
				      ? limit - text->length - sizeof(ending)
				      : 0;
		size_t run = plain_run(string + at, length - at < left ? length - at : left);
		text_append(text, string + at, run);
		at += run;
		if (at == length)
			break;
		size_t step = json_unit(string + at, length - at, unit);
		if (limit < text->length + strlen(unit) + sizeof(ending))
			break;
		text_add(text, unit);
		at += step;
	}
	text_add(text, at < length ? ending : "\"");
	return at == length;
}

void text_json(struct text *text, const char *string)
{
	text_json_part(text, string, strlen(string), SIZE_MAX);
}

void text_json_member(struct text *text, const char *key, const char *string)
{
	if (!string)
		return;
	text_printf(text, ",\"%s\":", key);
	text_json(text, string);
}

void text_json_texts(struct text *text, const char *const strings[], size_t count)
{
	text_add(text, "[");
	for (size_t i = 0; i < count; i++) {
		text_add(text, i > 0 ? "," : "");
		text_json(text, strings[i]);
	}
	text_add(text, "]");
}

bool text_same(const char *a, const char *b)
{
	return a == b || (a && b && strcmp(a, b) == 0);
}

char *text_take(struct text *text, struct arena *arena)
{
	char *copy = arena_strndup(arena, text_string(text), text->length);

	text_free(text);
	return copy;
}

const char *text_string(const struct text *text)
{
	return text->data ? text->data : "";
}

void text_clear(struct text *text)
{
	text->length = 0;
	text->truncated = false;
	if (text->data)
		text->data[0] = '\0';
}

void text_free(struct text *text)
{
	free(text->data);
	text->data = NULL;
	text->length = 0;
	text->capacity = 0;
	text->truncated = false;
}

const char *text_plain(struct arena *arena, const char *text, size_t length)
{
	bool cut = length > PLAIN_MAXIMUM;
	char *copy = arena_strndup(arena, text, cut ? PLAIN_MAXIMUM : length);
	for (char *byte = copy; *byte; byte++)
		if (*byte < ' ' || *byte > '~')
			*byte = '?';
	return cut ? arena_printf(arena, "%s...", copy) : copy;
}
