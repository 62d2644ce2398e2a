/*
 * JSON as Rails writes it, where Jansson is narrower: strings may hold U+0000, in keys too, and
 * numbers may be too large for its own. Such a number is carried as a string, of its text and a
 * mark behind a NUL, and is a number again when it is written; in a key another mark stands for
 * U+0000. The marks are random, of this process, and a text that holds them is refused.
 */
#ifndef WIDE_JSON_H
#define WIDE_JSON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct arena;

/* As json_loads; NULL with `where` filled in when it is no JSON. */
json_t *wide_json_load(const char *text, size_t flags, json_error_t *where);

/* As json_dumps; to be freed. */
char *wide_json_dump(const json_t *value, size_t flags);

/* Any value as compact JSON, its numbers as short as they can be without another meaning. */
const char *wide_json_text(struct arena *arena, const json_t *value);

/* The text of a number that is carried as a string; else NULL. Borrowed. */
const char *wide_json_number(const json_t *value);

/* A key that was read, as a string of its own, with the U+0000 that it had; NULL: no memory. */
json_t *wide_json_key(const char *key);

#endif
