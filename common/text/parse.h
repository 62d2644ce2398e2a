/*
 * Turns texts from people into values: pure, bounded, independent of the locale. The parse_* return
 * INVALID without changing *out.
 */
#ifndef PARSE_H
#define PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "common/arena.h"
#include "common/error.h"

/* Is it 010, which is ten for some and eight for others? */
bool leads_with_zero(const char *text);

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

/* The entry nearest to word by edit distance (at most 1/3 of its length), or NULL. */
const char *nearest_word(const char *word, const char *const words[], size_t count);

/*
 * A command line in one text as a program and its arguments, without a shell: blanks separate
 * words, quotes keep blanks. Text that only a shell could process is refused.
 */

/* Is it Ruby source, which Solid Queue has where dray has a command line? A good guess. */
bool words_are_ruby(const char *text);

/* The words in the arena, then NULL. False: it needs a shell, or a quote is not closed. */
bool words_split(struct arena *arena, const char *text, const char ***words, size_t *count);

/* A text that splits into these words, as long as no word has quotes of both kinds. */
const char *words_join(struct arena *arena, const char *const words[], size_t count);

/*
 * Is it what Rails writes into a database.yml or the options of a database URL for itself: its
 * pool, its migrations, how it speaks to the server? None of it says where a database is. An entry
 * of a mapping, as in variables[sql_mode], is what the mapping is.
 */
bool rails_option(const char *name);

/* Is the name among those of the list, with a space between them? */
bool name_listed(const char *list, const char *name);

/*
 * Copies url into out with the password (user part and password=... parameters) replaced by "***".
 * A URL may reach a log, an error or a terminal only in this form.
 */
void url_mask(const char *url, char *out, size_t size);

#endif
