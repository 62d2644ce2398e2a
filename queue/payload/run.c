#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "queue/payload/payload.h"

#define MOST 1e9 /* seconds: what is longer is none */

/*
 * The payload is changed as text: parsed and written again it could differ (numbers that jansson
 * cannot represent, the order of keys).
 */

static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* The end of the string that begins here; the end of the text if it is not closed. */
static const char *skip_string(const char *at)
{
	for (at++; *at != '\0' && *at != '"'; at++)
		if (*at == '\\' && at[1] != '\0')
			at++;
	return *at == '"' ? at + 1 : at;
}

/* The end of the value that begins here: before the comma or bracket that ends it. */
static const char *skip_value(const char *at)
{
	int depth = 0;

	while (*at != '\0' && (depth > 0 || (*at != ',' && *at != '}'))) {
		if (*at == '"') {
			at = skip_string(at);
			continue;
		}
		depth += *at == '{' || *at == '[';
		depth -= *at == '}' || *at == ']';
		at++;
	}
	return at;
}

static bool is_key(const char *at, const char *key)
{
	return strncmp(at + 1, key, strlen(key)) == 0 && at[1 + strlen(key)] == '"';
}

/* The value of a member of the object that begins at `at`; NULL when there is none. */
static const char *find_member(const char *at, const char *key)
{
	do {
		const char *name = skip_space(at + 1);
		if (*name != '"')
			return NULL;
		at = skip_space(skip_string(name));
		if (*at != ':')
			return NULL;
		at = skip_space(at + 1);
		if (is_key(name, key))
			return at;
		at = skip_value(at);
	} while (*at == ',');
	return NULL;
}

/* Nearly no job has one, and nobody else's text is parsed for it. */
int64_t payload_timeout(const char *text)
{
	const char *object = skip_space(text);
	const char *value = NULL;
	double seconds;

	if (*object == '{' && strstr(object, "\"" PAYLOAD_TIMEOUT "\""))
		value = find_member(object, PAYLOAD_TIMEOUT);
	seconds = value ? strtod(value, NULL) : 0;
	return seconds > 0 && seconds <= MOST ? (int64_t)(seconds * (double)CLOCK_SECOND + 0.5) : 0;
}

/* The object with another value of this member, which comes first where there was none. */
static const char *with_member(struct arena *arena, const char *text, const char *key,
			       const char *value)
{
	const char *object = skip_space(text);
	const char *old = find_member(object, key);
	const char *rest = old ? skip_value(old) : object + 1;
	struct text changed = { 0 };

	text_append(&changed, text, (size_t)((old ? old : rest) - text));
	if (!old)
		text_printf(&changed, "\"%s\":", key);
	text_add(&changed, value);
	if (!old && *skip_space(rest) != '}')
		text_add(&changed, ",");
	text_add(&changed, rest);
	return text_take(&changed, arena);
}

const char *payload_for_run(struct arena *arena, const char *text, int64_t job_id,
			    const char *arguments)
{
	if (*skip_space(text) != '{')
		return text;
	if (arguments && strstr(text, "\"" PAYLOAD_MARKS))
		text = with_member(arena, text, "arguments", arguments);
	return with_member(arena, text, "provider_job_id",
			   arena_printf(arena, "%lld", (long long)job_id));
}
