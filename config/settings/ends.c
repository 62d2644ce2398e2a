/*
 * Settings about how runs end: the failures that `retry_on` and `discard_on` name, what exit
 * statuses mean, and how long a job waits until it is executed again.
 */
#include <stddef.h>
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/config.h"
#include "config/settings/setting.h"

/* Patterns, and exit statuses */

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

/* Reads an exit status (75) or a range of them (64-78); false: it is none. */
static bool read_statuses(const char *text, int *from, int *to)
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
	if (read_statuses(text, &pattern->from, &pattern->to))
		return true;
	pattern->kind = length > 0 && text[length - 1] == '*' ? PATTERN_PREFIX : PATTERN_CLASS;
	pattern->length = length - (pattern->kind == PATTERN_PREFIX);
	return is_class(text, pattern->length);
}

/* `exit` */

static const char *const meanings[] = {
	[SAYS_OK] = "ok",       [SAYS_DISCARD] = "discard", [SAYS_SNOOZE] = "snooze",
	[SAYS_RETRY] = "retry", [SAYS_FAIL] = "fail",
};

/* What follows `snooze`. */
static bool read_snooze(const char *text, int64_t *wait)
{
	const char *span = text + strspn(text, " ");

	return span != text && !leads_with_zero(span) && parse_duration(span, wait) == STATUS_OK &&
	       *wait <= CONFIG_WAIT_MOST;
}

static bool read_meaning(const char *text, struct config_end *said)
{
	for (size_t i = 0; i < sizeof(meanings) / sizeof(*meanings); i++) {
		const size_t length = strlen(meanings[i]);
		if (strncmp(text, meanings[i], length) != 0)
			continue;
		*said = (struct config_end){ .what = (enum config_says)i, .wait = -1 };
		return said->what == SAYS_SNOOZE ? read_snooze(text + length, &said->wait)
						 : text[length] == '\0';
	}
	return false;
}

static bool read_exit(const struct value_context *context, const struct node_pair *pair,
		      struct config_exit *exit)
{
	if (!value_has_text(context, pair->key) || !value_has_text(context, pair->value))
		return false;
	if (!read_statuses(pair->key->text, &exit->from, &exit->to)) {
		report_error(context->report, pair->key->place,
			     "%s has the key %s, expected an exit status from 0 to 255 or a range "
			     "of them (64-78)%s",
			     context->name, quoted(context->arena, pair->key->text),
			     value_zero_hint(pair->key));
		return false;
	}
	if (pair->value->kind == NODE_SCALAR && read_meaning(pair->value->text, &exit->said))
		return true;
	report_error(context->report, pair->value->place,
		     "%s.%s is %s, expected ok, fail, retry, discard or snooze with a duration of "
		     "at most 365d (snooze 10m)",
		     context->name, pair->key->text, node_describe(pair->value, context->arena));
	return false;
}

/* Where two apply the narrower one does: of two that are as narrow nobody could tell. */
static bool is_narrower(const struct value_context *context, const struct node *node,
			const struct config_exit exits[], size_t at)
{
	const struct config_exit *exit = &exits[at];
	for (size_t i = 0; i < at; i++) {
		const struct config_exit *other = &exits[i];
		if (exit->to - exit->from != other->to - other->from || exit->from > other->to ||
		    other->from > exit->to)
			continue;
		report_error(context->report, node->pairs[at].key->place,
			     "%s has %s and %s, which overlap and are as narrow as each other, "
			     "expected one of them to be narrower",
			     context->name, quoted(context->arena, node->pairs[i].key->text),
			     quoted(context->arena, node->pairs[at].key->text));
		return false;
	}
	return true;
}

bool value_read_exits(const struct value_context *context, const struct setting *setting,
		      const struct node *node)
{
	struct config_exit *exits = NULL;
	bool valid = true;

	if (node->kind != NODE_MAPPING)
		return value_mistake(context, setting, node);
	exits = arena_array(context->arena, node->count + 1, sizeof(*exits));
	for (size_t i = 0; i < node->count; i++)
		valid = read_exit(context, &node->pairs[i], &exits[i]) && valid;
	for (size_t i = 0; valid && i < node->count; i++)
		valid = is_narrower(context, node, exits, i);
	if (!valid)
		return false;
	const void *list = exits;
	memcpy(context->base + setting->offset, &list, sizeof(list));
	memcpy(context->base + setting->count_offset, &node->count, sizeof(node->count));
	return true;
}

static void show_exit(struct arena *arena, struct text *text, const struct config_exit *exit)
{
	text_printf(text, "%s%d", text->length > 0 ? ", " : "{", exit->from);
	if (exit->to > exit->from)
		text_printf(text, "-%d", exit->to);
	text_printf(text, ": %s", meanings[exit->said.what]);
	if (exit->said.what == SAYS_SNOOZE)
		text_printf(text, " %s", value_duration(arena, exit->said.wait));
}

const char *value_show_exits(struct arena *arena, const struct setting *setting, const char *field)
{
	const struct config_exit *exits;
	const void *list = NULL;
	size_t count = 0;
	struct text text = { 0 };

	memcpy(&list, field, sizeof(list));
	exits = list;
	memcpy(&count, field - setting->offset + setting->count_offset, sizeof(count));
	if (count == 0)
		return "none";
	for (size_t i = 0; i < count; i++)
		show_exit(arena, &text, &exits[i]);
	text_add(&text, "}");
	return text_take(&text, arena);
}

/* `retry` */

static bool to_wait(const struct node *node, int64_t *wait)
{
	return node->kind == NODE_SCALAR && !value_leads_with_zero(node) &&
	       parse_duration(node->text, wait) == STATUS_OK && *wait <= CONFIG_WAIT_MOST;
}

bool value_read_share(const struct value_context *context, const struct setting *setting,
		      const struct node *node)
{
	double share = 0;

	if (node->kind != NODE_SCALAR || value_leads_with_zero(node) ||
	    parse_real(node->text, &share) != STATUS_OK || share < 0 || share > 1)
		return value_mistake(context, setting, node);
	memcpy(context->base + setting->offset, &share, sizeof(share));
	return true;
}

const char *value_show_share(struct arena *arena, const struct setting *setting, const char *field)
{
	double share = 0;

	(void)setting;
	memcpy(&share, field, sizeof(share));
	return arena_printf(arena, "%.15g", share);
}

/* waits: how long to wait before the next attempt */

static const struct {
	const char *word;
	enum config_wait wait;
} shapes[] = {
	{ "linear", WAIT_LINEAR },
	{ "exponential", WAIT_EXPONENTIAL },
	{ "polynomially_longer", WAIT_POLYNOMIAL },
};

static bool read_shape(struct config_retry *retry, const char *text)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++) {
		if (strcmp(shapes[i].word, text) != 0)
			continue;
		retry->wait = shapes[i].wait;
		retry->waits = NULL;
		retry->wait_count = 0;
		return true;
	}
	return false;
}

static bool read_durations(const struct value_context *context, const struct node *list,
			   int64_t *waits)
{
	bool valid = true;

	for (size_t i = 0; i < list->count; i++) {
		const struct node *node = list->pairs[i].value;
		if (!value_has_text(context, node)) {
			valid = false;
		} else if (!to_wait(node, &waits[i])) {
			valid = false;
			report_error(context->report, node->place,
				     "%s[%zu] is %s, expected a duration from 0s to 365d (seconds, "
				     "or such as 30s or 1h30m)%s",
				     context->name, i, node_describe(node, context->arena),
				     value_zero_hint(node));
		}
	}
	return valid;
}

static bool read_waits(const struct value_context *context, const struct setting *setting,
		       const struct node *node, struct config_retry *retry)
{
	size_t count = node->kind == NODE_LIST ? node->count : 1;
	int64_t *waits = arena_array(context->arena, count + 1, sizeof(*waits));

	if (node->kind == NODE_MAPPING || count == 0)
		return value_mistake(context, setting, node);
	if (node->kind == NODE_LIST && !read_durations(context, node, waits))
		return false;
	if (node->kind == NODE_SCALAR && !to_wait(node, &waits[0]))
		return value_mistake(context, setting, node);
	retry->wait = node->kind == NODE_LIST ? WAIT_LIST : WAIT_FIXED;
	retry->waits = waits;
	retry->wait_count = count;
	return true;
}

/* One setting in three fields: `base` is the whole struct config_retry. */
bool value_read_wait(const struct value_context *context, const struct setting *setting,
		     const struct node *node)
{
	struct config_retry *retry = (struct config_retry *)(void *)context->base;

	if (node->kind == NODE_SCALAR && read_shape(retry, node->text))
		return true;
	return read_waits(context, setting, node, retry);
}

static const struct config_retry *retry_of(const struct setting *setting, const char *field)
{
	return (const struct config_retry *)(const void *)(field - setting->offset);
}

const char *value_show_wait(struct arena *arena, const struct setting *setting, const char *field)
{
	const struct config_retry *retry = retry_of(setting, field);
	struct text text = { 0 };

	for (size_t i = 0; i < sizeof(shapes) / sizeof(*shapes); i++)
		if (shapes[i].wait == retry->wait)
			return shapes[i].word;
	if (retry->wait == WAIT_FIXED)
		return value_duration(arena, retry->wait_count ? retry->waits[0] : 0);
	for (size_t i = 0; i < retry->wait_count; i++)
		text_printf(&text, "%s%s", i ? ", " : "[", value_duration(arena, retry->waits[i]));
	text_add(&text, "]");
	return text_take(&text, arena);
}
