/*
 * JSON as Rails writes it, where Jansson is narrower: strings may contain U+0000, also in keys, and
 * numbers may be too large for Jansson. Such a number is held as a string of its text and a mark
 * behind a NUL, and becomes a number again when it is written; in a key another mark stands for
 * U+0000. The marks are random, made by this process, and a text that contains them is refused.
 */
#ifndef WIDE_JSON_H
#define WIDE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* Like json_loads; NULL, with `where` set, when it is not JSON. */
json_t *wide_json_load(const char *text, size_t flags, json_error_t *where);

/*
 * Like json_dumps, and fractions as short as possible without changing their value (0.1). The
 * flags have no precision of their own. The caller frees the result.
 */
char *wide_json_dump(const json_t *value, size_t flags);

/* The same for any value, compact, in the arena. */
const char *wide_json_text(struct arena *arena, const json_t *value);

/* The text of a number that is held as a string; else NULL. Borrowed. */
const char *wide_json_number(const json_t *value);

/* A key that was read, as a string value, with the U+0000 that it had; NULL: no memory. */
json_t *wide_json_key(const char *key);

#endif
