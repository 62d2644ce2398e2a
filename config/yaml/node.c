#include "config/yaml/node.h"

#include <stdlib.h>
#include <string.h>

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

static const struct node_pair *find(const struct node *node, const char *key)
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
	const struct node_pair *pair = find(node, key);
	return pair && !node_is_null(pair->value) ? pair->value : NULL;
}

bool node_has(const struct node *node, const char *key)
{
	return find(node, key) != NULL;
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

static void add(struct candidates *candidates, struct arena *arena, struct node_pair pair,
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
		add(candidates, arena, value->pairs[i], true);
}

static void gather(struct candidates *candidates, const struct node *mapping, struct arena *arena,
		   struct report *report)
{
	const struct node *merge = NULL;
	for (size_t i = 0; i < mapping->count; i++) {
		const struct node_pair *pair = &mapping->pairs[i];
		if (!is_merge(pair))
			add(candidates, arena, *pair, false);
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

void node_merge(struct node *mapping, struct arena *arena, struct report *report)
{
	struct candidates candidates = { 0 };
	gather(&candidates, mapping, arena, report);
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
