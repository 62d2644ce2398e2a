#include "db/url.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "common/text/parse.h"

static const struct url_scheme schemes[] = {
	{ "sqlite3", "sqlite3", URL_FILE },      { "sqlite", "sqlite3", URL_FILE },
	{ "postgres", "postgresql", URL_LIBPQ }, { "postgresql", "postgresql", URL_LIBPQ },
	{ "postgis", "postgresql", URL_LIBPQ },  { "mysql", "mysql", URL_SERVER },
	{ "mysql2", "mysql", URL_SERVER },       { "mariadb", "mysql", URL_SERVER },
	{ "trilogy", "mysql", URL_SERVER },
};

const struct url_scheme *url_scheme(const char *name)
{
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++)
		if (strcmp(schemes[i].name, name) == 0)
			return &schemes[i];
	return NULL;
}

/* What every step of the parser needs; `libpq`: only check the text, libpq interprets it. */
struct url_parser {
	struct arena *arena;
	struct error *error;
	struct db_url *url;
	bool libpq;
};

/* The message contains no text from the URL: with a stray '/' or '@' any part may be a secret. */
static enum status wrong(const struct url_parser *parser, const char *part, const char *expected)
{
	return error_set(parser->error, STATUS_INVALID, "database url: %s: %s", part, expected);
}

static int hex_digit(char c)
{
	static const char digits[] = "0123456789abcdef";
	const char *found = c == '\0' ? NULL : strchr(digits, (tolower)((unsigned char)c));

	return !found ? -1 : (int)(found - digits);
}

/* Decodes the %XX of text[0, length) into the arena. */
static enum status decode(const struct url_parser *parser, const char *text, size_t length,
			  const char *part, const char **out)
{
	char *decoded = arena_strndup(parser->arena, text, length);
	const char *end = decoded + length;
	char *to = decoded;

	for (const char *from = decoded; from < end; from++) {
		if (*from != '%') {
			*to++ = *from;
			continue;
		}
		int high = hex_digit(from[1]);
		int low = high < 0 ? -1 : hex_digit(from[2]);
		if (low < 0)
			return wrong(parser, part, "expected two hexadecimal digits after '%'");
		if (high + low == 0)
			return wrong(parser, part, "%00 is not allowed");
		*to++ = (char)(high * 16 + low);
		from += 2;
	}
	*to = '\0';
	*out = decoded;
	return STATUS_OK;
}

/* With the brackets of Rails, as in variables[sql_mode], and with those encoded. */
static bool option_name_valid(const char *name, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (!isalnum((unsigned char)name[i]) && !strchr("_-.[]%", name[i]))
			return false;
	}
	return length > 0;
}

static enum status parse_option(const struct url_parser *parser, const char *text, size_t length,
				struct db_url_option *option)
{
	const char *equals = memchr(text, '=', length);
	size_t name_length = !equals ? 0 : (size_t)(equals - text);

	if (!equals || !option_name_valid(text, name_length))
		return wrong(parser, "options", "expected name=value&name=value after '?'");
	option->name = arena_strndup(parser->arena, text, name_length);
	return decode(parser, equals + 1, length - name_length - 1, option->name, &option->value);
}

static enum status parse_options(const struct url_parser *parser, const char *text)
{
	unsigned maximum = 1;
	struct db_url_option *options;

	for (const char *c = text; *c != '\0'; c++)
		maximum += *c == '&';
	options = arena_array(parser->arena, maximum, sizeof(*options));
	while (*text != '\0') {
		size_t length = strcspn(text, "&");
		enum status status =
			parse_option(parser, text, length, &options[parser->url->option_count]);
		if (status != STATUS_OK)
			return status;
		parser->url->option_count++;
		text += length;
		text += *text == '&';
	}
	parser->url->options = options;
	return STATUS_OK;
}

/* `text` is at the path (after the authority's slash), at '?', or at the end. */
static enum status parse_tail(const struct url_parser *parser, const char *text)
{
	size_t length = strcspn(text, "?");

	if (length > 0) {
		enum status status = decode(parser, text, length, "path", &parser->url->path);
		if (status != STATUS_OK)
			return status;
	}
	return text[length] == '?' ? parse_options(parser, text + length + 1) : STATUS_OK;
}

static enum status parse_user(const struct url_parser *parser, const char *text, size_t length)
{
	const char *colon = memchr(text, ':', length);
	size_t user_length = !colon ? length : (size_t)(colon - text);
	enum status status = STATUS_OK;

	if (user_length > 0)
		status = decode(parser, text, user_length, "user", &parser->url->user);
	if (status == STATUS_OK && colon) {
		status = decode(parser, colon + 1, length - user_length - 1, "password",
				&parser->url->password);
	}
	return status;
}

static enum status parse_port(const struct url_parser *parser, const char *text, size_t length)
{
	int64_t port;

	if (length == 0)
		return STATUS_OK;
	if (!isdigit((unsigned char)*text) ||
	    parse_int(arena_strndup(parser->arena, text, length), 1, 65535, &port) != STATUS_OK) {
		return wrong(parser, "port",
			     "expected a number from 1 to 65535 (in a password write / as %2F, "
			     "? as %3F, # as %23, @ as %40)");
	}
	parser->url->port = (int)port;
	return STATUS_OK;
}

/* host, host:port, [v6] or [v6]:port; libpq's lists of hosts are kept as one text. */
static enum status parse_host(const struct url_parser *parser, const char *text, size_t length)
{
	const char *end = text + length;
	const char *host = text;
	const char *host_end;

	if (length > 0 && *text == '[') {
		host = text + 1;
		host_end = memchr(host, ']', length - 1);
		text = !host_end ? end : host_end + 1;
		if (!host_end || host_end == host || (text < end && *text != ':'))
			return wrong(parser, "host", "expected [address] or [address]:port");
	} else {
		const char *colon = memchr(text, ':', length);
		text = host_end = !colon ? end : colon;
	}
	if (host_end > host) {
		enum status status =
			decode(parser, host, (size_t)(host_end - host), "host", &parser->url->host);
		if (status != STATUS_OK)
			return status;
	}
	return text == end ? STATUS_OK : parse_port(parser, text + 1, (size_t)(end - text) - 1);
}

static enum status parse_hosts(const struct url_parser *parser, const char *text, size_t length)
{
	if (parser->libpq && memchr(text, ',', length))
		return decode(parser, text, length, "host", &parser->url->host);
	return parse_host(parser, text, length);
}

/* [user[:password]@][host[:port]][/path][?options] */
static enum status parse_authority(const struct url_parser *parser, const char *text)
{
	/* libpq takes everything up to an '@' before the first '/' as user and password. */
	const char *at = memrchr(text, '@', strcspn(text, parser->libpq ? "/" : "/?#"));
	enum status status = STATUS_OK;
	size_t length;

	/*
	 * libpq ends the password at the first '@': it would look up the rest as a host and print
	 * it.
	 */
	if (at && parser->libpq && memchr(text, '@', (size_t)(at - text)))
		return wrong(parser, "password", "unexpected '@' (in a password write it as %40)");
	if (at) {
		status = parse_user(parser, text, (size_t)(at - text));
		text = at + 1;
	}
	length = strcspn(text, "/?#");
	if (status == STATUS_OK)
		status = parse_hosts(parser, text, length);
	text += length;
	if (status == STATUS_OK && *text == '#')
		status = wrong(parser, "host", "unexpected '#' (in a password write it as %23)");
	if (status != STATUS_OK)
		return status;
	return parse_tail(parser, *text == '/' ? text + 1 : text);
}

/* Can text[0, length) be the name of a host? */
static bool is_host_name(const char *text, size_t length)
{
	size_t valid = 0;

	while (valid < length &&
	       (isalnum((unsigned char)text[valid]) || strchr("._-", text[valid])))
		valid++;
	return length > 0 && valid == length && text[0] != '.';
}

/*
 * Is it a host rather than a file: user@host, host:port, an address, or any name with a path behind
 * it? That may be a folder's name, too: Rails takes sqlite3://storage/x for /x, and others for
 * storage/x.
 */
static bool is_host(const char *text)
{
	const size_t length = strcspn(text, "/?");
	const char *colon = memchr(text, ':', length);
	const size_t digits = strspn(text, "0123456789.");

	return memchr(text, '@', length) || *text == '[' ||
	       (length == 9 && strncasecmp(text, "localhost", length) == 0) ||
	       (text[length] == '/' && is_host_name(text, length)) ||
	       (colon && isdigit((unsigned char)colon[1])) ||
	       (digits == length && memchr(text, '.', length) && text[0] != '.');
}

static enum status parse_file(const struct url_parser *parser, const char *text)
{
	if (strncmp(text, "//", 2) == 0 && is_host(text + 2))
		return wrong(parser, "host",
			     "a file has none: expected sqlite3:PATH, such as sqlite3:storage/x or "
			     "sqlite3:/var/lib/x");
	enum status status = parse_tail(parser, strncmp(text, "//", 2) == 0 ? text + 2 : text);

	if (status == STATUS_OK && !parser->url->path)
		return wrong(parser, "path", "expected sqlite3:PATH");
	return status;
}

/* The scheme in lower case, or NULL; *rest is what follows its colon. */
static const char *parse_scheme(const struct url_parser *parser, const char *text,
				const char **rest)
{
	size_t length = 0;
	char *scheme;

	while (isalnum((unsigned char)text[length]))
		length++;
	if (length == 0 || text[length] != ':')
		return NULL;
	*rest = text + length + 1;
	scheme = arena_strndup(parser->arena, text, length);
	for (char *c = scheme; *c != '\0'; c++)
		*c = (char)(tolower)((unsigned char)*c);
	return scheme;
}

enum status url_parse(struct arena *arena, const char *text, struct db_url *url,
		      struct error *error)
{
	struct db_url parsed = { .text = arena_strdup(arena, text) };
	struct url_parser parser = { .arena = arena, .error = error, .url = &parsed };
	const char *rest = NULL;
	enum status status;

	parsed.scheme = parse_scheme(&parser, text, &rest);
	if (!parsed.scheme) {
		return wrong(&parser, "scheme",
			     "expected sqlite3:PATH, postgres://... or mysql://...");
	}
	const struct url_scheme *known = url_scheme(parsed.scheme);
	enum url_form form = known ? known->form : URL_SERVER;
	parser.libpq = form == URL_LIBPQ;
	if (form == URL_FILE) {
		status = parse_file(&parser, rest);
	} else if (strncmp(rest, "//", 2) != 0) {
		status = wrong(&parser, "scheme", "expected '//' after it");
	} else {
		status = parse_authority(&parser, rest + 2);
	}
	if (status == STATUS_OK)
		*url = parsed;
	return status;
}

const char *url_option(const struct db_url *url, const char *name)
{
	const char *value = NULL;

	/* The last one wins, as in libpq. */
	for (unsigned i = 0; i < url->option_count; i++) {
		if (strcmp(url->options[i].name, name) == 0)
			value = url->options[i].value;
	}
	return value;
}

/* The name that begins here, as PostgreSQL reads it: in small letters unless it is quoted. */
static char *path_name(struct arena *arena, const char *path)
{
	path += strspn(path, URL_BLANKS);
	bool quoted = *path == '"' || *path == '\'';
	const char stop = (char)(quoted ? *path : ',');
	path += quoted;
	size_t length = (size_t)(strchrnul(path, stop) - path);
	while (!quoted && length > 0 && strchr(URL_BLANKS, path[length - 1]))
		length--;
	char *name = arena_strndup(arena, path, length);
	for (char *c = name; !quoted && *c != '\0'; c++)
		*c = (char)(tolower)((unsigned char)*c);
	return name;
}

/*
 * Names with commas between them. A session has the whole path for itself; behind a pooler, where
 * it cannot, the first name counts that is not the user's.
 */
const char *url_schema(struct arena *arena, const struct db_url *url)
{
	const char *path = url_option(url, "schema_search_path");
	const char *prepared = url_option(url, "prepared_statements");
	const struct url_scheme *scheme = url_scheme(url->scheme);
	bool session = true;

	if (!path || !scheme || scheme->form != URL_LIBPQ)
		return NULL;
	if (prepared && parse_bool(prepared, &session) != STATUS_OK)
		session = true;
	if (session && strchr(path, ','))
		return NULL;
	const char *name = path_name(arena, path);
	while (strcmp(name, "$user") == 0 && (path = strchr(path, ',')))
		name = path_name(arena, ++path);
	return *name && strcmp(name, "$user") != 0 ? name : NULL;
}
