#include "common/error.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "common/text/text.h"

#undef error_set /* the analyzer's view of it */

static const char *const names[] = {
	[STATUS_OK] = "ok",
	[STATUS_NONE] = "none",
	[STATUS_RETRY] = "retry",
	[STATUS_DOWN] = "down",
	[STATUS_UNCERTAIN] = "uncertain",
	[STATUS_CONFLICT] = "conflict",
	[STATUS_INVALID] = "invalid",
	[STATUS_FATAL] = "fatal",
};

const char *status_name(enum status status)
{
	if ((size_t)status >= sizeof(names) / sizeof(names[0]))
		return "unknown";
	return names[status];
}

/*
 * Makes one line: databases often send several, and a newline in a message could forge a log line.
 */
static void make_one_line(char *text)
{
	size_t length = strlen(text);
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ' || text[i] == '\x7f')
			text[i] = ' ';
	while (length > 0 && text[length - 1] == ' ')
		text[--length] = '\0';
}

/* Removes half a character that a cut has left. */
static void trim_half_character(char *text)
{
	size_t length = strlen(text);
	size_t fault;
	if (length == ERROR_TEXT_SIZE - 1 && !utf8_valid(text, length, &fault) &&
	    length - fault < 4)
		text[fault] = '\0';
}

PRINTF_LIKE(2, 0)
static void format_text(char text[ERROR_TEXT_SIZE], const char *format, va_list args)
{
	if (vsnprintf(text, ERROR_TEXT_SIZE, format, args) < 0)
		text[0] = '\0';
	trim_half_character(text);
	make_one_line(text);
}

enum status error_set_va(struct error *error, enum status status, const char *format, va_list args)
{
	if (!error)
		return status;
	/* Through a copy: the arguments may point into the error itself. */
	char text[ERROR_TEXT_SIZE];
	format_text(text, format, args);
	memcpy(error->text, text, sizeof(text));
	error->status = status;
	error->answered = false;
	return status;
}

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	error_set_va(error, status, format, args);
	va_end(args);
	return status;
}

enum status error_prefix(struct error *error, const char *format, ...)
{
	if (!error)
		return STATUS_FATAL;
	char prefix[ERROR_TEXT_SIZE];
	va_list args;
	va_start(args, format);
	format_text(prefix, format, args);
	va_end(args);
	const bool answered = error->answered;
	error_set(error, error->status, "%s: %s", prefix, error->text);
	error->answered = answered;
	return error->status;
}
