#include "queue/payload/wide_json.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/text/text.h"
#include "common/text/uuid.h"

#define NUL         "\\u0000"
#define NUL_LENGTH  (sizeof(NUL) - 1)
#define MARK_LENGTH 33 /* a NUL and 32 digits that only this process knows */

#define EXACT         17 /* digits that always have the value of a double */
#define SHORT_MAXIMUM 32 /* bytes of a number with fewer */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char mark[MARK_LENGTH + 1];
static char escaped[MARK_LENGTH + 8]; /* as it is written, with the quote behind it */
static char nul[MARK_LENGTH + 1];     /* what stands for a NUL in a key: the digits and a ";" */

static void make_mark(void)
{
	random_hex((MARK_LENGTH - 1) / 2, mark + 1);
	(void)snprintf(escaped, sizeof(escaped), NUL "%s\"", mark + 1);
	(void)snprintf(nul, sizeof(nul), "%s;", mark + 1);
}

/* Not strspn: a strict sanitizer reads on to the text's end, and we look at each of its bytes. */
static size_t digits(const char *text)
{
	size_t count = 0;

	while (text[count] >= '0' && text[count] <= '9')
		count++;
	return count;
}

/* The length of the number that begins here; 0: there is none. *whole: has no point or exponent. */
static size_t number_length(const char *text, bool *whole)
{
	const char *at = text + (*text == '-');
	size_t before = digits(at);

	*whole = true;
	if (before == 0 || (*at == '0' && before > 1))
		return 0;
	at += before;
	if (*at == '.') {
		*whole = false;
		if (digits(at + 1) == 0)
			return 0;
		at += 1 + digits(at + 1);
	}
	if (*at == 'e' || *at == 'E') {
		*whole = false;
		at += 1 + (at[1] == '+' || at[1] == '-');
		if (digits(at) == 0)
			return 0;
		at += digits(at);
	}
	return (size_t)(at - text);
}

static bool is_too_large(const char *number, bool whole)
{
	if (!whole)
		return isinf(strtod(number, NULL)) != 0;
	errno = 0;
	(void)strtoll(number, NULL, 10);
	return errno == ERANGE;
}

static size_t string_length(const char *text)
{
	size_t length = 1;

	while (text[length] != '\0' && text[length] != '"')
		length += text[length] == '\\' && text[length + 1] != '\0' ? 2 : 1;
	return length + (text[length] == '"');
}

/*
 * Replaces every `from` in the string of that length by `to`; an escaped character never begins
 * one.
 */
static void add_replaced(struct text *out, const char *string, size_t length, const char *from,
			 const char *to)
{
	size_t step = 1;

	for (size_t i = 0; i < length; i += step) {
		bool found = strncmp(string + i, from, strlen(from)) == 0;
		step = found ? strlen(from) : 1;
		if (!found && string[i] == '\\' && i + 1 < length)
			step = 2;
		text_append(out, found ? to : string + i, found ? strlen(to) : step);
	}
}

static bool is_key(const char *behind)
{
	return behind[strspn(behind, " \t\r\n")] == ':';
}

/* Appends a string, a number or one character, and returns how long it is. */
static size_t add_piece(struct text *out, const char *at)
{
	bool whole;
	size_t number = number_length(at, &whole);
	size_t length = number > 0 ? number : 1;

	if (*at == '"')
		length = string_length(at);
	if (*at == '"' && is_key(at + length))
		add_replaced(out, at, length, NUL, nul);
	else if (number > 0 && is_too_large(at, whole))
		text_printf(out, "\"%.*s%s", (int)number, at, escaped);
	else
		text_append(out, at, length);
	return length;
}

/* By how many columns the converted text is longer up to this place. */
static int columns_added(const char *text, int place)
{
	struct text out = { 0 };
	size_t line = 0; /* added before it */
	const char *at = text;

	while (*at != '\0' && out.length < (size_t)place) {
		if (*at == '\n')
			line = out.length - (size_t)(at - text);
		at += add_piece(&out, at);
	}
	size_t added = out.length - (size_t)(at - text) - line;
	text_free(&out);
	return (int)added;
}

static json_t *load_marked(const char *text, size_t flags, json_error_t *where)
{
	struct text out = { 0 };

	for (const char *at = text; *at != '\0';)
		at += add_piece(&out, at);
	errno = 0;
	json_t *root = json_loads(text_string(&out), flags, where);
	int fault = errno;
	if (!root)
		where->column -= columns_added(text, where->position);
	text_free(&out);
	errno = fault; /* the caller recognises a lack of memory by it */
	return root;
}

/* If a text contained the mark, a string could be taken for a number, or a key be changed. */
static bool is_forged(const char *text)
{
	(void)pthread_once(&once, make_mark);
	return strstr(text, mark + 1);
}

static json_t *refuse_forged(json_error_t *where)
{
	if (where) {
		*where = (json_error_t){ .line = 1, .column = 1 };
		(void)snprintf(
			where->text, sizeof(where->text),
			"it contains the mark that dray gives large numbers while it reads them");
	}
	return NULL;
}

json_t *wide_json_load(const char *text, size_t flags, json_error_t *where)
{
	json_error_t own;

	if (is_forged(text))
		return refuse_forged(where);
	errno = 0;
	json_t *root = json_loads(text, flags | JSON_ALLOW_NUL, &own);
	enum json_error_code code = root ? json_error_unknown : json_error_code(&own);
	if (code == json_error_numeric_overflow || code == json_error_null_byte_in_key)
		root = load_marked(text, flags | JSON_ALLOW_NUL, &own);
	if (where)
		*where = own;
	return root;
}

const char *wide_json_number(const json_t *value)
{
	size_t length = json_string_length(value);

	if (length <= MARK_LENGTH || mark[1] == '\0')
		return NULL;
	const char *text = json_string_value(value);
	return memcmp(text + length - MARK_LENGTH, mark, MARK_LENGTH) == 0 ? text : NULL;
}

/* Moves a string of that length down, and restores the NULs of a key; returns its new end. */
static char *move_string(char *to, const char *at, size_t length)
{
	const char *end = at + length;

	while (at < end) {
		if (strncmp(at, nul, MARK_LENGTH) != 0) {
			*to++ = *at++;
			continue;
		}
		memcpy(to, NUL, NUL_LENGTH);
		to += NUL_LENGTH;
		at += MARK_LENGTH;
	}
	return to;
}

/*
 * Copies a number down in as few digits as have its value, in Jansson's form; returns its new end.
 * 15 digits write 0.1 as people do; 17, which are always exact, as 0.10000000000000001.
 */
static char *move_number(char *to, const char *at, size_t length, bool whole)
{
	json_t *number = whole ? NULL : json_real(strtod(at, NULL));
	char text[SHORT_MAXIMUM];

	for (size_t precision = 15; number && precision < EXACT; precision++) {
		size_t size = json_dumpb(number, text, sizeof(text),
					 JSON_ENCODE_ANY | JSON_REAL_PRECISION(precision));
		text[size < sizeof(text) ? size : 0] = '\0';
		if (size >= length || strtod(text, NULL) != json_real_value(number))
			continue;
		at = text;
		length = size;
		break;
	}
	memmove(to, at, length);
	json_decref(number);
	return to + length;
}

/* Removes the quotes and marks of numbers in place, and makes fractions short. */
static void unmark(char *json)
{
	const size_t tail = strlen(escaped);
	char *to = json;

	for (const char *at = json; *at != '\0';) {
		bool whole;
		size_t length = *at == '"' ? string_length(at) : number_length(at, &whole);
		bool marked = tail > 0 && *at == '"' && length > tail + 1 &&
			      memcmp(at + length - tail, escaped, tail) == 0;
		if (*at != '"' && length > 0)
			to = move_number(to, at, length, whole);
		else if (marked)
			to = move_string(to, at + 1, length - tail - 1);
		else
			to = move_string(to, at, length > 0 ? length : 1);
		at += length > 0 ? length : 1;
	}
	*to = '\0';
}

char *wide_json_dump(const json_t *value, size_t flags)
{
	char *json = json_dumps(value, flags | JSON_REAL_PRECISION(EXACT));

	if (json)
		unmark(json);
	return json;
}

json_t *wide_json_key(const char *key)
{
	struct text out = { 0 };
	const char *at = key;

	(void)pthread_once(&once, make_mark);
	for (const char *next; (next = strstr(at, nul)); at = next + MARK_LENGTH) {
		text_append(&out, at, (size_t)(next - at));
		text_append(&out, "", 1);
	}
	text_add(&out, at);
	json_t *string = json_stringn(text_string(&out), out.length);
	text_free(&out);
	return string;
}

const char *wide_json_text(struct arena *arena, const json_t *value)
{
	char *json = wide_json_dump(value, JSON_COMPACT | JSON_ENCODE_ANY);

	if (!json)
		out_of_memory();
	const char *text = arena_strdup(arena, json);
	free(json);
	return text;
}
