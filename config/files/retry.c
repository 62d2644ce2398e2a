/* What a class says of its retries: a mapping, or less. */
#include "common/text/parse.h"
#include "config/files/reader.h"

static struct node *scalar(struct reader *reader, const struct node *place, const char *text)
{
	struct node *node = arena_alloc(reader->arena, sizeof(*node));

	*node = (struct node){ .kind = NODE_SCALAR, .place = place->place, .text = text };
	return node;
}

/* `retry: 5` is short for `retry: {attempts: 5, wait: polynomially_longer}`. */
static const struct node *as_attempts(struct reader *reader, const struct node *number)
{
	struct node *mapping = arena_alloc(reader->arena, sizeof(*mapping));

	*mapping = (struct node){ .kind = NODE_MAPPING, .place = number->place, .count = 2 };
	mapping->pairs = arena_array(reader->arena, 2, sizeof(*mapping->pairs));
	mapping->pairs[0] =
		(struct node_pair){ scalar(reader, number, "attempts"), (struct node *)number };
	mapping->pairs[1] = (struct node_pair){ scalar(reader, number, "wait"),
						scalar(reader, number, "polynomially_longer") };
	return mapping;
}

void retry_read(struct reader *reader, struct instance *instance, const struct node *node)
{
	struct config_retry *retry = (struct config_retry *)instance->base;
	bool given = true;

	if (node_is_null(node))
		return;
	if (node->kind == NODE_SCALAR &&
	    (node->fault || parse_bool(node->text, &given) != STATUS_OK))
		node = as_attempts(reader, node);
	if (!given)
		instance_reset(reader, instance); /* what is below says nothing to `exit` either */
	retry->given = given;
	if (node->kind != NODE_SCALAR)
		instance_read(reader, instance, node);
}
