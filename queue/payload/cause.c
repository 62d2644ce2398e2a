#include "queue/payload/cause.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "common/text/text.h"

#define LOOKED_AT 200 /* of the last lines of an error */

/* A line of Go's, Java's, Ruby's or Node's stack is indented, or the line behind it is a place. */
static bool says_something(const char *line, size_t length, const char *next)
{
	static const char *const noise[] = { "}", "goroutine ", "Node.js v" };

	if (length == 0 || strchr(" \t\r", *line) || strncmp(next, "\t/", 2) == 0)
		return false;
	for (size_t i = 0; i < sizeof(noise) / sizeof(noise[0]); i++)
		if (length >= strlen(noise[i]) && strncmp(line, noise[i], strlen(noise[i])) == 0)
			return false;
	return true;
}

const char *cause_line(struct arena *arena, const char *lines)
{
	const char *next = "";

	if (!lines)
		return NULL;
	for (const char *end = lines + strlen(lines);;) {
		const char *line = end;
		while (line > lines && line[-1] != '\n')
			line--;
		size_t length = (size_t)(end - line);
		while (length > 0 && line[length - 1] == '\r')
			length--;
		if (says_something(line, length, next))
			return arena_strndup(arena, line, length);
		if (line == lines)
			return NULL;
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
