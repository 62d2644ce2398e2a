/*
 * common/text/: texts: building them, stepping through UTF-8, reading values from them.
 *
 * A growable byte buffer with an optional maximum. The owner frees it with text_free; the bytes
 * are always followed by a NUL. Appending past the maximum keeps what fits and sets `truncated`.
 */
#ifndef TEXT_H
#define TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"

struct text {
	char *data; /* NULL until the first append; see text_string */
	size_t length;
	size_t capacity;
	size_t maximum; /* 0 = none */
	bool truncated;
};

void text_append(struct text *text, const char *data, size_t length);
void text_add(struct text *text, const char *string);
void text_number(struct text *text, int64_t number); /* in decimal */
void text_printf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);

/* Adds a JSON string literal, quotes included. Invalid UTF-8 becomes U+FFFD. */
void text_json(struct text *text, const char *string);

/* Adds a member after others of a JSON object; nothing if the string is NULL. */
void text_json_member(struct text *text, const char *key, const char *string);

/* Adds a JSON list of such literals. */
void text_json_texts(struct text *text, const char *const strings[], size_t count);

/*
 * Adds the literal of length bytes in at most `room` bytes (at least 8): a text that does not fit
 * is cut between characters and ends in "...", so that the literal stays complete. Returns false
 * when it was cut.
 */
bool text_json_part(struct text *text, const char *string, size_t length, size_t room);

/* Never NULL: "" while empty. Valid until the next change. */
const char *text_string(const struct text *text);

/* A copy in the arena, never NULL; the text itself is freed. */
char *text_take(struct text *text, struct arena *arena);

/* Empties, keeps the memory. */
void text_clear(struct text *text);
void text_free(struct text *text);

/* Are they the same, or is there none on either side (NULL)? */
bool text_same(const char *a, const char *b);

/* For a message, in the arena: what is no printable ASCII is '?', and a long text is cut. */
const char *text_plain(struct arena *arena, const char *text, size_t length);

/* UTF-8 (RFC 3629), one sequence at a time, for code that prints text from outside */

/* Bytes of the well-formed sequence at data (1 to 4), or 0 when there is none within length. */
size_t utf8_sequence(const char *data, size_t length);

/* The character of a well-formed sequence. */
uint32_t utf8_character(const char *sequence, size_t length);

/*
 * Would a terminal obey it (C1), or show the text after it in another order or on another line
 * (bidirectional marks, line separators)? For characters from U+0080 on.
 */
bool utf8_deceives(uint32_t character);

/* Is it a name: 1 to `most` characters, none of them a control character? */
bool text_is_name(const char *text, size_t most);

/* Is this valid UTF-8 without NUL? Gives the byte offset of the first fault. */
bool utf8_valid(const char *data, size_t length, size_t *fault);

#endif
