/* Settings that are one text. */
#include <assert.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "config/settings/value.h"
#include "schedule/zone/zones.h"

static bool has_control(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || *text == 0x7F)
			return true;
	return false;
}

static const char *text_fault(const struct setting *setting, const char *text)
{
	int64_t maximum = INT64_MAX;

	if (text[0] == '\0')
		return "is empty";
	if (has_control(text))
		return "has a control character";
	bool known = !setting->maximum ||
		     parse_int(setting->maximum, 1, INT64_MAX, &maximum) == STATUS_OK;
	assert(known);
	(void)known;
	return strlen(text) > (size_t)maximum ? "is too long" : NULL;
}

static void store(const struct value_context *context, const struct setting *setting,
		  const char *text)
{
	memcpy(context->base + setting->offset, &text, sizeof(text));
}

static const char *load(const char *field)
{
	const char *text = NULL;
	memcpy(&text, field, sizeof(text));
	return text;
}

/* The value itself is never in a message here: it may be a secret. */
bool value_read_text(const struct value_context *context, const struct setting *setting,
		     const struct node *node)
{
	if (!value_has_text(context, node))
		return false;
	if (node->kind != NODE_SCALAR)
		return value_mistake(context, setting, node);
	const char *fault = text_fault(setting, node->text);
	if (fault) {
		report_error(context->report, node->place, "%s %s, expected %s", context->name,
			     fault, setting_expected(setting, context->arena));
		return false;
	}
	store(context, setting, arena_strdup(context->arena, node->text));
	return true;
}

/* Parsed here only to check it; the code that computes with it parses it again. */
bool value_read_zone(const struct value_context *context, const struct setting *setting,
		     const struct node *node)
{
	const struct zone *zone;
	struct error error;
	if (!value_has_text(context, node))
		return false;
	if (node->kind != NODE_SCALAR)
		return value_mistake(context, setting, node);
	struct zones *zones = zones_new(context->arena, NULL);
	if (zones_find_setting(zones, node->text, &zone, &error) != STATUS_OK) {
		report_error(context->report, node->place, "%s: %s", context->name, error.text);
		return false;
	}
	return value_read_text(context, setting, node);
}

const char *value_show_text(struct arena *arena, const struct setting *setting, const char *field)
{
	(void)arena;
	(void)setting;
	const char *text = load(field);
	return text ? text : "none";
}

const char *value_show_url(struct arena *arena, const struct setting *setting, const char *field)
{
	const char *text = load(field);
	if (!text)
		return value_show_text(arena, setting, field);
	/* Masking lengthens a text by at most its "***" for every parameter. */
	size_t size = 4 * strlen(text) + 16;
	char *masked = arena_alloc(arena, size);
	url_mask(text, masked, size);
	return masked;
}

struct unit {
	const char *name;
	int64_t size;
};

const char *value_duration(struct arena *arena, int64_t span)
{
	static const struct unit units[] = {
		{ "d", CLOCK_DAY },    { "h", CLOCK_HOUR },         { "m", CLOCK_MINUTE },
		{ "s", CLOCK_SECOND }, { "ms", CLOCK_MILLISECOND }, { "us", 1 },
	};
	const char *text = "";
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		int64_t many = span / units[i].size;
		span %= units[i].size;
		if (many)
			text = arena_printf(arena, "%s%lld%s", text, (long long)many,
					    units[i].name);
	}
	return *text ? text : "0s";
}
