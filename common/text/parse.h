/*
 * Turns texts from people into values: pure, bounded, independent of the locale. All return INVALID
 * without changing *out.
 */
#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/error.h"

/* Decimal with optional sign, the whole text, within [minimum, maximum]. */
enum status parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *out) MUST_CHECK;

/* Decimal number such as "0.1", finite, the whole text. */
enum status parse_real(const char *text, double *out) MUST_CHECK;

/* true/false, yes/no, on/off (YAML 1.1 spellings in lower, upper or title case). */
enum status parse_bool(const char *text, bool *out) MUST_CHECK;

/*
 * A span in microseconds: a bare number is seconds ("0.1", "30"), or numbers with units, largest
 * first, each at most once: d h m s ms us ("1h30m", "1.5s", "4m 10s"). Never negative, at most 100
 * years; a value that is not a whole number of microseconds is INVALID.
 */
enum status parse_duration(const char *text, int64_t *microseconds) MUST_CHECK;

/* Bytes: "64", "64k", "64K", "64KiB", "10M", "2G" (powers of 1024). */
enum status parse_size(const char *text, int64_t *bytes) MUST_CHECK;

/* Is this valid UTF-8 without NUL? Gives the byte offset of the first fault. */
bool utf8_valid(const char *data, size_t length, size_t *fault);

/* The entry nearest to word by edit distance (at most 1/3 of its length), or NULL. */
const char *nearest_word(const char *word, const char *const words[], size_t count);

/*
 * Copies url into out with the password (user part and password=... parameters) replaced by "***".
 * A URL may reach a log, an error or a terminal only in this form.
 */
void url_mask(const char *url, char *out, size_t size);

#endif
