/* Arguments of jobs: YAML values as the JSON array that Solid Queue stores. */
#include <string.h>

#include "common/text/text.h"
#include "config/settings/value.h"

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
		value_add_serialized(json, "Symbol", text + 1);
	else if (!node->plain || !(add_truth(json, text) || value_add_number(json, text)))
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
