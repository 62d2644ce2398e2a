/*
 * common/text/: texts: building them, reading values from them, stepping through UTF-8.
 *
 * A growable byte buffer with an optional maximum. The owner frees it with text_free; the bytes
 * are always followed by a NUL. Appending past the maximum keeps what fits and sets `truncated`.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "common/error.h"

struct text {
	char *data; /* NULL until the first append; see text_string */
	size_t length;
	size_t capacity;
	size_t maximum; /* 0 = none */
	bool truncated;
};

void text_append(struct text *text, const char *data, size_t length);
void text_add(struct text *text, const char *string);
void text_printf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Adds a JSON string literal, quotes included. Invalid UTF-8 becomes U+FFFD. */
void text_json(struct text *text, const char *string);

/*
 * The same from length bytes, but in at most `room` bytes (at least 8): a text that does not fit is
 * cut between characters and ends in "...", so that the literal stays complete. Returns false when
 * it was cut.
 */
bool text_json_part(struct text *text, const char *string, size_t length, size_t room);

/* Never NULL: "" while empty. Valid until the next change. */
const char *text_string(const struct text *text);

/* Empties, keeps the memory. */
void text_clear(struct text *text);
void text_free(struct text *text);

#endif
