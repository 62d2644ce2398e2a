/*
 * A YAML file from libyaml's events to a tree, and the tree as its readers see it. The stack is our
 * own, so that no file can exhaust the call stack. The only file that knows libyaml.
 */
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "config/yaml/node.h"

/* The tree */

bool node_is_null(const struct node *node)
{
	if (!node)
		return true;
	if (node->kind != NODE_SCALAR || !node->plain || node->fault)
		return false;
	static const char *const spellings[] = { "", "~", "null", "Null", "NULL" };
	for (size_t i = 0; i < sizeof(spellings) / sizeof(spellings[0]); i++)
		if (strcmp(node->text, spellings[i]) == 0)
			return true;
	return false;
}

static const struct node_pair *find_pair(const struct node *node, const char *key)
{
	if (!node || node->kind != NODE_MAPPING)
		return NULL;
	for (size_t i = 0; i < node->count; i++)
		if (strcmp(node->pairs[i].key->text, key) == 0)
			return &node->pairs[i];
	return NULL;
}

const struct node *node_get(const struct node *node, const char *key)
{
	const struct node_pair *pair = find_pair(node, key);
	return pair && !node_is_null(pair->value) ? pair->value : NULL;
}

bool node_has(const struct node *node, const char *key)
{
	return find_pair(node, key) != NULL;
}

const char *node_kind_name(const struct node *node)
{
	static const char *const names[] = {
		[NODE_SCALAR] = "text",
		[NODE_LIST] = "a list",
		[NODE_MAPPING] = "a mapping",
	};
	if (node_is_null(node))
		return "empty";
	return node->kind == NODE_LIST && node->count == 0 ? "an empty list" : names[node->kind];
}

const char *node_describe(const struct node *node, struct arena *arena)
{
	bool text = node->kind == NODE_SCALAR && !node_is_null(node);
	return text ? quoted(arena, node->text) : node_kind_name(node);
}

/* A pair of a mapping or of one merged into it; among equal keys the lowest rank wins. */
struct candidate {
	struct node_pair pair;
	size_t rank;
	bool merged;
};

struct candidates {
	struct candidate *list;
	size_t count;
};

static void add_candidate(struct candidates *candidates, struct arena *arena, struct node_pair pair,
			  bool merged)
{
	candidates->list =
		arena_extend(arena, candidates->list, candidates->count, sizeof(*candidates->list));
	candidates->list[candidates->count] = (struct candidate){ pair, candidates->count, merged };
	candidates->count++;
}

static int by_rank(const void *a, const void *b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;
	return (left->rank > right->rank) - (left->rank < right->rank);
}

static int by_key(const void *a, const void *b)
{
	const struct candidate *left = a;
	const struct candidate *right = b;
	int order = strcmp(left->pair.key->text, right->pair.key->text);
	return order ? order : by_rank(a, b);
}

static bool is_merge(const struct node_pair *pair)
{
	return pair->key->plain && strcmp(pair->key->text, "<<") == 0;
}

static void add_merged(struct candidates *candidates, struct arena *arena, struct report *report,
		       const struct node *value)
{
	if (value->kind != NODE_MAPPING) {
		report_error(report, value->place, "<< is %s, expected a mapping such as *default",
			     node_kind_name(value));
		return;
	}
	for (size_t i = 0; i < value->count; i++)
		add_candidate(candidates, arena, value->pairs[i], true);
}

static void gather_candidates(struct candidates *candidates, const struct node *mapping,
			      struct arena *arena, struct report *report)
{
	const struct node *merge = NULL;
	for (size_t i = 0; i < mapping->count; i++) {
		const struct node_pair *pair = &mapping->pairs[i];
		if (!is_merge(pair))
			add_candidate(candidates, arena, *pair, false);
		else if (merge)
			report_error(
				report, pair->key->place,
				"duplicate key \"<<\", expected one with a list: <<: [*a, *b]");
		else
			merge = pair->value;
	}
	if (merge && merge->kind == NODE_LIST)
		for (size_t i = 0; i < merge->count; i++)
			add_merged(candidates, arena, report, merge->pairs[i].value);
	else if (merge)
		add_merged(candidates, arena, report, merge);
}

/* Applies `<<` keys and reports duplicate ones: for node_parse. */
static void node_merge(struct node *mapping, struct arena *arena, struct report *report)
{
	struct candidates candidates = { 0 };
	gather_candidates(&candidates, mapping, arena, report);
	if (candidates.count == 0) {
		mapping->count = 0;
		return;
	}
	qsort(candidates.list, candidates.count, sizeof(*candidates.list), by_key);
	size_t kept = 0;
	for (size_t i = 0; i < candidates.count; i++) {
		const struct candidate *next = &candidates.list[i];
		const struct node *key = next->pair.key;
		const struct candidate *first = kept ? &candidates.list[kept - 1] : NULL;
		if (!first || key->fault || strcmp(first->pair.key->text, key->text) != 0)
			candidates.list[kept++] = *next;
		else if (!next->merged)
			report_error(report, key->place,
				     "duplicate key %s, expected it only once (first in line %u)",
				     quoted(arena, key->text), first->pair.key->place.line);
	}
	qsort(candidates.list, kept, sizeof(*candidates.list), by_rank);
	struct node_pair *pairs = arena_array(arena, kept, sizeof(*pairs));
	for (size_t i = 0; i < kept; i++)
		pairs[i] = candidates.list[i].pair;
	mapping->pairs = pairs;
	mapping->count = kept;
}

struct node *node_copy(struct arena *arena, const struct node *node)
{
	struct node *copy = arena_alloc(arena, sizeof(*copy));
	*copy = *node;
	copy->pairs = arena_array(arena, node->count, sizeof(*copy->pairs));
	if (node->count)
		memcpy(copy->pairs, node->pairs, node->count * sizeof(*copy->pairs));
	return copy;
}

size_t node_find(const struct node *node, const char *key)
{
	size_t i = 0;
	while (i < node->count && strcmp(node->pairs[i].key->text, key) != 0)
		i++;
	return i;
}

void node_drop(struct node *node, size_t pair)
{
	struct node_pair *from = &node->pairs[pair];
	memmove(from, from + 1, (node->count - pair - 1) * sizeof(*from));
	node->count--;
}

/* From events to nodes */

struct frame {
	struct node *node;
	struct node *key; /* of a mapping: read, while its value is not */
};

struct anchor {
	const char *name;
	struct node *node;
};

struct builder {
	const struct expansion *expansion;
	struct arena *arena;
	struct report *report;
	struct node *root;
	struct frame stack[NODE_DEPTH_MAXIMUM];
	size_t depth;
	struct anchor *anchors;
	size_t anchor_count;
	size_t weight;
	size_t documents;
};

static struct place place_of(const struct builder *builder, const yaml_mark_t *mark)
{
	return expand_place(builder->expansion, mark->line, mark->column);
}

static enum status give_up(struct builder *builder, struct place place, const char *text)
{
	report_error(builder->report, place, "%s", text);
	return STATUS_INVALID;
}

static enum status attach(struct builder *builder, struct node *node, struct place place)
{
	builder->weight += node->weight;
	if (builder->weight > NODE_COUNT_MAXIMUM)
		return give_up(
			builder, place,
			"too large with its aliases expanded, expected at most 1000000 values");
	if (builder->depth == 0) {
		builder->root = node;
		return STATUS_OK;
	}
	struct frame *top = &builder->stack[builder->depth - 1];
	struct node *parent = top->node;
	parent->weight += node->weight;
	if (parent->kind == NODE_MAPPING && !top->key) {
		if (node->kind != NODE_SCALAR)
			return give_up(builder, place, "a list or mapping as a key, expected text");
		top->key = node;
		return STATUS_OK;
	}
	parent->pairs =
		arena_extend(builder->arena, parent->pairs, parent->count, sizeof(*parent->pairs));
	parent->pairs[parent->count++] = (struct node_pair){ top->key, node };
	top->key = NULL;
	return STATUS_OK;
}

static enum status remember(struct builder *builder, struct node *node, const yaml_char_t *name)
{
	if (!name)
		return STATUS_OK;
	if (builder->anchor_count >= NODE_ANCHOR_MAXIMUM)
		return give_up(builder, node->place, "too many anchors, expected at most 1000");
	builder->anchors = arena_extend(builder->arena, builder->anchors, builder->anchor_count,
					sizeof(*builder->anchors));
	builder->anchors[builder->anchor_count++] =
		(struct anchor){ arena_strdup(builder->arena, (const char *)name), node };
	node->anchored = true;
	return STATUS_OK;
}

/* YAML's own types tell the settings nothing new; other tags would need Ruby. */
static enum status check_tag(struct builder *builder, const yaml_char_t *tag, struct place place)
{
	static const char standard[] = "tag:yaml.org,2002:";
	const char *text = (const char *)tag;
	if (!tag || strcmp(text, "!") == 0 || strncmp(text, standard, sizeof(standard) - 1) == 0)
		return STATUS_OK;
	report_error(builder->report, place, "the tag %s is not understood, expected none",
		     quoted(builder->arena, text));
	return STATUS_INVALID;
}

static struct node *new_node(struct builder *builder, enum node_kind kind,
			     const yaml_event_t *event)
{
	struct node *node = arena_alloc(builder->arena, sizeof(*node));
	node->kind = kind;
	node->place = place_of(builder, &event->start_mark);
	node->text = "";
	node->weight = 1;
	return node;
}

static enum status on_scalar(struct builder *builder, const yaml_event_t *event)
{
	struct node *node = new_node(builder, NODE_SCALAR, event);
	const char *value = (const char *)event->data.scalar.value;
	enum status status = check_tag(builder, event->data.scalar.tag, node->place);
	if (status == STATUS_OK && strlen(value) != event->data.scalar.length)
		status = give_up(builder, node->place, "a NUL character, expected text");
	if (status == STATUS_OK)
		status = remember(builder, node, event->data.scalar.anchor);
	if (status != STATUS_OK)
		return status;
	node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
	node->block = event->data.scalar.style == YAML_LITERAL_SCALAR_STYLE ||
		      event->data.scalar.style == YAML_FOLDED_SCALAR_STYLE;
	node->text = expand_values(builder->expansion, builder->arena, value, &node->fault);
	if (node->fault && node->fault->refused && !builder->expansion->foreign)
		report_error(builder->report, node->fault->place, "%s", node->fault->fault);
	return attach(builder, node, node->place);
}

static enum status begin_node(struct builder *builder, struct node *node, const yaml_char_t *anchor,
			      const yaml_char_t *tag)
{
	if (builder->depth >= NODE_DEPTH_MAXIMUM)
		return give_up(builder, node->place,
			       "nested too deeply, expected at most 32 levels");
	enum status status = check_tag(builder, tag, node->place);
	if (status == STATUS_OK)
		status = remember(builder, node, anchor);
	node->open = true;
	builder->stack[builder->depth++] = (struct frame){ .node = node };
	return status;
}

static enum status on_list(struct builder *builder, const yaml_event_t *event)
{
	return begin_node(builder, new_node(builder, NODE_LIST, event),
			  event->data.sequence_start.anchor, event->data.sequence_start.tag);
}

static enum status on_mapping(struct builder *builder, const yaml_event_t *event)
{
	return begin_node(builder, new_node(builder, NODE_MAPPING, event),
			  event->data.mapping_start.anchor, event->data.mapping_start.tag);
}

static enum status on_end(struct builder *builder, const yaml_event_t *event)
{
	(void)event;
	struct node *node = builder->stack[--builder->depth].node;
	node->open = false;
	if (node->kind == NODE_MAPPING)
		node_merge(node, builder->arena, builder->report);
	/* Its children have been counted already; attach counts all of it. */
	builder->weight -= node->weight - 1;
	return attach(builder, node, node->place);
}

static enum status on_alias(struct builder *builder, const yaml_event_t *event)
{
	const char *name = (const char *)event->data.alias.anchor;
	struct place place = place_of(builder, &event->start_mark);
	for (size_t i = builder->anchor_count; i-- > 0;) {
		struct node *node = builder->anchors[i].node;
		if (strcmp(builder->anchors[i].name, name) != 0)
			continue;
		if (node->open)
			return give_up(builder, place,
				       "an alias inside its own anchor, expected no cycle");
		return attach(builder, node, place);
	}
	report_error(builder->report, place,
		     "the alias *%s has no anchor, expected &%s above (or quotes: \"*%s\")", name,
		     name, name);
	return STATUS_INVALID;
}

static enum status on_document(struct builder *builder, const yaml_event_t *event)
{
	if (builder->documents++ == 0)
		return STATUS_OK;
	return give_up(builder, place_of(builder, &event->start_mark),
		       "a second YAML document, expected only one");
}

static enum status (*const handlers[])(struct builder *, const yaml_event_t *) = {
	[YAML_DOCUMENT_START_EVENT] = on_document, [YAML_ALIAS_EVENT] = on_alias,
	[YAML_SCALAR_EVENT] = on_scalar,           [YAML_SEQUENCE_START_EVENT] = on_list,
	[YAML_SEQUENCE_END_EVENT] = on_end,        [YAML_MAPPING_START_EVENT] = on_mapping,
	[YAML_MAPPING_END_EVENT] = on_end,
};

/* libyaml has given up, so this only guesses; it is good enough to ignore most comments. */
static bool looks_commented(const char *text, size_t at)
{
	for (; at > 0 && text[at - 1] != '\n'; at--)
		if (text[at - 1] == '#' && (at == 1 || strchr(" \t\n", text[at - 2])))
			return true;
	return false;
}

/* ERB that dray does not support is often no YAML either: then report the ERB. Is it the cause? */
static bool report_refused(const struct builder *builder)
{
	bool cause = false;

	for (size_t i = 0; i < builder->expansion->substitution_count; i++) {
		const struct substitution *next = &builder->expansion->substitutions[i];
		if (!next->refused || looks_commented(builder->expansion->text, next->at))
			continue;
		report_error(builder->report, next->place, "%s", next->fault);
		cause = cause || next->statement;
	}
	return cause;
}

static const char *hint_of(const struct builder *builder, const yaml_parser_t *parser)
{
	if (parser->context && strstr(parser->context, "alias"))
		return " (a plain * needs quotes: \"*\")";
	size_t line = 0;
	const char *at = builder->expansion->text;
	while (line < parser->problem_mark.line && (at = strchr(at, '\n'))) {
		at++;
		line++;
	}
	if (at && at[strspn(at, " ")] == '\t')
		return " (tabs cannot indent)";
	return "";
}

/* "while parsing a block mapping", with its line when that is a different one. */
static const char *context_of(const struct builder *builder, const yaml_parser_t *parser)
{
	if (!parser->context)
		return "";
	const char *since = "";
	unsigned line = place_of(builder, &parser->context_mark).line;
	if (line != place_of(builder, &parser->problem_mark).line)
		since = arena_printf(builder->arena, " that begins in line %u", line);
	return arena_printf(builder->arena, " %s%s", parser->context, since);
}

static enum status syntax_error(struct builder *builder, const yaml_parser_t *parser)
{
	if (parser->error == YAML_MEMORY_ERROR)
		out_of_memory();
	if (report_refused(builder))
		return STATUS_INVALID;
	report_error(builder->report, place_of(builder, &parser->problem_mark),
		     "%s%s%s, expected valid YAML", parser->problem ? parser->problem : "no YAML",
		     context_of(builder, parser), hint_of(builder, parser));
	return STATUS_INVALID;
}

static enum status read_event(struct builder *builder, yaml_parser_t *parser, bool *done)
{
	yaml_event_t event;
	if (!yaml_parser_parse(parser, &event))
		return syntax_error(builder, parser);
	size_t type = (size_t)event.type;
	*done = event.type == YAML_STREAM_END_EVENT;
	enum status status = STATUS_OK;
	if (type < sizeof(handlers) / sizeof(handlers[0]) && handlers[type])
		status = handlers[type](builder, &event);
	yaml_event_delete(&event);
	return status;
}

enum status node_parse(struct node **root, const struct expansion *expansion, struct arena *arena,
		       struct report *report)
{
	struct builder builder = { .expansion = expansion, .arena = arena, .report = report };
	yaml_parser_t parser;
	if (!yaml_parser_initialize(&parser))
		out_of_memory();
	yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&parser, (const unsigned char *)expansion->text,
				     expansion->length);
	bool done = false;
	enum status status = STATUS_OK;
	while (status == STATUS_OK && !done)
		status = read_event(&builder, &parser, &done);
	yaml_parser_delete(&parser);
	if (status == STATUS_OK)
		*root = builder.root;
	return status;
}
