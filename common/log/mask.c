#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "common/text/parse.h"

/*
 * Hiding too much is a nuisance, hiding too little a leak: if a URL is malformed (an unescaped '@',
 * '/' or '?' in the password), the longest possible password is hidden.
 */

static const char hidden[] = "***";

/* A parameter is secret when its name ends in one of these. */
static const char *const secrets[] = {
	"password", "passwd", "passphrase",       "pwd",
	"secret",   "token",  "scram_client_key", "scram_server_key",
};

struct range {
	const char *start, *end;
};

struct output {
	char *data;
	size_t size, length;
};

static bool is_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_' || byte == '-' || byte == '.' ||
	       byte == '%';
}

static size_t name_length(const char *at)
{
	size_t length = 0;
	while (is_name(at[length]))
		length++;
	return length;
}

/* The '?' that begins a query: one that "name=" follows; any other may be part of a password. */
static const char *query_of(const char *url)
{
	const char *mark = strchr(url, '?');
	while (mark && mark[1 + name_length(mark + 1)] != '=')
		mark = strchr(mark + 1, '?');
	return mark ? mark : url + strlen(url);
}

/* Does the text up to a '/', '?' or the end read as hosts with ports: "[::1]:5432,db2:5433"? */
static bool is_hosts(const char *at)
{
	while (*at != '\0' && *at != '/' && *at != '?') {
		at += *at == '[' ? strcspn(at, "]/?") : name_length(at);
		at += *at == ']' ? 1 : 0;
		at += *at == ':' ? 1 + strspn(at + 1, "0123456789") : 0;
		if (*at == ',')
			at++;
		else if (*at != '\0' && *at != '/' && *at != '?')
			return false;
	}
	return true;
}

/* The password in scheme://user:password@host; empty when there is none. */
static struct range authority_password(const char *user)
{
	const char *query = query_of(user);
	const char *end = user + strlen(user);
	const char *at = memrchr(user, '@', (size_t)(query - user));
	if (!at && is_hosts(user))
		return (struct range){ 0 };
	if (!at)
		at = memrchr(user, '@', (size_t)(end - user));
	if (!at)
		at = end;
	const char *colon = memchr(user, ':', (size_t)(at - user));
	return colon ? (struct range){ colon + 1, at } : (struct range){ 0 };
}

/* Without "//" ("mysql:user:password@host", "user:password@host"), but not a path "sqlite3:a@b". */
static struct range plain_password(const char *url)
{
	const char *colon = url + name_length(url);
	const char *at = strrchr(url, '@');
	bool file = strncasecmp(url, "sqlite", 6) == 0 || strncasecmp(url, "file:", 5) == 0;
	if (*colon != ':' || file || !at || at < colon)
		return (struct range){ 0 };
	return (struct range){ colon + 1, at };
}

static struct range user_password(const char *url)
{
	const char *scheme = strstr(url, "://");
	return scheme ? authority_password(scheme + 3) : plain_password(url);
}

static int hex_value(char digit)
{
	static const char digits[] = "0123456789abcdefABCDEF";
	for (int i = 0; digits[i] != '\0'; i++)
		if (digits[i] == digit)
			return i < 16 ? i : i - 6;
	return -1;
}

/* Names in a query may be percent-encoded. Longer names than this are cut at the front. */
#define NAME_SIZE 64

static size_t decode_name(const char *at, size_t length, char name[NAME_SIZE])
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++) {
		int high = at[i] == '%' && i + 2 < length ? hex_value(at[i + 1]) : -1;
		int low = high >= 0 ? hex_value(at[i + 2]) : -1;
		if (count == NAME_SIZE - 1)
			memmove(name, name + 1, --count);
		name[count] = at[i];
		if (low >= 0) {
			name[count] = (char)(high * 16 + low);
			i += 2;
		}
		count++;
	}
	name[count] = '\0';
	return count;
}

static bool is_secret(const char *at, size_t length)
{
	char name[NAME_SIZE];
	size_t count = decode_name(at, length, name);
	for (size_t i = 0; i < sizeof(secrets) / sizeof(secrets[0]); i++) {
		size_t tail = strlen(secrets[i]);
		if (count >= tail && strcasecmp(name + count - tail, secrets[i]) == 0)
			return true;
	}
	return false;
}

/* A value of libpq's "key = value" form: quoted with ' or up to a space; \ escapes. */
static const char *keyword_value_end(const char *at)
{
	bool quoted = *at == '\'';
	if (quoted)
		at++;
	while (*at != '\0' && (quoted ? *at != '\'' : !isspace((unsigned char)*at)))
		at += *at == '\\' && at[1] != '\0' ? 2 : 1;
	return quoted && *at == '\'' ? at + 1 : at;
}

static const char *skip_spaces(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/*
 * If a secret parameter's name starts at `at`, its value. In a query only '&' ends a value;
 * elsewhere spaces may stand around '='.
 */
static struct range parameter_value(const char *url, const char *at)
{
	char before = ' ';
	if (at > url)
		before = at[-1];
	bool query = before == '?' || before == '&';
	size_t length = name_length(at);
	if (is_name(before) || length == 0 || !is_secret(at, length))
		return (struct range){ 0 };
	const char *equals = query ? at + length : skip_spaces(at + length);
	if (*equals != '=')
		return (struct range){ 0 };
	const char *value = query ? equals + 1 : skip_spaces(equals + 1);
	return (struct range){ value,
			       query ? value + strcspn(value, "&") : keyword_value_end(value) };
}

static void put(struct output *output, const char *data, size_t length)
{
	for (size_t i = 0; i < length && output->length + 1 < output->size; i++) {
		char byte = data[i];
		if (iscntrl((unsigned char)byte))
			byte = '?';
		output->data[output->length++] = byte;
	}
}

static void put_hidden(struct output *output)
{
	put(output, hidden, sizeof(hidden) - 1);
}

static void mask_into(struct output *output, const char *url)
{
	struct range user = user_password(url);
	const char *at = url;
	while (*at != '\0') {
		struct range value = parameter_value(url, at);
		if (user.start && at >= user.start && at < user.end) {
			put_hidden(output);
			at = user.end;
		} else if (value.start) {
			put(output, at, (size_t)(value.start - at));
			if (value.end > value.start)
				put_hidden(output);
			at = value.end;
		} else {
			put(output, at, 1);
			at++;
		}
	}
}

void url_mask(const char *url, char *out, size_t size)
{
	struct output output = { out, size, 0 };
	if (size == 0)
		return;
	if (url)
		mask_into(&output, url);
	out[output.length] = '\0';
}
