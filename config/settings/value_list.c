/* Settings that are lists of texts. */
#include <string.h>

#include "common/text/text.h"
#include "config/settings/value.h"

#define QUEUE_NAME_MAXIMUM 255

struct list {
	const char **items; /* count entries, then NULL */
	size_t count;
};

static void store(const struct value_context *context, const struct setting *setting,
		  const struct list *list)
{
	memcpy(context->base + setting->offset, &list->items, sizeof(list->items));
	if (setting->count_offset)
		memcpy(context->base + setting->count_offset, &list->count, sizeof(list->count));
}

static const char *const *load(const char *field)
{
	const char *const *items = NULL;
	memcpy(&items, field, sizeof(items));
	return items;
}

/* Checks one entry and returns the text to keep; false: reported. */
typedef bool entry_reader(const struct value_context *context, const struct node *node,
			  const char **item);

static bool read_entry(const struct value_context *context, const struct node *node,
		       entry_reader *read, const char **item)
{
	if (!value_has_text(context, node))
		return false;
	if (node->kind == NODE_SCALAR && !node_is_null(node))
		return read(context, node, item);
	report_error(context->report, node->place, "%s is %s, expected text%s", context->name,
		     node_kind_name(node),
		     node->kind == NODE_MAPPING ? " (in quotes when it has braces)" : "");
	return false;
}

static bool read_list(const struct value_context *context, const struct node *node,
		      entry_reader *read, struct list *list)
{
	list->items = arena_array(context->arena, node->count + 1, sizeof(*list->items));
	list->count = node->count;
	bool valid = true;
	struct value_context entry = *context;
	for (size_t i = 0; i < node->count; i++) {
		entry.name = arena_printf(context->arena, "%s[%zu]", context->name, i);
		valid &= read_entry(&entry, node->pairs[i].value, read, &list->items[i]);
	}
	return valid;
}

static bool mistake(const struct value_context *context, const struct node *node,
		    const char *expected)
{
	report_error(context->report, node->place, "%s is %s, expected %s", context->name,
		     node_describe(node, context->arena), expected);
	return false;
}

static size_t characters(const char *text)
{
	size_t count = 0;
	for (; *text; text++)
		count += (*text & 0xC0) != 0x80;
	return count;
}

static bool read_queue(const struct value_context *context, const struct node *node,
		       const char **item)
{
	static const char space[] = " \t\r\n";
	const char *start = node->text + strspn(node->text, space);
	size_t length = strlen(start);
	while (length && strchr(space, start[length - 1]))
		length--;
	char *name = arena_strndup(context->arena, start, length);
	const char *star = strchr(name, '*');
	if (length == 0)
		return mistake(context, node, "a queue name");
	if (star && star[1])
		return mistake(context, node, "* only at the end");
	if (characters(name) > QUEUE_NAME_MAXIMUM)
		return mistake(context, node, "at most 255 characters");
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at < 0x20 || *at == 0x7F)
			return mistake(context, node, "no control characters");
	if (strchr(name, ','))
		report_warning(context->report, node->place,
			       "%s is one queue whose name has a comma; for several write a list: "
			       "[a, b]",
			       context->name);
	*item = name;
	return true;
}

/* As in Solid Queue: a worker that takes all queues takes them by priority alone. */
static void warn_of_star(const struct value_context *context, const struct node *node,
			 const struct list *list)
{
	for (size_t i = 0; list->count > 1 && i < list->count; i++)
		if (strcmp(list->items[i], "*") == 0)
			report_warning(context->report, node->place,
				       "%s has \"*\", which takes all queues by priority: the "
				       "other entries have no effect",
				       context->name);
}

bool value_read_queues(const struct value_context *context, const struct setting *setting,
		       const struct node *node)
{
	struct list list = { 0 };
	if (!value_has_text(context, node))
		return false;
	if (node->kind == NODE_MAPPING)
		return value_mistake(context, setting, node);
	if (node->kind == NODE_LIST && node->count > 0) {
		if (!read_list(context, node, read_queue, &list))
			return false;
		warn_of_star(context, node, &list);
	} else {
		list.items = arena_array(context->arena, 2, sizeof(*list.items));
		list.items[0] = "*";
		if (node->kind == NODE_SCALAR && !read_queue(context, node, &list.items[0]))
			return false;
		list.count = 1;
	}
	store(context, setting, &list);
	return true;
}

/*
 * $${NAME} in a file has become ${NAME}, which is for a shell: its braces are doubled, so that it
 * is no placeholder.
 */
static const char *keep_shell(struct arena *arena, const char *argument)
{
	struct text text = { 0 };
	const char *at;
	while ((at = strstr(argument, "${"))) {
		size_t length = strcspn(at + 2, "{}");
		bool whole = length > 0 && at[2 + length] == '}';
		text_append(&text, argument, (size_t)(at - argument) + 2);
		if (whole)
			text_printf(&text, "{%.*s}}", (int)length, at + 2);
		argument = at + 2 + (whole ? length + 1 : 0);
	}
	text_add(&text, argument);
	return text_take(&text, arena);
}

/* What a text that has a brace too many may have; {*} is the one that stands alone. */
static const char *expected_braces(struct arena *arena, const char *item, const char *fault)
{
	if (strstr(item, "{*}"))
		return "\"{*}\" as an element of its own; a shell has its arguments in \"$@\": "
		       "[sh, -c, 'program \"$@\"', sh, \"{*}\"]";
	return arena_printf(arena, "{0} or {name}, and {{ or }} for a brace (%s)", fault);
}

static bool read_argument(const struct value_context *context, const struct node *node,
			  const char **item)
{
	const char *fault = NULL;
	*item = keep_shell(context->arena, node->text);
	if (strcmp(*item, "{*}") == 0 || template_check(*item, &fault))
		return true;
	return mistake(context, node, expected_braces(context->arena, *item, fault));
}

bool value_read_command(const struct value_context *context, const struct setting *setting,
			const struct node *node)
{
	struct list list = { 0 };
	if (!value_has_text(context, node))
		return false;
	if (node->kind != NODE_LIST || node->count == 0) {
		report_error(context->report, node->place,
			     "%s is %s, expected a list: [program, argument, ...] (no shell)",
			     context->name,
			     node->kind == NODE_LIST ? "an empty list"
						     : node_describe(node, context->arena));
		return false;
	}
	if (!read_list(context, node, read_argument, &list))
		return false;
	if (list.items[0][0] == '\0' || strpbrk(list.items[0], "{}")) {
		report_error(context->report, node->pairs[0].value->place,
			     "%s[0] is %s, expected a program without placeholders", context->name,
			     quoted(context->arena, list.items[0]));
		return false;
	}
	store(context, setting, &list);
	return true;
}

static bool read_variable(const struct value_context *context, const struct node *node,
			  const char **item)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
				      "0123456789";
	size_t length = strspn(node->text, letters);
	char end = node->text[length];
	bool number = node->text[0] >= '0' && node->text[0] <= '9';
	*item = node->text;
	if (length > 0 && !number && (end == '\0' || end == '='))
		return true;
	/* The rest may be a secret: only the start is shown. */
	report_error(context->report, node->place, "%s begins with %s, expected NAME or NAME=value",
		     context->name,
		     quoted(context->arena,
			    arena_strndup(context->arena, node->text, length + (end != '\0'))));
	return false;
}

bool value_read_environment(const struct value_context *context, const struct setting *setting,
			    const struct node *node)
{
	struct list list = { 0 };
	if (!value_has_text(context, node))
		return false;
	if (node->kind != NODE_LIST) {
		report_error(context->report, node->place, "%s is %s, expected %s", context->name,
			     node_kind_name(node), setting_expected(setting, context->arena));
		return false;
	}
	if (!read_list(context, node, read_variable, &list))
		return false;
	store(context, setting, &list);
	return true;
}

static bool read_pattern(const struct value_context *context, const struct node *node,
			 const char **item)
{
	struct config_pattern pattern;
	*item = node->text;
	if (config_pattern_parse(node->text, &pattern))
		return true;
	return mistake(context, node,
		       "an error class (a * at its end stands for any ending), an exit status from "
		       "0 to 255 or a range of them (64-78), signal, "
		       "lost or timeout");
}

/* One, or a list of them. */
bool value_read_patterns(const struct value_context *context, const struct setting *setting,
			 const struct node *node)
{
	struct list list = { 0 };
	if (!value_has_text(context, node))
		return false;
	if (node->kind == NODE_MAPPING || (node->kind == NODE_LIST && node->count == 0))
		return value_mistake(context, setting, node);
	if (node->kind == NODE_LIST) {
		if (!read_list(context, node, read_pattern, &list))
			return false;
	} else {
		list.items = arena_array(context->arena, 2, sizeof(*list.items));
		if (!read_pattern(context, node, &list.items[0]))
			return false;
	}
	store(context, setting, &list);
	return true;
}

static const char *finish(struct arena *arena, struct text *text)
{
	return text_take(text, arena);
}

const char *value_show_queues(struct arena *arena, const struct setting *setting, const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load(field); item && *item; item++)
		text_printf(&text, "%s%s", text.length ? ", " : "", *item);
	return finish(arena, &text);
}

const char *value_show_command(struct arena *arena, const struct setting *setting,
			       const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load(field); item && *item; item++) {
		text_add(&text, text.length ? ", " : "[");
		text_json(&text, *item);
	}
	text_add(&text, text.length ? "]" : "none");
	return finish(arena, &text);
}

const char *value_show_environment(struct arena *arena, const struct setting *setting,
				   const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load(field); item && *item; item++) {
		size_t name = strcspn(*item, "=");
		text_printf(&text, "%s%.*s%s", text.length ? ", " : "", (int)name, *item,
			    (*item)[name] ? "=***" : "");
	}
	if (text.length == 0)
		text_add(&text, "none");
	return finish(arena, &text);
}

const char *value_show_patterns(struct arena *arena, const struct setting *setting,
				const char *field)
{
	(void)setting;
	struct text text = { 0 };
	for (const char *const *item = load(field); item && *item; item++)
		text_printf(&text, "%s%s", text.length ? ", " : "[", *item);
	text_add(&text, text.length ? "]" : "none");
	return finish(arena, &text);
}
