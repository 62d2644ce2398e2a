/* Settings of `retry` that are neither a number nor a text. */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/config.h"
#include "config/settings/value.h"

static bool to_wait(const struct node *node, int64_t *wait)
{
	return node->kind == NODE_SCALAR && !value_leads_with_zero(node) &&
	       parse_duration(node->text, wait) == STATUS_OK && *wait <= CONFIG_WAIT_MOST;
}

bool value_read_share(const struct value_context *context, const struct setting *setting,
		      const struct node *node)
{
	double share = 0;

	if (!value_has_text(context, node))
		return false;
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

	if (!value_has_text(context, node))
		return false;
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
