/*
 * For fingerprint.c: names in a message that differ from run to run. Each function returns how many
 * bytes belong to the one that begins at `at`, or 0. They look ahead a bounded way, or only from
 * where a token begins, so that a message is read in linear time.
 */
#ifndef FINGERPRINT_NAMES_H
#define FINGERPRINT_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names_text {
	const char *data;
	size_t length;
};

/* The byte there; NUL beyond the end. */
static inline char names_look(const struct names_text *text, size_t at)
{
	if (at >= text->length)
		return 0;
	return text->data[at];
}

/* ASCII alone, whatever the locale. */
static inline bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static inline bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool is_alnum(char c)
{
	return is_digit(c) || is_letter(c);
}

static inline bool is_blank(char c)
{
	return (c > '\0' && c <= ' ' && c != '\033') || c == 0x7f;
}

/* May be inside a relative path or an e-mail address: before one of them stands something else. */
bool is_token(char c);

/* How many bytes from there are such. */
size_t names_run(const struct names_text *text, size_t at, bool (*is)(char c));

size_t names_url(const struct names_text *text, size_t at);
size_t names_mail(const struct names_text *text, size_t at);

/* Unix and Windows; relative ones if they look like one, and plain names of files of data. */
size_t names_path(const struct names_text *text, size_t at);

/* UUIDs, hexadecimal and mixed ids, IPv6 and MAC addresses, names of months and days. */
size_t names_id(const struct names_text *text, size_t at);

/* The end of the number that begins here. */
size_t names_number(const struct names_text *text, size_t at);

/* The end of its unit of time or size, or of what stands in timestamps; `at` = it has none. */
size_t names_unit(const struct names_text *text, size_t at);

#endif
