#include "config/yaml/expand.h"

#include <stdint.h>
#include <string.h>

#include "common/text/parse.h"
#include "common/text/text.h"

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

static void skip(struct scan *scan, size_t bytes)
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
	skip(scan, c.length);
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
	skip(scan, bytes);
	mark_edit(scan);
}

/* It may be in a comment, so it is a mistake only if it turns up in a scalar. */
static void unclosed(struct scan *scan, const char *fault)
{
	struct substitution *substitution = substitute(scan);
	substitution->fault = fault;
	substitution->refused = true;
	skip(scan, 2);
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
		if (erb_ends(tag, (size_t)(end - tag)))
			return end + 2;
		if (!strchr("=#%", *tag))
			return NULL;
		tag = end + 2;
	}
	return NULL;
}

/* A tag that is no value: `if ENV["NAME"]` and its end, as Rails generates them. */
static bool condition(struct scan *scan, const char *tag, const char *end)
{
	const char *after = end + 2;
	bool holds = false;
	if (scan->open > 0 && erb_ends(tag, (size_t)(end - tag))) {
		scan->open--;
	} else if (erb_condition(scan->arena, tag, (size_t)(end - tag), &holds) &&
		   condition_end(scan, after)) {
		scan->open += holds;
		after = holds ? after : condition_end(scan, after);
	} else {
		return false;
	}
	skip(scan, (size_t)(after - scan->at));
	mark_edit(scan);
	return true;
}

static void erb(struct scan *scan)
{
	const char *tag = scan->at + 2;
	const char *end =
		scan->no_more_ends ? NULL : memmem(tag, (size_t)(scan->end - tag), "%>", 2);
	if (!end) {
		scan->no_more_ends = true;
		unclosed(scan, "an ERB tag has no end, expected %>");
		return;
	}
	if (condition(scan, tag, end))
		return;
	if (*tag != '#')
		erb_evaluate(substitute(scan), scan->arena, tag, (size_t)(end - tag));
	skip(scan, (size_t)(end + 2 - scan->at));
	mark_edit(scan);
}

static void variable(struct scan *scan)
{
	const char *tag = scan->at + 2;
	const char *end = variable_end(tag, scan->end);
	if (!end) {
		unclosed(scan,
			 "a variable has no end, expected } on the same line and at most 8 in "
			 "each other ($${ for a plain ${)");
		return;
	}
	variable_evaluate(substitute(scan), scan->arena, tag, (size_t)(end - tag));
	skip(scan, (size_t)(end + 1 - scan->at));
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
		variable(scan);
	else
		erb(scan);
	return STATUS_OK;
}

static enum status check_bytes(struct scan *scan, size_t length)
{
	size_t fault = 0;
	const char *start = scan->at;
	if (utf8_valid(start, length, &fault))
		return STATUS_OK;
	skip(scan, fault);
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
