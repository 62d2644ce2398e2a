/*
 * Texts from people into values: numbers, spans, sizes, the nearest of some words, a command line
 * as words, and what Rails writes for itself. Pure, bounded, independent of the locale.
 */
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/byte.h"
#include "common/text/parse.h"
#include "common/text/text.h"

static size_t digits_at(const char *text)
{
	return strspn(text, "0123456789");
}

bool leads_with_zero(const char *text)
{
	const char *digits = text + (*text == '-' || *text == '+');
	return digits[0] == '0' && is_digit(digits[1]);
}

enum status parse_int(const char *text, int64_t minimum, int64_t maximum, int64_t *out)
{
	const char *digits = text + (text[0] == '-' || text[0] == '+' ? 1 : 0);
	size_t count = digits_at(digits);
	if (count == 0 || digits[count] != '\0')
		return STATUS_INVALID;
	errno = 0;
	long long value = strtoll(text, NULL, 10);
	if (errno != 0 || value < minimum || value > maximum)
		return STATUS_INVALID;
	*out = value;
	return STATUS_OK;
}

/* [sign] digits [. digits] [e [sign] digits], with a digit before the exponent. */
static bool is_decimal(const char *at)
{
	if (*at == '-' || *at == '+')
		at++;
	size_t digits = digits_at(at);
	at += digits;
	if (*at == '.') {
		size_t fraction = digits_at(++at);
		digits += fraction;
		at += fraction;
	}
	if (digits == 0)
		return false;
	if (*at != 'e' && *at != 'E')
		return *at == '\0';
	at++;
	if (*at == '-' || *at == '+')
		at++;
	digits = digits_at(at);
	return digits > 0 && at[digits] == '\0';
}

enum status parse_real(const char *text, double *out)
{
	if (!is_decimal(text))
		return STATUS_INVALID;
	/* In the process's own locale the decimal point may be a comma. */
	locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	if (plain == (locale_t)0)
		return STATUS_INVALID;
	double value = strtod_l(text, NULL, plain);
	freelocale(plain);
	if (!isfinite(value))
		return STATUS_INVALID;
	*out = value;
	return STATUS_OK;
}

struct spelling {
	const char *word;
	bool value;
};

static const struct spelling spellings[] = {
	{ "true", true }, { "True", true },   { "TRUE", true },   { "yes", true },
	{ "Yes", true },  { "YES", true },    { "on", true },     { "On", true },
	{ "ON", true },   { "false", false }, { "False", false }, { "FALSE", false },
	{ "no", false },  { "No", false },    { "NO", false },    { "off", false },
	{ "Off", false }, { "OFF", false },
};

enum status parse_bool(const char *text, bool *out)
{
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (strcmp(text, spellings[i].word) == 0) {
			*out = spellings[i].value;
			return STATUS_OK;
		}
	return STATUS_INVALID;
}

struct unit {
	const char *name;
	int64_t size;
};

/* Largest first: the order in which they may be written. */
static const struct unit duration_units[] = {
	{ "d", CLOCK_DAY },    { "h", CLOCK_HOUR },         { "m", CLOCK_MINUTE },
	{ "s", CLOCK_SECOND }, { "ms", CLOCK_MILLISECOND }, { "us", 1 },
};
#define DURATION_UNITS   (sizeof(duration_units) / sizeof(duration_units[0]))
#define DURATION_SECONDS 3
#define DURATION_MAXIMUM (36525 * CLOCK_DAY)

/* Finds the unit that starts at `from` or later in the table, named by letters up to `length`. */
static size_t find_unit(const char *name, size_t length, size_t from)
{
	size_t i = from;
	while (i < DURATION_UNITS && (strlen(duration_units[i].name) != length ||
				      strncmp(duration_units[i].name, name, length) != 0))
		i++;
	return i;
}

/*
 * Adds the digits of whole and fraction times size to *sum, in integers: each digit of a fraction
 * is worth a tenth of the one before. A result that is not a whole number of microseconds is an
 * error.
 */
static bool add_number(const char *whole, const char *fraction, int64_t size, int64_t *sum)
{
	int64_t value = 0;
	for (; is_digit(*whole); whole++) {
		value = value * 10 + (*whole - '0');
		if (value > DURATION_MAXIMUM / size)
			return false;
	}
	value *= size;
	for (; is_digit(*fraction); fraction++) {
		bool divides = size % 10 == 0;
		if (!divides && strspn(fraction, "0") != digits_at(fraction))
			return false;
		size /= 10;
		value += divides ? (*fraction - '0') * size : 0;
	}
	*sum += value;
	return *sum <= DURATION_MAXIMUM;
}

/* One number with its unit; *next is the first unit that may still follow. */
static bool take_part(const char **at, bool alone, size_t *next, int64_t *sum)
{
	const char *whole = *at;
	const char *end = whole + digits_at(whole);
	const char *fraction = "";
	if (end == whole)
		return false;
	if (*end == '.') {
		fraction = end + 1;
		end = fraction + digits_at(fraction);
		if (end == fraction)
			return false;
	}
	size_t letters = strspn(end, "dhmsu");
	size_t unit = alone && *end == '\0' ? DURATION_SECONDS : find_unit(end, letters, *next);
	if (unit == DURATION_UNITS)
		return false;
	*next = unit + 1;
	*at = end + letters;
	return add_number(whole, fraction, duration_units[unit].size, sum);
}

enum status parse_duration(const char *text, int64_t *microseconds)
{
	const char *at = text;
	size_t next = 0;
	int64_t sum = 0;
	do {
		if (!take_part(&at, at == text, &next, &sum))
			return STATUS_INVALID;
		if (*at == ' ' && is_digit(at[1]))
			at++;
	} while (*at != '\0');
	*microseconds = sum;
	return STATUS_OK;
}

/* The power of 1024 that a size's suffix stands for, or -1. */
static int size_power(const char *suffix)
{
	static const char letters[] = "kKmMgGtT";
	if (suffix[0] == '\0')
		return 0;
	const char *letter = strchr(letters, suffix[0]);
	if (!letter || (suffix[1] != '\0' && strcmp(suffix + 1, "iB") != 0))
		return -1;
	return (int)(letter - letters) / 2 + 1;
}

enum status parse_size(const char *text, int64_t *bytes)
{
	size_t digits = digits_at(text);
	int power = size_power(text + digits);
	if (digits == 0 || power < 0)
		return STATUS_INVALID;
	errno = 0;
	long long number = strtoll(text, NULL, 10);
	int64_t value;
	if (errno != 0 || __builtin_mul_overflow(number, INT64_C(1) << (10 * power), &value))
		return STATUS_INVALID;
	*bytes = value;
	return STATUS_OK;
}

#define WORD_MAXIMUM 64

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Insertions, deletions, changes and swaps of neighbours between two words of at most
 * WORD_MAXIMUM bytes: rows of the usual table, of which the last three are enough.
 */
static size_t edit_distance(const char *a, const char *b)
{
	size_t rows[3][WORD_MAXIMUM + 1] = { 0 };
	size_t width = strlen(b);
	for (size_t j = 0; j <= width; j++)
		rows[0][j] = j;
	size_t i = 0;
	for (; a[i] != '\0'; i++) {
		const size_t *before = rows[(i + 2) % 3];
		const size_t *above = rows[i % 3];
		size_t *row = rows[(i + 1) % 3];
		row[0] = i + 1;
		for (size_t j = 0; j < width; j++) {
			size_t change = above[j] + (a[i] == b[j] ? 0 : 1);
			row[j + 1] = least(change, least(above[j + 1], row[j]) + 1);
			if (i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j])
				row[j + 1] = least(row[j + 1], before[j - 1] + 1);
		}
	}
	return rows[i % 3][width];
}

const char *nearest_word(const char *word, const char *const words[], size_t count)
{
	const char *nearest = NULL;
	if (strlen(word) > WORD_MAXIMUM)
		return NULL;
	size_t closest = strlen(word) / 3 + 1; /* must be nearer than this */
	for (size_t i = 0; i < count; i++) {
		if (strlen(words[i]) > WORD_MAXIMUM)
			continue;
		size_t distance = edit_distance(word, words[i]);
		if (distance < closest) {
			closest = distance;
			nearest = words[i];
		}
	}
	return nearest;
}

/* A command line as words */

static const char blank[] = " \t\r\n";
static const char special[] = "|&;<>$`*?\\()#~"; /* to a shell, outside of quotes */

static bool is_upper(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* "Some::Thing.do" */
static bool begins_with_constant(const char *word, size_t length)
{
	return is_upper(*word) && (memchr(word, '.', length) || memmem(word, length, "::", 2));
}

/* Statements of Ruby that are not the name of any program. */
static bool is_statement(const char *word, size_t length)
{
	static const char *const statements[] = { "puts",  "p",  "print", "require",
						  "load",  "if", "begin", "unless",
						  "raise", "->", NULL };
	for (const char *const *statement = statements; *statement; statement++)
		if (strlen(*statement) == length && memcmp(*statement, word, length) == 0)
			return true;
	return false;
}

/*
 * By its first word, which in a command line is a program's name or a path, and by blocks and
 * assignments.
 */
bool words_are_ruby(const char *text)
{
	const char *word = text + strspn(text, blank);
	size_t length = strcspn(word, blank);
	const char *rest = word + length + strspn(word + length, blank);

	if (begins_with_constant(word, length) || is_statement(word, length))
		return true;
	if (memchr(word, '/', strcspn(word, "(\"' \t\r\n")))
		return false;
	if (strcspn(word, "()[]{}@:=\"'") < length)
		return true;
	return strncmp(rest, "= ", 2) == 0 || strstr(rest, "do |") || strstr(rest, "{ ") ||
	       strstr(text, ".each");
}

/* Takes one word from *at, without its quotes, and moves *at behind it. NULL: it is not valid. */
static const char *take_word(struct arena *arena, const char **at)
{
	const char *from = *at;
	char *word = arena_alloc(arena, strlen(from) + 1);
	size_t length = 0;
	char quote = '\0';

	for (; *from != '\0' && (quote || !strchr(blank, *from)); from++) {
		bool opens = !quote && (*from == '\'' || *from == '"');
		if (quote != '\'' && strchr(quote ? "$`\\" : special, *from))
			return NULL;
		if (opens)
			quote = *from;
		else if (*from == quote)
			quote = '\0';
		else
			word[length++] = *from;
	}
	*at = from;
	return quote ? NULL : word;
}

bool words_split(struct arena *arena, const char *text, const char ***words, size_t *count)
{
	/* A word has at least one byte, and a blank behind it. */
	const char **list = arena_array(arena, strlen(text) / 2 + 2, sizeof(*list));
	const char *at = text + strspn(text, blank);

	*count = 0;
	while (*at != '\0') {
		const char *word = take_word(arena, &at);
		if (!word)
			return false;
		list[(*count)++] = word;
		at += strspn(at, blank);
	}
	list[*count] = NULL;
	*words = list;
	return true;
}

const char *words_join(struct arena *arena, const char *const words[], size_t count)
{
	struct text line = { 0 };

	for (size_t i = 0; i < count; i++) {
		const char *word = words[i];
		bool plain = *word && !strpbrk(word, blank) && !strpbrk(word, special) &&
			     !strpbrk(word, "'\"");
		const char *quote = plain ? "" : strchr(word, '\'') ? "\"" : "'";
		text_printf(&line, "%s%s%s%s", i > 0 ? " " : "", quote, word, quote);
	}
	return text_take(&line, arena);
}

/* What Rails writes for itself */

/* `schema_search_path` is among them, although PostgreSQL's sessions get it. */
static const char rails_names[] =
	"pool max_connections min_connections max_threads min_threads max_queue "
	"checkout_timeout idle_timeout keepalive "
	"max_age pool_jitter reaping_frequency adapter encoding charset collation "
	"reconnect retries connection_retries retry_deadline timeout read_timeout "
	"write_timeout wait_timeout default_timezone default_transaction_mode "
	"prepared_statements statement_limit advisory_locks insert_returning min_messages "
	"pragmas schema_search_path strict variables database_tasks lazy_schema_cache "
	"migrations_paths query_cache replica schema_cache_path schema_dump seeds "
	"use_metadata_table";

static bool is_listed(const char *list, const char *name, size_t length)
{
	while (*list) {
		const size_t next = strcspn(list, " ");
		if (next == length && memcmp(list, name, length) == 0)
			return true;
		list += next + (list[next] == ' ');
	}
	return false;
}

bool name_listed(const char *list, const char *name)
{
	return is_listed(list, name, strlen(name));
}

bool rails_option(const char *name)
{
	return is_listed(rails_names, name, strcspn(name, "[%"));
}
