#include "queue/payload/cause.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "common/text/text.h"

#define LOOKED_AT 200 /* of the last lines of an error */

static bool begins(const char *line, size_t length, const char *with)
{
	return length >= strlen(with) && strncmp(line, with, strlen(with)) == 0;
}

/*
 * What programs write behind their error: frames of a stack, details and hints. These are Node's,
 * Go's, Ruby's, Rust's, SQLAlchemy's and PostgreSQL's; PHP numbers its frames (#0).
 */
static bool is_noise(const char *line, size_t length, const char *next)
{
	static const char *const beginnings[] = { "}",
						  "- /",
						  "Node.js v",
						  "goroutine ",
						  "[signal ",
						  "exit status ",
						  "Did you mean?",
						  "note: ",
						  "[SQL: ",
						  "[parameters: ",
						  "(Background on this error at: ",
						  "DETAIL:",
						  "HINT:",
						  "LINE ",
						  "QUERY:",
						  "CONTEXT:",
						  "SQL statement \"",
						  "PL/pgSQL function " };
	static const char *const whole[] = { "Stack trace:", "stack backtrace:", "Stack backtrace:",
					     "Require stack:", "Caused by:" };

	if (strspn(line, "^~") == length || next[strspn(next, " ")] == '^')
		return true; /* a line of the program, and what is marked in it */
	if (length > 1 && line[0] == '#' && line[1] >= '0' && line[1] <= '9')
		return true;
	for (size_t i = 0; i < sizeof(beginnings) / sizeof(beginnings[0]); i++)
		if (begins(line, length, beginnings[i]))
			return true;
	for (size_t i = 0; i < sizeof(whole) / sizeof(whole[0]); i++)
		if (length == strlen(whole[i]) && begins(line, length, whole[i]))
			return true;
	return false;
}

/* A line of a stack is indented, or the line behind it is a place in a file of Go. */
static bool is_text(const char *line, size_t length, const char *next)
{
	return length > 0 && !strchr(" \t\r", *line) && !begins(next, strlen(next), "\t/");
}

/* SQLAlchemy's statement may have several lines: where it begins, if this line stands below it. */
static const char *skip_statement(const char *lines, const char *line, size_t length)
{
	static const char statement[] = "\n[SQL: ";

	if (!begins(line, length, "(Background on this error at: "))
		return line;
	for (const char *at = line; at > lines; at--)
		if (begins(at - 1, (size_t)(line - at + 1), statement))
			return at;
	return line;
}

/* Of a line, without the line break of Windows. */
static size_t line_length(const char *line, const char *end)
{
	while (end > line && end[-1] == '\r')
		end--;
	return (size_t)(end - line);
}

const char *cause_line(struct arena *arena, const char *lines)
{
	const char *next = "";
	const char *noise = NULL;

	if (!lines)
		return NULL;
	for (const char *end = lines + strlen(lines);;) {
		const char *line = end;
		while (line > lines && line[-1] != '\n')
			line--;
		const size_t length = line_length(line, end);
		const bool text = is_text(line, length, next);
		if (text && !is_noise(line, length, next))
			return arena_strndup(arena, line, length);
		if (text && !noise)
			noise = arena_strndup(arena, line, length);
		line = skip_statement(lines, line, length);
		if (line == lines)
			return noise;
		next = line;
		end = line - 1;
	}
}

const char *cause_text(struct arena *arena, const char *message, const char *line)
{
	return line ? arena_printf(arena, "%s: %s", message, line) : message;
}

/* Those of a failed command are its standard error; anybody else's are a stack. */
static const char *last_line(struct arena *arena, const char *error_class, const json_t *lines)
{
	const size_t count = json_array_size(lines);
	struct text text = { 0 };

	if (!error_class || (strcmp(error_class, "Dray::ExitStatusError") != 0 &&
			     strcmp(error_class, "Dray::SignalError") != 0))
		return NULL;
	for (size_t i = count > LOOKED_AT ? count - LOOKED_AT : 0; i < count; i++) {
		const char *line = json_string_value(json_array_get(lines, i));
		text_printf(&text, "%s\n", line ? line : "");
	}
	const char *line = cause_line(arena, text_string(&text));
	text_free(&text);
	return line;
}

struct cause cause_of(struct arena *arena, const char *error)
{
	json_t *root = error ? json_loads(error, 0, NULL) : NULL;
	const char *error_class = json_string_value(json_object_get(root, "exception_class"));
	const char *message = json_string_value(json_object_get(root, "message"));
	const char *line = last_line(arena, error_class, json_object_get(root, "backtrace"));
	struct cause cause = { 0 };

	if (error_class && message) {
		cause.error_class = arena_strdup(arena, error_class);
		cause.message = arena_strdup(arena, message);
		cause.line = line;
		cause.brief = line ? line : arena_printf(arena, "%s: %s", error_class, message);
	}
	json_decref(root);
	return cause;
}
