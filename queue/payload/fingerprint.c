/*
 * What a message says without what differs from run to run, in one pass from left to right: at each
 * place a name of some kind may begin (a number, an id, a path, a URL, a quotation), which becomes
 * a mark; anything else is copied. A name is looked for a bounded way ahead, or only from where a
 * token begins, so that a message is read in linear time. It never depends on the locale.
 */
#include "queue/payload/fingerprint.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>
#include <strings.h>

#include "common/hash.h"

/*
 * Names in a message that differ from run to run. Each function returns how many bytes belong to
 * the one that begins at `at`, or 0.
 */

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

#define UUID_LENGTH    36
#define ADDRESS_LENGTH 45 /* the longest IPv6 address */

/* May be inside a relative path or an e-mail address: before one of them stands something else. */
static bool is_token(char c)
{
	return is_alnum(c) || (c && strchr("._%+-~@/", c));
}

static bool is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool is_scheme(char c)
{
	return is_alnum(c) || (c && strchr("+.-", c));
}

static bool is_url(char c)
{
	return (unsigned char)c > ' ' && !strchr("\"'`<>)]}|", c);
}

static bool is_domain(char c)
{
	return is_alnum(c) || c == '.' || c == '-';
}

/* Letters of two bytes are parts of paths, too; ideographs are rather the text around them. */
static bool is_path(char c)
{
	const unsigned char byte = (unsigned char)c;

	return is_token(c) || (byte >= 0x80 && byte <= 0xdf && byte != 0xc2);
}

static bool is_windows_path(char c)
{
	return is_path(c) || c == '\\' || c == '$' || c == '#';
}

static bool is_windows_name(char c)
{
	return is_alnum(c) || (c && strchr("().-_", c));
}

/* How many bytes from there are such. */
static size_t names_run(const struct names_text *text, size_t at, bool (*is)(char c))
{
	size_t end = at;

	while (end < text->length && is(text->data[end]))
		end++;
	return end - at;
}

/* Without punctuation that belongs to the sentence. */
static size_t stripped(const struct names_text *text, size_t at, size_t length)
{
	while (length > 0 && strchr(".,;:!?", text->data[at + length - 1]))
		length--;
	return length;
}

static size_t names_url(const struct names_text *text, size_t at)
{
	const size_t scheme = names_run(text, at, is_scheme);
	const size_t rest = at + scheme;

	if (scheme == 0 || !is_letter(text->data[at]) || rest + 3 > text->length ||
	    memcmp(text->data + rest, "://", 3) != 0)
		return 0;
	return stripped(text, at, scheme + names_run(text, rest, is_url));
}

/* Not the hash behind a Java object's class, nor the version behind a package's name. */
static bool is_host(const char *name, size_t length)
{
	size_t dots = 0, hex = 0, digits = 0;

	for (size_t i = 0; i < length; i++) {
		dots += name[i] == '.';
		hex += is_hex(name[i]);
		digits += is_digit(name[i]);
	}
	if (length == 0 || (hex == length && digits > 0))
		return false;
	return is_letter(name[0]) || dots == 3;
}

static size_t names_mail(const struct names_text *text, size_t at)
{
	size_t local = 0;

	while (is_token(names_look(text, at + local)) && !strchr("@/~", text->data[at + local]))
		local++;
	if (local == 0 || names_look(text, at + local) != '@')
		return 0;
	const size_t domain = at + local + 1;
	const size_t length = stripped(text, domain, names_run(text, domain, is_domain));
	return is_host(text->data + domain, length) ? local + 1 + length : 0;
}

/* A name with spaces goes on where a backslash follows: C:\Program Files\a.txt. */
static size_t windows_path(const struct names_text *text, size_t at)
{
	size_t end = at + 2;

	for (;;) {
		end += names_run(text, end, is_windows_path);
		size_t name = names_look(text, end) == ' '
				      ? names_run(text, end + 1, is_windows_name)
				      : 0;
		if (name == 0 || names_look(text, end + 1 + name) != '\\')
			return stripped(text, at, end - at);
		end += 1 + name;
	}
}

static bool is_one_of(const char *name, size_t length, const char *const list[])
{
	for (size_t i = 0; list[i]; i++)
		if (strlen(list[i]) == length && strncasecmp(list[i], name, length) == 0)
			return true;
	return false;
}

/* Files of data; those of programs tell where it happens. */
static bool is_data(const char *extension, size_t length)
{
	static const char *const names[] = { "txt",  "csv",  "tsv",     "json", "xml",  "yml",
					     "yaml", "log",  "sql",     "html", "pdf",  "png",
					     "jpg",  "jpeg", "gif",     "svg",  "webp", "mp3",
					     "mp4",  "mov",  "wav",     "zip",  "gz",   "tgz",
					     "tar",  "bz2",  "xz",      "doc",  "docx", "xls",
					     "xlsx", "dat",  "bin",     "tmp",  "bak",  "parquet",
					     "avro", "db",   "sqlite3", "dump", NULL };

	return is_one_of(extension, length, names);
}

/* "a/b/c", "a/b.txt" and "a.txt", but not "read/write", "application/json" and dates. */
static bool is_relative(const char *name, size_t length)
{
	size_t slashes = 0, letters = 0, dot = 0, slash = 0;

	for (size_t i = 0; i < length; i++) {
		slashes += name[i] == '/';
		letters += is_letter(name[i]);
		if (name[i] == '/')
			slash = i;
		if (name[i] == '.')
			dot = i;
	}
	if (letters == 0 || slashes > 1)
		return letters > 0;
	const size_t extension = dot > slash ? length - dot - 1 : 0;
	if (slashes == 0)
		return dot > 0 && is_data(name + dot + 1, extension);
	return (name[0] == '.' || name[0] == '~') ||
	       (extension > 0 && extension <= 5 && is_letter(name[dot + 1]));
}

/* Unix and Windows; relative ones if they look like one, and plain names of files of data. */
static size_t names_path(const struct names_text *text, size_t at)
{
	const char c = names_look(text, at);
	const char second = names_look(text, at + 1);
	const char third = names_look(text, at + 2);

	if ((is_letter(c) && second == ':' && (third == '\\' || third == '/')) ||
	    (c == '\\' && second == '\\' && is_alnum(third)))
		return windows_path(text, at);
	const size_t length = stripped(text, at, names_run(text, at, is_path));
	if (((unsigned char)c & 0xc0) == 0x80) /* inside a character */
		return 0;
	if (c == '/' ? length > 1 && second != '/' : is_relative(text->data + at, length))
		return length;
	return 0;
}

static size_t uuid(const struct names_text *text, size_t at)
{
	for (size_t i = 0; i < UUID_LENGTH; i++) {
		const char c = names_look(text, at + i);
		if (i == 8 || i == 13 || i == 18 || i == 23 ? c != '-' : !is_hex(c))
			return 0;
	}
	return is_alnum(names_look(text, at + UUID_LENGTH)) ? 0 : UUID_LENGTH;
}

/* IPv6 and MAC; the others are numbers side by side. */
static size_t address(const struct names_text *text, size_t at)
{
	size_t colons = 0, digits = 0, end = at;
	bool twice = false;

	if (at > 0 && text->data[at - 1] == ':')
		return 0;
	for (; end - at < ADDRESS_LENGTH; end++) {
		const char c = names_look(text, end);
		if (!is_hex(c) && c != ':' && c != '.')
			break;
		colons += c == ':';
		digits += is_digit(c);
		twice = twice || (c == ':' && names_look(text, end + 1) == ':');
	}
	if (end > at + 1 && text->data[end - 1] == ':' && text->data[end - 2] != ':') {
		colons--;
		end--;
	}
	if (is_alnum(names_look(text, end)) || digits == 0)
		return 0;
	return twice || colons == 7 || colons == 5 ? end - at : 0;
}

/* Digits and letters in a mixture that no word has. */
static bool is_mixed(const char *word, size_t length, bool hashed)
{
	size_t digits = 0, hex = 0, changes = 0;

	for (size_t i = 0; i < length; i++) {
		digits += is_digit(word[i]);
		hex += is_hex(word[i]);
		changes += i > 0 && is_digit(word[i]) != is_digit(word[i - 1]);
	}
	if (digits == 0 || digits == length)
		return false;
	if (length > 2 && word[0] == '0' && (word[1] | 0x20) == 'x' && hex == length - 1)
		return true;
	return (hex == length && (length >= 6 || hashed)) || length >= 16 || changes >= 4 ||
	       (length >= 8 && changes >= 3);
}

/* UUIDs, hexadecimal and mixed ids, IPv6 and MAC addresses, names of months and days. */
static size_t names_id(const struct names_text *text, size_t at)
{
	static const char *const calendar[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul",
						"Aug", "Sep", "Oct", "Nov", "Dec", "Mon", "Tue",
						"Wed", "Thu", "Fri", "Sat", "Sun", NULL };
	const char *word = text->data + at;
	const size_t length = names_run(text, at, is_alnum);
	size_t found = length > 0 ? uuid(text, at) : 0;

	if (found == 0 && (length > 0 || names_look(text, at) == ':'))
		found = address(text, at);
	if (names_look(text, at) == '[') {
		found = address(text, at + 1);
		return names_look(text, at + 1 + found) == ']' && found > 0 ? found + 2 : 0;
	}
	if (found > 0 || length == 0)
		return found;
	const bool hashed = at > 0 && word[-1] == '@';
	return is_mixed(word, length, hashed) || is_one_of(word, length, calendar) ? length : 0;
}

/* The end of the number that begins here. */
static size_t names_number(const struct names_text *text, size_t at)
{
	size_t end = at + names_run(text, at, is_digit);

	while ((names_look(text, end) == '.' || names_look(text, end) == ',') &&
	       is_digit(names_look(text, end + 1)))
		end += 1 + names_run(text, end + 1, is_digit);
	if ((names_look(text, end) | 0x20) != 'e')
		return end;
	const char sign = names_look(text, end + 1);
	const size_t exponent = end + (sign == '+' || sign == '-' ? 2 : 1);
	return is_digit(names_look(text, exponent)) ? exponent + names_run(text, exponent, is_digit)
						    : end;
}

/* The end of its unit of time or size, or of what stands in timestamps; `at` = it has none. */
static size_t names_unit(const struct names_text *text, size_t at)
{
	static const char *const units[] = { "ns",
					     "us",
					     "ms",
					     "s",
					     "sec",
					     "secs",
					     "second",
					     "seconds",
					     "m",
					     "min",
					     "mins",
					     "minute",
					     "minutes",
					     "h",
					     "hr",
					     "hrs",
					     "hour",
					     "hours",
					     "d",
					     "day",
					     "days",
					     "week",
					     "weeks",
					     "b",
					     "byte",
					     "bytes",
					     "k",
					     "kb",
					     "kib",
					     "mb",
					     "mib",
					     "g",
					     "gb",
					     "gib",
					     "tb",
					     "tib",
					     "st",
					     "nd",
					     "rd",
					     "th",
					     "t",
					     "z",
					     "am",
					     "pm",
					     "milliseconds",
					     "microseconds",
					     NULL };
	size_t unit = at + (names_look(text, at) == ' ' ? 1 : 0);

	if (unit + 2 < text->length && (memcmp(text->data + unit, "\u00b5s", 3) == 0 ||
					memcmp(text->data + unit, "\u03bcs", 3) == 0))
		return unit + 3;
	const size_t length = names_run(text, unit, is_letter);
	return is_one_of(text->data + unit, length, units) ? unit + length : at;
}

/* The message, and its digits. */

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

/* The text before `at` ends with the word, whatever its case. */
static bool ends_with(const struct scan *scan, size_t at, const char *word)
{
	const size_t length = strlen(word);

	return length <= at && strncasecmp(scan->line.data + at - length, word, length) == 0 &&
	       (length == at || !is_alnum(look(scan, at - length - 1)));
}

/*
 * An HTTP status that is the error itself, where what stands before it says so: "HTTP/1.1 404",
 * "status":500, "response: 401"; behind some words only what no count can be.
 */
static bool is_http_status(const struct scan *scan, size_t end)
{
	static const struct {
		const char *word;
		const char *next;
	} statuses[] = {
		{ "http", "" },           { "status", "" },    { "statuscode", "" },
		{ "code", "" },           { "response", "" },  { "responded", "" },
		{ "responded with", "" }, { "got", " from " }, { "failed", ")" },
	};
	size_t at = scan->at;

	if (end - at != 3 || !strchr("12345", look(scan, at)) || names_unit(&scan->line, end) > end)
		return false;
	while (at > 0 && strchr(WORD_JOINTS "\"'", look(scan, at - 1)))
		at--;
	const size_t word = at;
	while (at > 0 && (is_digit(look(scan, at - 1)) || look(scan, at - 1) == '.'))
		at--; /* of HTTP's version */
	if (at < word && at > 0 && ends_with(scan, at - 1, "http"))
		return look(scan, at - 1) == '/';
	for (size_t i = 0; i < sizeof(statuses) / sizeof(statuses[0]); i++)
		if (ends_with(scan, word, statuses[i].word) && begins(scan, end, statuses[i].next))
			return true;
	return false;
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
	if (next && strchr(":-/", next) && is_digit(look(scan, end + 1)))
		return false; /* a time or a date */
	for (size_t i = 0; i < sizeof(firm) / sizeof(firm[0]); i++)
		if (strcmp(scan->word, firm[i]) == 0)
			return length <= 3;
	if (is_http_status(scan, end))
		return true;
	return (strcmp(scan->word, "error") == 0 || strcmp(scan->word, "returned") == 0) &&
	       length <= 5 && !(next == ' ' && is_letter(look(scan, end + 1)));
}

/* Digits, with what belongs to them: decimals, an exponent, a unit. */
static void number(struct scan *scan)
{
	const size_t end = names_number(&scan->line, scan->at);

	if (is_code(scan, end)) {
		copy(scan, end - scan->at);
		scan->word[0] = '\0';
	} else
		put_mark(scan, NUMBER, names_unit(&scan->line, end) - scan->at);
}

static void put_letters(struct scan *scan, size_t length)
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
		put_letters(scan, names_run(&scan->line, scan->at, is_letter));
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
