/* Patterns of `retry_on` and `discard_on`, and exit statuses. */
#include <stddef.h>
#include <string.h>

#include "config/config.h"

#define STATUS_MOST 255

static const char lower[] = "abcdefghijklmnopqrstuvwxyz";

/* Moves *text behind a number of at most three digits; 010 would be 8 in YAML. */
static bool read_status(const char **text, int *status)
{
	size_t digits = strspn(*text, "0123456789");
	int value = 0;

	if (digits == 0 || digits > 3 || (digits > 1 && **text == '0'))
		return false;
	for (size_t i = 0; i < digits; i++)
		value = value * 10 + ((*text)[i] - '0');
	*text += digits;
	*status = value;
	return value <= STATUS_MOST;
}

bool config_statuses_parse(const char *text, int *from, int *to)
{
	if (!read_status(&text, from))
		return false;
	*to = *from;
	if (*text == '-') {
		text++;
		if (!read_status(&text, to))
			return false;
	}
	return *text == '\0' && *from <= *to;
}

/*
 * A lower-case word without anything else is rather one of our own words, misspelt, than a class. A
 * text that begins with a digit is a mistaken status.
 */
static bool is_class(const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
		if ((unsigned char)text[i] <= 0x20 || text[i] == 0x7F || text[i] == '*')
			return false;
	if (length > 0 && strchr("0123456789-", text[0]))
		return false;
	return text[length] == '*' || (length > 0 && strspn(text, lower) < length);
}

bool config_pattern_parse(const char *text, struct config_pattern *pattern)
{
	size_t length = strlen(text);

	*pattern = (struct config_pattern){ .text = text };
	pattern->kind = PATTERN_SIGNAL;
	if (strcmp(text, "signal") == 0)
		return true;
	pattern->kind = PATTERN_LOST;
	if (strcmp(text, "lost") == 0)
		return true;
	if (strcmp(text, "timeout") == 0) {
		*pattern = (struct config_pattern){ .kind = PATTERN_CLASS, .text = TIMEOUT_ERROR };
		pattern->length = strlen(TIMEOUT_ERROR);
		return true;
	}
	pattern->kind = PATTERN_STATUS;
	if (config_statuses_parse(text, &pattern->from, &pattern->to))
		return true;
	pattern->kind = length > 0 && text[length - 1] == '*' ? PATTERN_PREFIX : PATTERN_CLASS;
	pattern->length = length - (pattern->kind == PATTERN_PREFIX);
	return is_class(text, pattern->length);
}
