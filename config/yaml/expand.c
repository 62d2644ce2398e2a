/*
 * Variables of a file, replaced before YAML is parsed.
 *
 * Of ERB only what Rails generates is known: ENV.fetch("NAME"[, default]), ENV.fetch("NAME") {
 * default }, ENV["NAME"] and the condition `if ENV["NAME"]`; and the shell's NAME and
 * NAME:-default, where the default may have such variables. Anything else is refused by name: dray
 * does not run Ruby. Each replacement is one character, so that places in the file can be told from
 * those in the resulting text.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/text/text.h"
#include "config/yaml/expand.h"

/* One variable */

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
			"the environment variable %s is not UTF-8 (byte %zu), expected UTF-8 text",
			quoted(arena, name), fault + 1);
	else
		substitution->value = arena_strdup(arena, value);
}

/*
 * Evaluates the text between "<%" and "%>" with the environment. Gives value, or fault and refused.
 * Its only effect is getenv.
 */
static void evaluate_erb(struct substitution *substitution, struct arena *arena, const char *tag,
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
static struct cursor cursor_inside(const char *tag, size_t length)
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

/* Is it `if ENV["NAME"]`? *holds: there is such a variable, even an empty one. */
static bool is_condition(struct arena *arena, const char *tag, size_t length, bool *holds)
{
	struct cursor cursor = cursor_inside(tag, length);
	struct slice name = { 0 };
	if (!take(&cursor, "if ") || !take(&cursor, "ENV") || !take(&cursor, "[") ||
	    !take_string(&cursor, &name) || !take(&cursor, "]") || !at_end(&cursor))
		return false;
	/* No other thread runs yet. NOLINTNEXTLINE(concurrency-mt-unsafe) */
	*holds = getenv(arena_strndup(arena, name.start, name.length)) != NULL;
	return true;
}

/* Is it `end`? */
static bool is_end(const char *tag, size_t length)
{
	struct cursor cursor = cursor_inside(tag, length);
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

/*
 * The } of the variable whose "${" stands before tag, behind those of the variables in its default.
 * NULL: there is none on the line, or they are nested too deep.
 */
static const char *variable_end(const char *tag, const char *end)
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

static void evaluate_shell(struct substitution *, struct arena *, const char *, size_t);

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
	evaluate_shell(&inner, arena, tag, (size_t)(end - tag));
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
static void evaluate_shell(struct substitution *substitution, struct arena *arena, const char *tag,
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

/* The whole file */

struct scan {
	struct expansion *expansion;
	struct arena *arena;
	struct report *report;
	const char *at;
	const char *end;
	struct text out;
	unsigned line, column;         /* in the file, from 0 */
	unsigned out_line, out_column; /* in the resulting text, from 0 */
	bool no_more_ends;             /* there is no %> from here on: do not search again */
	size_t open;                   /* conditions that hold and have not ended */
};

/* One character of valid UTF-8; a CR LF pair is one. */
struct character {
	uint32_t code;
	size_t length;
	bool newline;
};

static struct character character_at(const char *at, const char *end)
{
	unsigned char lead = (unsigned char)*at;
	size_t length = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
	uint32_t code = length == 1 ? lead : lead & (0x7FU >> length);
	for (size_t i = 1; i < length; i++)
		code = code << 6 | (at[i] & 0x3F);
	/* These must be the line ends that libyaml knows, or line numbers would differ. */
	bool newline =
		code == '\n' || code == '\r' || code == 0x85 || code == 0x2028 || code == 0x2029;
	if (code == '\r' && at + 1 < end && at[1] == '\n')
		length = 2;
	return (struct character){ code, length, newline };
}

static struct place place_here(const struct scan *scan)
{
	return (struct place){ scan->expansion->file, scan->line + 1, scan->column + 1 };
}

static bool starts(const struct scan *scan, const char *word)
{
	size_t length = strlen(word);
	return (size_t)(scan->end - scan->at) >= length && memcmp(scan->at, word, length) == 0;
}

static void skip_bytes(struct scan *scan, size_t bytes)
{
	const char *stop = scan->at + bytes;
	while (scan->at < stop) {
		struct character c = character_at(scan->at, scan->end);
		scan->at += c.length;
		scan->column = c.newline ? 0 : scan->column + 1;
		scan->line += c.newline;
	}
}

static bool allowed(uint32_t code)
{
	if (code < 0x20)
		return code == '\t' || code == '\n' || code == '\r';
	if (code >= 0x7F && code < 0xA0)
		return code == 0x85;
	return code != 0xFEFF && code != 0xFFFE && code != 0xFFFF;
}

static enum status keep(struct scan *scan)
{
	struct character c = character_at(scan->at, scan->end);
	if (!allowed(c.code) || (c.code >= EXPAND_FIRST && c.code <= 0xFFFFF)) {
		report_error(scan->report, place_here(scan),
			     "the character U+%04X is not allowed, expected printable text",
			     (unsigned)c.code);
		return STATUS_INVALID;
	}
	/*
	 * A lone CR could end up before the LF that follows a removed comment: two lines would
	 * become one.
	 */
	if (c.code == '\r')
		text_add(&scan->out, "\n");
	else
		text_append(&scan->out, scan->at, c.length);
	scan->out_column = c.newline ? 0 : scan->out_column + 1;
	scan->out_line += c.newline;
	skip_bytes(scan, c.length);
	return STATUS_OK;
}

/* After a part of the file that is missing from the resulting text or differs there. */
static void mark_edit(struct scan *scan)
{
	struct expansion *e = scan->expansion;
	e->edits = arena_extend(scan->arena, e->edits, e->edit_count, sizeof(*e->edits));
	e->edits[e->edit_count++] =
		(struct expand_edit){ scan->out_line, scan->out_column, scan->line, scan->column };
}

static struct substitution *substitute(struct scan *scan)
{
	struct expansion *e = scan->expansion;
	e->substitutions = arena_extend(scan->arena, e->substitutions, e->substitution_count,
					sizeof(*e->substitutions));
	size_t number = e->substitution_count++;
	uint32_t code = EXPAND_FIRST + (uint32_t)number;
	char bytes[] = { (char)(0xF0 | code >> 18), (char)(0x80 | (code >> 12 & 0x3F)),
			 (char)(0x80 | (code >> 6 & 0x3F)), (char)(0x80 | (code & 0x3F)) };
	e->substitutions[number] =
		(struct substitution){ .place = place_here(scan), .at = scan->out.length };
	text_append(&scan->out, bytes, sizeof(bytes));
	scan->out_column++;
	return &e->substitutions[number];
}

static void literal(struct scan *scan, size_t bytes, const char *value)
{
	substitute(scan)->value = value;
	skip_bytes(scan, bytes);
	mark_edit(scan);
}

/* It may be in a comment, so it is a mistake only if it turns up in a scalar. */
static void unclosed(struct scan *scan, const char *fault)
{
	struct substitution *substitution = substitute(scan);
	substitution->fault = fault;
	substitution->refused = true;
	skip_bytes(scan, 2);
	mark_edit(scan);
}

/*
 * What follows the end of a condition, from its own %> on. NULL: there is none, or a tag between
 * them is neither a value nor a comment.
 */
static const char *condition_end(const struct scan *scan, const char *from)
{
	const char *tag = from;
	while ((tag = memmem(tag, (size_t)(scan->end - tag), "<%", 2))) {
		tag += 2;
		const char *end = memmem(tag, (size_t)(scan->end - tag), "%>", 2);
		if (!end)
			return NULL;
		if (is_end(tag, (size_t)(end - tag)))
			return end + 2;
		if (!strchr("=#%", *tag))
			return NULL;
		tag = end + 2;
	}
	return NULL;
}

/* A tag that is no value: `if ENV["NAME"]` and its end, as Rails generates them. */
static bool read_condition(struct scan *scan, const char *tag, const char *end)
{
	const char *after = end + 2;
	bool holds = false;
	if (scan->open > 0 && is_end(tag, (size_t)(end - tag))) {
		scan->open--;
	} else if (is_condition(scan->arena, tag, (size_t)(end - tag), &holds) &&
		   condition_end(scan, after)) {
		scan->open += holds;
		after = holds ? after : condition_end(scan, after);
	} else {
		return false;
	}
	skip_bytes(scan, (size_t)(after - scan->at));
	mark_edit(scan);
	return true;
}

static void read_erb(struct scan *scan)
{
	const char *tag = scan->at + 2;
	const char *end =
		scan->no_more_ends ? NULL : memmem(tag, (size_t)(scan->end - tag), "%>", 2);
	if (!end) {
		scan->no_more_ends = true;
		unclosed(scan, "an ERB tag has no end, expected %>");
		return;
	}
	if (read_condition(scan, tag, end))
		return;
	if (*tag != '#')
		evaluate_erb(substitute(scan), scan->arena, tag, (size_t)(end - tag));
	skip_bytes(scan, (size_t)(end + 2 - scan->at));
	mark_edit(scan);
}

static void read_variable(struct scan *scan)
{
	const char *tag = scan->at + 2;
	const char *end = variable_end(tag, scan->end);
	if (!end) {
		unclosed(scan,
			 "a variable has no end, expected } on the same line and at most 8 in "
			 "each other ($${ for a plain ${)");
		return;
	}
	evaluate_shell(substitute(scan), scan->arena, tag, (size_t)(end - tag));
	skip_bytes(scan, (size_t)(end + 1 - scan->at));
	mark_edit(scan);
}

static bool starts_variable(const struct scan *scan)
{
	return starts(scan, "<%") ||
	       (!scan->expansion->foreign && (starts(scan, "${") || starts(scan, "$${")));
}

static enum status step(struct scan *scan)
{
	if (!starts_variable(scan))
		return keep(scan);
	if (scan->expansion->substitution_count >= EXPAND_MAXIMUM) {
		report_error(scan->report, place_here(scan),
			     "too many variables, expected at most %d in a file", EXPAND_MAXIMUM);
		return STATUS_INVALID;
	}
	if (starts(scan, "<%%"))
		literal(scan, 3, "<%");
	else if (starts(scan, "$${"))
		literal(scan, 3, "${");
	else if (starts(scan, "${"))
		read_variable(scan);
	else
		read_erb(scan);
	return STATUS_OK;
}

static enum status check_bytes(struct scan *scan, size_t length)
{
	size_t fault = 0;
	const char *start = scan->at;
	if (utf8_valid(start, length, &fault))
		return STATUS_OK;
	skip_bytes(scan, fault);
	if (start[fault] == '\0')
		report_error(scan->report, place_here(scan), "a NUL byte, expected UTF-8 text");
	else
		report_error(scan->report, place_here(scan),
			     "not UTF-8 (byte 0x%02X), expected UTF-8 text",
			     (unsigned char)start[fault]);
	return STATUS_INVALID;
}

enum status expand(struct expansion *expansion, struct arena *arena, struct report *report,
		   const char *text, size_t length)
{
	struct scan scan = { .expansion = expansion,
			     .arena = arena,
			     .report = report,
			     .at = text,
			     .end = text + length };
	enum status status = check_bytes(&scan, length);
	/* A byte order mark has no meaning in UTF-8, but editors write it. */
	if (status == STATUS_OK && starts(&scan, "\xEF\xBB\xBF"))
		scan.at += 3;
	while (status == STATUS_OK && scan.at < scan.end)
		status = step(&scan);
	expansion->text = arena_strndup(arena, text_string(&scan.out), scan.out.length);
	expansion->length = scan.out.length;
	text_free(&scan.out);
	return status;
}

struct place expand_place(const struct expansion *expansion, size_t line, size_t column)
{
	size_t low = 0;
	size_t high = expansion->edit_count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct expand_edit *edit = &expansion->edits[middle];
		if (edit->out_line < line || (edit->out_line == line && edit->out_column <= column))
			low = middle + 1;
		else
			high = middle;
	}
	struct expand_edit edit = low ? expansion->edits[low - 1] : (struct expand_edit){ 0 };
	if (edit.out_line == line)
		column += edit.in_column - edit.out_column;
	line += edit.in_line - edit.out_line;
	return (struct place){ expansion->file, (unsigned)line + 1, (unsigned)column + 1 };
}

const char *expand_values(const struct expansion *expansion, struct arena *arena, const char *text,
			  const struct substitution **fault)
{
	struct text out = { 0 };
	const char *end = text + strlen(text);
	*fault = NULL;
	while (text < end) {
		struct character c = character_at(text, end);
		size_t number = c.code - EXPAND_FIRST;
		if (c.code < EXPAND_FIRST || number >= expansion->substitution_count) {
			text_append(&out, text, c.length);
		} else {
			const struct substitution *found = &expansion->substitutions[number];
			if (found->value)
				text_add(&out, found->value);
			else if (!*fault)
				*fault = found;
		}
		text += c.length;
	}
	const char *result = arena_strndup(arena, text_string(&out), out.length);
	text_free(&out);
	return result;
}
