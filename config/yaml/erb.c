/*
 * One variable: ENV.fetch("NAME"[, default]), ENV.fetch("NAME") { default }, ENV["NAME"], or the
 * shell's NAME and NAME:-default, where the default may have such variables. A condition is `if
 * ENV["NAME"]`. Anything else is refused by name: dray does not run Ruby.
 */
#include <stdlib.h>
#include <string.h>

#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/yaml/expand.h"

struct cursor {
	const char *at;
	const char *end;
};

struct slice {
	const char *start;
	size_t length;
};

static void skip_space(struct cursor *cursor)
{
	while (cursor->at < cursor->end && strchr(" \t\r\n", *cursor->at))
		cursor->at++;
}

static bool take(struct cursor *cursor, const char *word)
{
	size_t length = strlen(word);
	skip_space(cursor);
	if ((size_t)(cursor->end - cursor->at) < length || memcmp(cursor->at, word, length) != 0)
		return false;
	cursor->at += length;
	return true;
}

/* A Ruby string without escapes or interpolation, which would need Ruby. */
static bool take_string(struct cursor *cursor, struct slice *slice)
{
	skip_space(cursor);
	if (cursor->at == cursor->end || (*cursor->at != '"' && *cursor->at != '\''))
		return false;
	char quote = *cursor->at++;
	const char *end = memchr(cursor->at, quote, (size_t)(cursor->end - cursor->at));
	if (!end)
		return false;
	*slice = (struct slice){ cursor->at, (size_t)(end - cursor->at) };
	cursor->at = end + 1;
	if (memchr(slice->start, '\\', slice->length))
		return false;
	return quote == '\'' || !memmem(slice->start, slice->length, "#{", 2);
}

static size_t digits(const char *at, const char *end)
{
	const char *start = at;
	while (at < end && *at >= '0' && *at <= '9')
		at++;
	return (size_t)(at - start);
}

static bool take_number(struct cursor *cursor, struct slice *slice)
{
	const char *at = cursor->at;
	if (at < cursor->end && (*at == '-' || *at == '+'))
		at++;
	size_t whole = digits(at, cursor->end);
	if (whole == 0)
		return false;
	at += whole;
	if (cursor->end - at > 1 && *at == '.' && digits(at + 1, cursor->end) > 0)
		at += 1 + digits(at + 1, cursor->end);
	*slice = (struct slice){ cursor->at, (size_t)(at - cursor->at) };
	cursor->at = at;
	return true;
}

static bool take_literal(struct cursor *cursor, struct slice *slice)
{
	if (take(cursor, "nil")) {
		*slice = (struct slice){ "", 0 };
		return true;
	}
	if (take(cursor, "true")) {
		*slice = (struct slice){ "true", 4 };
		return true;
	}
	if (take(cursor, "false")) {
		*slice = (struct slice){ "false", 5 };
		return true;
	}
	bool string = cursor->at < cursor->end && strchr("\"'", *cursor->at);
	return string ? take_string(cursor, slice) : take_number(cursor, slice);
}

struct variable {
	struct slice name;
	struct slice fallback;
	bool has_fallback;
	bool or_empty;       /* ENV["NAME"]: a missing value is not a mistake */
	bool shell;          /* an empty value counts as none */
	const char *missing; /* why the fallback has no value, or NULL */
};

static bool parse_fetch(struct cursor *cursor, struct variable *variable)
{
	if (!take(cursor, "(") || !take_string(cursor, &variable->name))
		return false;
	if (take(cursor, ",")) {
		variable->has_fallback = true;
		return take_literal(cursor, &variable->fallback) && take(cursor, ")");
	}
	if (!take(cursor, ")"))
		return false;
	if (!take(cursor, "{"))
		return true;
	variable->has_fallback = true;
	return take_literal(cursor, &variable->fallback) && take(cursor, "}");
}

static bool parse_erb(struct cursor *cursor, struct variable *variable)
{
	if (!take(cursor, "=") || !take(cursor, "ENV"))
		return false;
	if (take(cursor, ".fetch")) {
		if (!parse_fetch(cursor, variable))
			return false;
	} else {
		variable->or_empty = true;
		if (!take(cursor, "[") || !take_string(cursor, &variable->name) ||
		    !take(cursor, "]"))
			return false;
	}
	if (cursor->end - cursor->at > 0 && cursor->end[-1] == '-')
		cursor->end--;
	skip_space(cursor);
	return cursor->at == cursor->end && variable->name.length > 0;
}

static void evaluate(struct substitution *substitution, struct arena *arena,
		     const struct variable *variable, const char *how)
{
	const char *name = arena_strndup(arena, variable->name.start, variable->name.length);
	/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	const char *value = getenv(name);
	const char *missing = variable->missing;
	size_t length = value ? strlen(value) : 0;
	if (!value || (variable->shell && variable->has_fallback && length == 0)) {
		if (!variable->has_fallback && !variable->or_empty)
			substitution->fault = arena_printf(
				arena,
				"the environment variable %s is not set, expected it or a "
				"default: %s",
				quoted(arena, name), how);
		else if (missing)
			substitution->fault = missing;
		else
			substitution->value = arena_strndup(arena, variable->fallback.start,
							    variable->fallback.length);
		return;
	}
	size_t fault = 0;
	if (length > EXPAND_VALUE_MAXIMUM)
		substitution->fault =
			arena_printf(arena,
				     "the environment variable %s is %zu bytes long, "
				     "expected at most %d",
				     quoted(arena, name), length, EXPAND_VALUE_MAXIMUM);
	else if (!utf8_valid(value, length, &fault))
		substitution->fault = arena_printf(
			arena,
			"the environment variable %s is not UTF-8 (byte %zu), expected UTF-8 "
			"text",
			quoted(arena, name), fault + 1);
	else
		substitution->value = arena_strdup(arena, value);
}

void erb_evaluate(struct substitution *substitution, struct arena *arena, const char *tag,
		  size_t length)
{
	struct cursor cursor = { tag, tag + length };
	struct variable variable = { .fallback = { "", 0 } };
	if (parse_erb(&cursor, &variable)) {
		evaluate(substitution, arena, &variable, "ENV.fetch(\"NAME\", default)");
		return;
	}
	substitution->refused = true;
	substitution->statement = length == 0 || *tag != '=';
	substitution->fault = arena_printf(
		arena, "ERB %s is not understood, expected %s",
		quoted(arena, arena_printf(arena, "<%%%.*s%%>", (int)length, tag)),
		substitution->statement
			? "<% if ENV[\"NAME\"] %> and its <% end %>, with values alone between them"
			: "ENV.fetch(\"NAME\", default) or ENV[\"NAME\"]");
}

/* With the dashes of <%- and -%>, which are about blanks. */
static struct cursor inside(const char *tag, size_t length)
{
	struct cursor cursor = { tag, tag + length };
	cursor.at += length > 0 && *tag == '-';
	cursor.end -= cursor.end > cursor.at && cursor.end[-1] == '-';
	return cursor;
}

static bool at_end(struct cursor *cursor)
{
	skip_space(cursor);
	return cursor->at == cursor->end;
}

bool erb_condition(struct arena *arena, const char *tag, size_t length, bool *holds)
{
	struct cursor cursor = inside(tag, length);
	struct slice name = { 0 };
	if (!take(&cursor, "if ") || !take(&cursor, "ENV") || !take(&cursor, "[") ||
	    !take_string(&cursor, &name) || !take(&cursor, "]") || !at_end(&cursor))
		return false;
	/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	*holds = getenv(arena_strndup(arena, name.start, name.length)) != NULL;
	return true;
}

bool erb_ends(const char *tag, size_t length)
{
	struct cursor cursor = inside(tag, length);
	return take(&cursor, "end") && at_end(&cursor);
}

static size_t name_length(const struct cursor *cursor)
{
	const char *at = cursor->at;
	while (at < cursor->end &&
	       (*at == '_' || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') ||
		(at > cursor->at && *at >= '0' && *at <= '9')))
		at++;
	return (size_t)(at - cursor->at);
}

const char *variable_end(const char *tag, const char *end)
{
	int depth = 1;
	for (; tag < end && *tag != '\n'; tag++) {
		if (*tag == '}' && --depth == 0)
			return tag;
		if (end - tag > 1 && tag[0] == '$' && tag[1] == '{' && ++depth > VARIABLE_DEPTH)
			return NULL;
	}
	return NULL;
}

/* A variable of a fallback, from its ${ on, which has an end; at most VARIABLE_DEPTH deep. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static const char *nested(struct substitution *substitution, struct arena *arena,
			  struct variable *variable, struct text *text, struct cursor *cursor)
{
	struct substitution inner = { 0 };
	const char *tag = cursor->at + 2;
	const char *end = variable_end(tag, cursor->end);
	if (!end)
		return cursor->end;
	variable_evaluate(&inner, arena, tag, (size_t)(end - tag));
	if (inner.refused) {
		substitution->refused = true;
		substitution->fault = inner.fault;
	} else if (!inner.value && !variable->missing)
		variable->missing = inner.fault;
	if (inner.value)
		text_add(text, inner.value);
	return end + 1;
}

/* What is written is checked, too, when the variable has a value of its own. */
/* NOLINTNEXTLINE(misc-no-recursion) */
static void expand_fallback(struct substitution *substitution, struct arena *arena,
			    struct variable *variable)
{
	struct text text = { .maximum = EXPAND_VALUE_MAXIMUM };
	struct cursor cursor = { variable->fallback.start,
				 variable->fallback.start + variable->fallback.length };
	while (cursor.at < cursor.end && !text.truncated) {
		size_t rest = (size_t)(cursor.end - cursor.at);
		if (rest > 2 && memcmp(cursor.at, "$${", 3) == 0) {
			text_add(&text, "${");
			cursor.at += 3;
		} else if (rest > 1 && memcmp(cursor.at, "${", 2) == 0) {
			cursor.at = nested(substitution, arena, variable, &text, &cursor);
		} else {
			text_append(&text, cursor.at++, 1);
		}
	}
	if (text.truncated && !variable->missing)
		variable->missing =
			arena_printf(arena, "the default of %s is longer than %d bytes",
				     quoted(arena, arena_strndup(arena, variable->name.start,
								 variable->name.length)),
				     EXPAND_VALUE_MAXIMUM);
	variable->fallback.length = text.length;
	variable->fallback.start = text_take(&text, arena);
}

/* NOLINTNEXTLINE(misc-no-recursion) */
void variable_evaluate(struct substitution *substitution, struct arena *arena, const char *tag,
		       size_t length)
{
	struct cursor cursor = { tag, tag + length };
	struct variable variable = { .name = { tag, name_length(&cursor) },
				     .fallback = { "", 0 },
				     .shell = true };
	cursor.at += variable.name.length;
	if (cursor.end - cursor.at >= 2 && cursor.at[0] == ':' && cursor.at[1] == '-') {
		variable.has_fallback = true;
		variable.fallback =
			(struct slice){ cursor.at + 2, (size_t)(cursor.end - cursor.at - 2) };
		if (!memmem(cursor.at, (size_t)(cursor.end - cursor.at), "<%", 2))
			cursor.at = cursor.end;
	}
	if (variable.name.length > 0 && cursor.at == cursor.end) {
		expand_fallback(substitution, arena, &variable);
		if (substitution->refused)
			return;
		evaluate(substitution, arena, &variable, "${NAME:-default}");
		return;
	}
	substitution->refused = true;
	substitution->fault = arena_printf(
		arena,
		"%s is not understood, expected ${NAME} or ${NAME:-default} ($${ for a plain ${)",
		quoted(arena, arena_printf(arena, "${%.*s}", (int)length, tag)));
}
