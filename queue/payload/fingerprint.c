#include "queue/payload/fingerprint.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/hash.h"
#include "queue/payload/fingerprint_names.h"

#define JOINTS      " ,;:.-+_/" /* between marks that become one */
#define WORD_JOINTS " :=([#-/"  /* between a word and its number */
#define WORD_SIZE   12

enum mark { NUMBER = '#', QUOTED = '"', PATH = '/', MAIL = '@', URL = '~' };

struct scan {
	struct names_text line;
	size_t at;
	char *out;
	size_t count;
	char mark; /* the last thing in `out` but for joints; 0 = something else */
	size_t after_mark;
	char word[WORD_SIZE]; /* the last one, in lower case, while only joints follow; "" = none */
	unsigned unclosed;    /* by row of `quotes`: no such quotation ends behind here */
	size_t kept; /* where the quotation that is the message closes; 0 = there is none */
};

/* Pairs of quotation marks; `apart`: an apostrophe within a word is none of them. */
static const struct {
	const char *open;
	const char *close;
	bool apart;
} quotes[] = {
	{ "\"", "\"", false },
	{ "'", "'", true },
	{ "`", "'", true },
	{ "`", "`", true },
	{ "\u201c", "\u201d", false },
	{ "\u201e", "\u201c", false },
	{ "\u2018", "\u2019", true },
	{ "\u00ab", "\u00bb", false },
	{ "\u00bb", "\u00ab", false },
};

static char look(const struct scan *scan, size_t at)
{
	return names_look(&scan->line, at);
}

static char before(const struct scan *scan)
{
	if (scan->at == 0)
		return 0;
	return look(scan, scan->at - 1);
}

static void put(struct scan *scan, char c)
{
	if (!strchr(JOINTS, c))
		scan->mark = '\0';
	if (!strchr(WORD_JOINTS, c))
		scan->word[0] = '\0';
	scan->out[scan->count++] = c;
}

static void copy(struct scan *scan, size_t length)
{
	memcpy(scan->out + scan->count, scan->line.data + scan->at, length);
	scan->count += length;
	scan->at += length;
	scan->mark = '\0';
}

/* The sign of a number is a part of it. */
static void drop_sign(struct scan *scan)
{
	const size_t count = scan->count;
	const char *out = scan->out;

	if (count > 0 && strchr("+-", out[count - 1]) &&
	    (count == 1 || strchr(" (=:,[", out[count - 2])))
		scan->count--;
}

static void put_mark(struct scan *scan, enum mark mark, size_t length)
{
	scan->at += length;
	scan->word[0] = '\0';
	if (scan->mark == (char)mark) {
		scan->count = scan->after_mark;
		return;
	}
	if (mark == NUMBER)
		drop_sign(scan);
	scan->out[scan->count++] = (char)mark;
	scan->mark = (char)mark;
	scan->after_mark = scan->count;
}

static bool begins(const struct scan *scan, size_t at, const char *text)
{
	const size_t length = strlen(text);

	return length <= scan->line.length - at && memcmp(scan->line.data + at, text, length) == 0;
}

/* Where the quotation ends whose text begins here; 0 = nowhere. */
static size_t closing(const struct scan *scan, size_t row, size_t from)
{
	const size_t length = strlen(quotes[row].close);

	for (size_t at = from; at < scan->line.length; at++) {
		if (look(scan, at) == '\\')
			at++;
		else if (begins(scan, at, quotes[row].close) &&
			 !(quotes[row].apart && is_alnum(look(scan, at + length))))
			return at + length;
	}
	return 0;
}

/*
 * A quotation that is the message itself, in a line of fields (msg="...", "error": "...") or as the
 * rest of the line behind "Error: ".
 */
static bool is_message(const struct scan *scan, size_t end)
{
	static const char *const keys[] = { "msg", "message", "error", "err", "reason" };
	size_t at = scan->at;

	while (at > 0 && look(scan, at - 1) == ' ')
		at--;
	if (at == 0 || !strchr("=:", look(scan, at - 1)))
		return false;
	const bool field = look(scan, at - 1) == '=' || (at > 1 && look(scan, at - 2) == '"');
	at -= at > 1 && look(scan, at - 2) == '"' ? 2 : 1;
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		const size_t length = strlen(keys[i]);
		if (length <= at &&
		    strncasecmp(scan->line.data + at - length, keys[i], length) == 0 &&
		    (length == at || !is_alnum(look(scan, at - length - 1))))
			return field || end == scan->line.length;
	}
	return false;
}

/* The bytes of the quotation that begins here; 0 = none does. */
static size_t quotation(struct scan *scan)
{
	if (scan->kept > 0 && scan->at == scan->kept)
		return 0;
	for (size_t row = 0; row < sizeof(quotes) / sizeof(quotes[0]); row++) {
		if (scan->unclosed & 1U << row || !begins(scan, scan->at, quotes[row].open) ||
		    (quotes[row].apart && is_alnum(before(scan))))
			continue;
		size_t end = closing(scan, row, scan->at + strlen(quotes[row].open));
		if (end > 0 && row == 0 && is_message(scan, end)) {
			scan->kept = end - 1;
			return 0;
		}
		if (end > 0)
			return end - scan->at;
		scan->unclosed |= 1U << row;
	}
	return 0;
}

/*
 * A number that is the error itself and not a detail of it: "status 3", "HTTP 404". Only short
 * ones, and behind the word "error" only where no count can be meant ("error: 12 files").
 */
static bool is_code(const struct scan *scan, size_t end)
{
	static const char *const firm[] = { "status", "statuscode", "code", "exitcode", "exit",
					    "rc",     "errno",      "http", "signal" };
	const size_t length = end - scan->at;
	const char next = look(scan, end);

	if (is_alnum(before(scan)) || is_alnum(next))
		return false;
	for (size_t i = 0; i < sizeof(firm) / sizeof(firm[0]); i++)
		if (strcmp(scan->word, firm[i]) == 0)
			return length <= 3;
	return (strcmp(scan->word, "error") == 0 || strcmp(scan->word, "returned") == 0) &&
	       length <= 5 && !(next == ' ' && is_letter(look(scan, end + 1)));
}

/* Digits, with what belongs to them: decimals, an exponent, a unit. */
static void number(struct scan *scan)
{
	const size_t end = names_number(&scan->line, scan->at);

	if (is_code(scan, end))
		copy(scan, end - scan->at);
	else
		put_mark(scan, NUMBER, names_unit(&scan->line, end) - scan->at);
}

static void letters(struct scan *scan, size_t length)
{
	const bool whole = !is_alnum(before(scan)) && !is_alnum(look(scan, scan->at + length));
	const size_t from = scan->at;

	copy(scan, length);
	scan->word[0] = '\0';
	if (!whole || length >= WORD_SIZE)
		return;
	for (size_t i = 0; i < length; i++)
		scan->word[i] = (char)(look(scan, from + i) | 0x20);
	scan->word[length] = '\0';
}

/* What begins here and has a mark of its own. */
static size_t marked(struct scan *scan, enum mark *mark)
{
	const struct names_text *line = &scan->line;
	const char last = before(scan);
	size_t length = quotation(scan);

	*mark = QUOTED;
	if (length == 0 && !is_token(last)) {
		*mark = URL;
		length = names_url(line, scan->at);
		if (length == 0)
			*mark = MAIL;
		length = length ? length : names_mail(line, scan->at);
		if (length == 0)
			*mark = PATH;
		length = length || last == '<' ? length : names_path(line, scan->at);
	}
	if (length == 0 && !is_alnum(last)) {
		*mark = NUMBER;
		length = names_id(line, scan->at);
	}
	return length;
}

/* The colours of a terminal: ESC [ ... letter. */
static size_t colour(const struct scan *scan)
{
	size_t end = scan->at + 2;

	if (look(scan, scan->at) != '\033' || look(scan, scan->at + 1) != '[')
		return 0;
	while (is_digit(look(scan, end)) || look(scan, end) == ';')
		end++;
	return end + (is_letter(look(scan, end)) ? 1 : 0) - scan->at;
}

static void step(struct scan *scan)
{
	const char c = look(scan, scan->at);
	enum mark mark;
	size_t length = colour(scan);

	if (length > 0) {
		scan->at += length;
	} else if (is_blank(c)) {
		scan->at++;
		if (scan->count > 0 && scan->out[scan->count - 1] != ' ')
			put(scan, ' ');
	} else if ((length = marked(scan, &mark)) > 0) {
		put_mark(scan, mark, length);
	} else if (is_digit(c)) {
		number(scan);
	} else if (is_letter(c)) {
		letters(scan, names_run(&scan->line, scan->at, is_letter));
	} else {
		put(scan, c);
		scan->at++;
	}
}

/* The beginning of a text, at most `most` bytes, that ends between characters. */
static size_t beginning(const char *text, size_t length, size_t most)
{
	if (length <= most)
		return length;
	while (most > 0 && ((unsigned char)text[most] & 0xc0) == 0x80)
		most--;
	return most;
}

const char *fingerprint_text(struct arena *arena, const char *message)
{
	struct scan scan = { 0 };

	while (message && is_blank(*message))
		message++;
	if (!message)
		message = "";
	scan.line.data = message;
	scan.line.length = beginning(message, strcspn(message, "\n"), FINGERPRINT_MOST);
	scan.out = arena_alloc(arena, scan.line.length + 1);
	while (scan.at < scan.line.length)
		step(&scan);
	while (scan.count > 0 && scan.out[scan.count - 1] == ' ')
		scan.count--;
	scan.out[scan.count] = '\0';
	return scan.out;
}

const char *fingerprint(struct arena *arena, const char *error_class, const char *message)
{
	uint64_t hash = hash_text(HASH_START, FINGERPRINT_VERSION "\n");

	hash = hash_text(hash, error_class ? error_class : "");
	hash = hash_text(hash_text(hash, "\n"), fingerprint_text(arena, message));
	return arena_printf(arena, "%08" PRIx32, (uint32_t)(hash ^ hash >> 32));
}
