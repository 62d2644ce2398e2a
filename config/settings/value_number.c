/* Which plain words of a YAML file are numbers: those that Psych, and so Rails, takes for some. */
#include <errno.h>
#include <regex.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/text/text.h"
#include "config/settings/value.h"

#define LENGTH_MAXIMUM 1024 /* of a number; a longer text need not be looked at */

/* What was written without its sign, "_" and ","; false: it is none all the same. */
typedef bool add_number(struct text *json, const char *number, bool minus);

static const char *trimmed(const char *digits)
{
	const char *at = digits + strspn(digits, "0");
	return *at >= '1' && *at <= '9' ? at : at - (at > digits);
}

static bool add_decimal(struct text *json, const char *number, bool minus)
{
	text_printf(json, "%s%s", minus ? "-" : "", number);
	return true;
}

/* 0b11, 0x1F, and 017, which is octal. */
static bool add_based(struct text *json, const char *number, bool minus)
{
	const int base = number[1] == 'b' ? 2 : number[1] == 'x' ? 16 : 8;
	char *end = NULL;

	number += base == 8 ? 0 : 2;
	errno = 0;
	long long value = strtoll(number, &end, base);
	if (errno != 0 || *number == '\0' || *end != '\0')
		return false;
	text_printf(json, "%s%lld", minus ? "-" : "", value);
	return true;
}

/* JSON wants digits on both sides of the point, and no 0 in front of others. */
static bool add_real(struct text *json, const char *number, bool minus)
{
	const char *point = strchr(number, '.');
	const int whole = (int)(point - number);
	const int fraction = (int)strspn(point + 1, "0123456789");
	const char *first = trimmed(number);

	if (whole + fraction == 0)
		return false;
	text_printf(json, "%s%.*s.%.*s%s", minus ? "-" : "", whole > 0 ? (int)(point - first) : 1,
		    whole > 0 ? first : "0", fraction > 0 ? fraction : 1,
		    fraction > 0 ? point + 1 : "0", point + 1 + fraction);
	return true;
}

/* 12:30 is a time of day in seconds, 12:30:15 as well. */
static bool add_clock(struct text *json, const char *number, bool minus)
{
	char *rest = NULL;
	double hours = strtod(number, &rest);
	double minutes = strtod(rest + 1, &rest);
	double seconds = *rest == ':' ? strtod(rest + 1, &rest) : 0;
	double value = (minus ? -hours : hours) * 3600 + minutes * 60 + seconds;

	text_printf(json, strchr(number, '.') ? "%.15g" : "%.0f", value);
	if (strchr(number, '.') && value == (double)(int64_t)value)
		text_add(json, ".0");
	return true;
}

/* The forms of Psych 4 and 5. */
static const struct {
	const char *form;
	add_number *add;
} forms[] = {
	{ "^[-+]?[0-9][0-9_]{0,9}(:[0-5]?[0-9]){1,2}(\\.[0-9_]{0,9})?$", add_clock },
	{ "^[-+]?([0-9][0-9_,]*)?\\.[0-9]*([eE][-+][0-9]+)?$", add_real },
	{ "^[-+]?(0b[01_,]+|0x[0-9a-fA-F_,]+|0[0-7_,]+)$", add_based },
	{ "^[-+]?(0|[1-9]([0-9]|,[0-9]|_[0-9])*)$", add_decimal },
};

static bool has_form(const char *text, const char *form)
{
	regex_t compiled;

	if (regcomp(&compiled, form, REG_EXTENDED | REG_NOSUB) != 0)
		out_of_memory();
	bool matches = regexec(&compiled, text, 0, NULL, 0) == 0;
	regfree(&compiled);
	return matches;
}

bool value_add_number(struct text *json, const char *text)
{
	char number[LENGTH_MAXIMUM + 1];
	size_t length = 0;

	if (!strpbrk(text, "0123456789") || strlen(text) > LENGTH_MAXIMUM)
		return false;
	for (const char *at = text + strspn(text, "-+"); *at != '\0'; at++)
		if (*at != '_' && *at != ',')
			number[length++] = *at;
	number[length] = '\0';
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++)
		if (has_form(text, forms[i].form))
			return forms[i].add(json, number, *text == '-');
	return false;
}
