/* Any bytes as a file with variables: what is none is kept, and found where expand_place says. */
#include "common/text/parse.h"
#include "config/yaml/expand.h"
#include "tests/fuzz/fuzz.h"

static bool breaks_line(const char *at)
{
	return *at == '\n' || *at == '\r' || strncmp(at, "\xC2\x85", 2) == 0 ||
	       strncmp(at, "\xE2\x80\xA8", 3) == 0 || strncmp(at, "\xE2\x80\xA9", 3) == 0;
}

/* The next character; CR LF is one. */
static const char *step(const char *at, size_t *line, size_t *column)
{
	bool newline = breaks_line(at);
	*line += newline;
	*column = newline ? 0 : *column + 1;
	if (at[0] == '\r' && at[1] == '\n')
		return at + 2;
	for (at++; (*at & 0xC0) == 0x80;)
		at++;
	return at;
}

struct position {
	const char *at;
	size_t line, column;
};

/* Places never go backwards, so one walk over the file finds them all. */
static void check_place(struct position *file, struct place place, const char *character)
{
	size_t line = place.line - 1, column = place.column - 1;
	while (*file->at && (file->line < line || (file->line == line && file->column < column)))
		file->at = step(file->at, &file->line, &file->column);
	bool same = *file->at == *character || (*file->at == '\r' && *character == '\n');
	require(file->line == line && file->column == column && same);
}

static bool is_placeholder(const char *at)
{
	return (unsigned char)at[0] == 0xF3 && (unsigned char)at[1] >= 0xB0;
}

static void check(const struct expansion *expansion, const char *text)
{
	struct position out = { .at = expansion->text };
	struct position file = { .at = text };
	if (strncmp(text, "\xEF\xBB\xBF", 3) == 0)
		file.at += 3;
	while (*out.at) {
		struct place place = expand_place(expansion, out.line, out.column);
		/* Inside of a character cut by an edit there is nothing to compare. */
		if (!is_placeholder(out.at))
			check_place(&file, place, out.at);
		out.at = step(out.at, &out.line, &out.column);
	}
}

FUZZ()
{
	struct expansion expansion = { .file = "fuzz" };
	struct report *report = report_new(arena);
	const struct substitution *fault = NULL;
	size_t bad = 0;

	(void)setenv("A", "a value: [with, structure]", 1);
	if (expand(&expansion, arena, report, text, size) == STATUS_OK) {
		require(!report_failed(report) && strlen(expansion.text) == expansion.length);
		check(&expansion, text);
		const char *whole = expand_values(&expansion, arena, expansion.text, &fault);
		require(utf8_valid(whole, strlen(whole), &bad));
	} else
		require(report_failed(report));
}
