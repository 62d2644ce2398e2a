#include "queue/payload/fingerprint_names.h"

#include <string.h>
#include <strings.h>

#define UUID_LENGTH    36
#define ADDRESS_LENGTH 45 /* the longest IPv6 address */

bool is_token(char c)
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

size_t names_run(const struct names_text *text, size_t at, bool (*is)(char c))
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

size_t names_url(const struct names_text *text, size_t at)
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

size_t names_mail(const struct names_text *text, size_t at)
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

size_t names_path(const struct names_text *text, size_t at)
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

size_t names_id(const struct names_text *text, size_t at)
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

size_t names_number(const struct names_text *text, size_t at)
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

size_t names_unit(const struct names_text *text, size_t at)
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
