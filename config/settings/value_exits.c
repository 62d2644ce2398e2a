/* The setting `exit`: what exit statuses of a command mean. */
#include <string.h>

#include "common/clock.h"
#include "common/text/parse.h"
#include "common/text/text.h"
#include "config/config.h"
#include "config/settings/value.h"

static const char *const words[] = {
	[SAYS_OK] = "ok",       [SAYS_DISCARD] = "discard", [SAYS_SNOOZE] = "snooze",
	[SAYS_RETRY] = "retry", [SAYS_FAIL] = "fail",
};

/* What follows `snooze`. */
static bool read_wait(const char *text, int64_t *wait)
{
	const char *span = text + strspn(text, " ");

	return span != text && parse_duration(span, wait) == STATUS_OK && *wait <= CONFIG_WAIT_MOST;
}

static bool read_meaning(const char *text, struct config_end *said)
{
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const size_t length = strlen(words[i]);
		if (strncmp(text, words[i], length) != 0)
			continue;
		*said = (struct config_end){ .what = (enum config_says)i, .wait = -1 };
		return said->what == SAYS_SNOOZE ? read_wait(text + length, &said->wait)
						 : text[length] == '\0';
	}
	return false;
}

static bool read_exit(const struct value_context *context, const struct node_pair *pair,
		      struct config_exit *exit)
{
	if (!value_has_text(context, pair->key) || !value_has_text(context, pair->value))
		return false;
	if (!config_statuses_parse(pair->key->text, &exit->from, &exit->to)) {
		report_error(context->report, pair->key->place,
			     "%s has the key %s, expected an exit status from 0 to 255 or a range "
			     "of them (64-78)",
			     context->name, quoted(context->arena, pair->key->text));
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
static bool is_plain(const struct value_context *context, const struct node *node,
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
		valid = is_plain(context, node, exits, i);
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
	text_printf(text, ": %s", words[exit->said.what]);
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
