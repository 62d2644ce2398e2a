/*
 * config/yaml/: a YAML file from its bytes to a tree of nodes.
 *
 * A YAML file as a tree of nodes that know their place in the file, with aliases resolved and merge
 * keys applied. A node reached through an alias is shared: nothing in the tree may be changed.
 * Lives in the arena of the load.
 */
#ifndef CONFIG_NODE_H
#define CONFIG_NODE_H

#include <stdbool.h>
#include <stddef.h>

#include "common/arena.h"
#include "common/error.h"
#include "config/report.h"
#include "config/yaml/expand.h"

#define NODE_DEPTH_MAXIMUM  32
#define NODE_COUNT_MAXIMUM  1000000 /* an alias counts as all the nodes that it stands for */
#define NODE_ANCHOR_MAXIMUM 1000

enum node_kind { NODE_SCALAR, NODE_LIST, NODE_MAPPING };

struct node;

struct node_pair {
	struct node *key; /* a scalar; NULL in lists */
	struct node *value;
};

struct node {
	enum node_kind kind;
	struct place place;
	const char *text;                 /* of a scalar, with the values of variables */
	bool plain;                       /* not quoted: may mean null */
	bool block;                       /* | or >: begins on a later line than its place */
	bool anchored;                    /* has an anchor */
	bool open;                        /* still being read */
	const struct substitution *fault; /* the variable without a value in text, or NULL */
	struct node_pair *pairs;
	size_t count;
	size_t weight; /* nodes in it, with aliases expanded */
};

/*
 * Parses one document. *root is NULL for a file without content. All mistakes that can be found are
 * reported; INVALID means that there is no tree.
 */
enum status node_parse(struct node **root, const struct expansion *expansion, struct arena *arena,
		       struct report *report) MUST_CHECK;

/* NULL, `key:`, `key: ~` and `key: null`: as if the key were not there. */
bool node_is_null(const struct node *node);

/* The value of a key, NULL when there is none, it is null or node is no mapping. */
const struct node *node_get(const struct node *node, const char *key);

/* Is there such a key, even with null? */
bool node_has(const struct node *node, const char *key);

/* A copy whose pairs may be changed; what they refer to stays shared. */
struct node *node_copy(struct arena *arena, const struct node *node);

/* Which pair of a mapping has the key, count if none; takes one out. */
size_t node_find(const struct node *node, const char *key);
void node_drop(struct node *node, size_t pair);

/* What a node is, for messages: "a list", "a mapping", "\"abc\"". */
const char *node_describe(const struct node *node, struct arena *arena);

/*
 * The same without the text of a scalar, which may be a secret: for places where a scalar is always
 * wrong.
 */
const char *node_kind_name(const struct node *node);

#endif
