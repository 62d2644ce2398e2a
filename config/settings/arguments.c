/*
 * `args` of a task: a value of YAML as the JSON array that Solid Queue stores.
 *
 * Rails reads the same file with Psych, which takes more plain words for numbers, dates and times
 * than YAML 1.2 does: 1_000, 0b11, 017, 2026-12-24. A job must get the same arguments whichever of
 * the two enqueues it, so the forms here are Psych's, and keys and symbols are written as Active
 * Job serializes them. Whole numbers of any length are converted digit by digit: none is rounded.
 */
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/arena.h"
#include "common/clock.h"
#include "common/text/text.h"
#include "config/settings/setting.h"

/* Plain words that are numbers, dates and times */

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

/* 0b11, 0x1F, and 017, which is octal; as long as any: digit by digit. */
static bool add_based(struct text *json, const char *number, bool minus)
{
	static const char digits[] = "0123456789abcdef";
	const int base = number[1] == 'b' ? 2 : number[1] == 'x' ? 16 : 8;
	char decimal[2 * LENGTH_MAXIMUM] = { 0 }; /* the last digit first */
	size_t count = 1;

	number += base == 8 ? 0 : 2;
	if (*number == '\0')
		return false;
	for (; *number != '\0'; number++) {
		int rest = (int)(strchr(digits, *number | 0x20) - digits);
		for (size_t i = 0; i < count || rest > 0; i++) {
			count = i < count ? count : i + 1;
			rest += decimal[i] * base;
			decimal[i] = (char)(rest % 10);
			rest /= 10;
		}
	}
	text_add(json, minus ? "-" : "");
	while (count > 0)
		text_append(json, &digits[(size_t)decimal[--count]], 1);
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

/* Adds an object as Active Job writes a Symbol, a Date, a Time. */
static void add_serialized(struct text *json, const char *serializer, const char *value)
{
	text_printf(json, "{\"_aj_serialized\":\"ActiveJob::Serializers::%sSerializer\",\"value\":",
		    serializer);
	text_json(json, value);
	text_add(json, "}");
}

/* 2026-02-30 is a text. */
static bool add_date(struct text *json, const char *date, bool minus)
{
	char *rest = NULL;
	long year = strtol(date, &rest, 10);
	long month = strtol(rest + 1, &rest, 10);
	long day = strtol(rest + 1, &rest, 10);
	char text[CLOCK_TEXT_SIZE];

	(void)minus;
	if (month < 1 || day < 1 || day > calendar_month_length(year, (int)month))
		return false;
	(void)snprintf(text, sizeof(text), "%04ld-%02ld-%02ld", year, month, day);
	add_serialized(json, "Date", text);
	return true;
}

/* Without a zone it is UTC. */
static bool add_time(struct text *json, const char *number, bool minus)
{
	char text[CLOCK_TEXT_SIZE];
	int64_t instant;

	(void)minus;
	if (clock_parse(number, &instant) != STATUS_OK)
		return false;
	clock_format_iso(instant, text);
	add_serialized(json, "Time", text);
	return true;
}

/* The forms of Psych 4 and 5; of times only those of ISO 8601. */
static const struct {
	const char *form;
	add_number *add;
} forms[] = {
	{ "^[0-9]{4}-(1[012]|0?[0-9])-([12][0-9]|3[01]|0?[0-9])$", add_date },
	{ "^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?"
	  "(Z|[-+][0-9]{2}(:[0-9]{2})?)?$",
	  add_time },
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

/* Adds what a plain text of an argument is as a number, date or time; false: it is none. */
static bool add_number_of(struct text *json, const char *text)
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

/* The array */

static bool add_truth(struct text *json, const char *text)
{
	static const char *const words[] = { "true", "yes", "on", "false", "no", "off" };
	char lower[8] = "";

	for (size_t i = 0; i + 1 < sizeof(lower) && text[i] != '\0'; i++)
		lower[i] = (char)(text[i] | 0x20);
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		if (strcmp(lower, words[i]) != 0)
			continue;
		text_add(json, i < 3 ? "true" : "false");
		return true;
	}
	return false;
}

static void add_scalar(struct text *json, const struct node *node)
{
	const char *text = node->text;

	if (node_is_null(node))
		text_add(json, "null");
	else if (node->plain && text[0] == ':' && text[1] != '\0' && !strpbrk(text, " \t"))
		add_serialized(json, "Symbol", text + 1);
	else if (!node->plain || !(add_truth(json, text) || add_number_of(json, text)))
		text_json(json, text);
}

static void add_key(struct text *json, const struct node_pair *pair)
{
	const char *name = pair->key->text;

	text_json(json, name[0] == ':' && name[1] != '\0' ? name + 1 : name);
}

static void add_node(struct text *json, const struct node *node);

/* Rails turns the keys of its files into symbols. NOLINTNEXTLINE(misc-no-recursion) */
static void add_mapping(struct text *json, const struct node *node)
{
	text_add(json, "{");
	for (size_t i = 0; i < node->count; i++) {
		add_key(json, &node->pairs[i]);
		text_add(json, ":");
		add_node(json, node->pairs[i].value);
		text_add(json, ",");
	}
	text_add(json, "\"_aj_symbol_keys\":[");
	for (size_t i = 0; i < node->count; i++) {
		text_add(json, i > 0 ? "," : "");
		add_key(json, &node->pairs[i]);
	}
	text_add(json, "]}");
}

/* At most NODE_DEPTH_MAXIMUM deep, as the tree is. NOLINTNEXTLINE(misc-no-recursion) */
static void add_node(struct text *json, const struct node *node)
{
	if (node->kind == NODE_SCALAR) {
		add_scalar(json, node);
		return;
	}
	if (node->kind == NODE_MAPPING) {
		add_mapping(json, node);
		return;
	}
	text_add(json, "[");
	for (size_t i = 0; i < node->count; i++) {
		text_add(json, i > 0 ? "," : "");
		add_node(json, node->pairs[i].value);
	}
	text_add(json, "]");
}

/* NOLINTNEXTLINE(misc-no-recursion) */
static bool has_texts(const struct value_context *context, const struct node *node)
{
	bool all = value_has_text(context, node);

	for (size_t i = 0; i < node->count && all; i++)
		all = has_texts(context, node->pairs[i].value) &&
		      (!node->pairs[i].key || value_has_text(context, node->pairs[i].key));
	return all;
}

bool value_read_arguments(const struct value_context *context, const struct setting *setting,
			  const struct node *node)
{
	struct text json = { 0 };
	const char *array = NULL;

	if (!has_texts(context, node))
		return false;
	text_add(&json, node->kind == NODE_LIST ? "" : "[");
	add_node(&json, node);
	text_add(&json, node->kind == NODE_LIST ? "" : "]");
	array = text_take(&json, context->arena);
	memcpy(context->base + setting->offset, &array, sizeof(array));
	return true;
}
