/* A class's concurrency limits: one mapping, or a list of them. */
#include <string.h>

#include "common/text/text.h"

#include "config/files/reader.h"

static const char *entry_name(struct reader *reader, const char *prefix, size_t entry)
{
	return arena_printf(reader->arena, "%s.concurrency[%zu]", prefix, entry);
}

static void check(struct reader *reader, const struct instance *entry, const struct node *node)
{
	const struct config_concurrency *values = (const struct config_concurrency *)entry->base;
	const char *fault = NULL;
	if (values->key && !template_check(values->key, &fault))
		report_error(reader->report, node_get(node, "key")->place, "%s.key is %s: %s",
			     entry->prefix, quoted(reader->arena, values->key), fault);
}

static struct instance *read_entry(struct reader *reader, const char *prefix,
				   struct config_concurrency *values, const struct node *node)
{
	struct instance *entry = instance_new(reader, &concurrency_settings, prefix, values);
	instance_read(reader, entry, node);
	if (node->kind == NODE_MAPPING)
		check(reader, entry, node);
	return entry;
}

/* Of two limits with the same key one would never be reached. */
static void check_distinct(struct reader *reader, const char *prefix,
			   const struct config_class *class, const struct node *list)
{
	for (size_t i = 1; i < class->concurrency_count; i++)
		for (size_t k = 0; k < i; k++)
			if (text_same(class->concurrency[i].key, class->concurrency[k].key) &&
			    text_same(class->concurrency[i].group, class->concurrency[k].group))
				report_error(reader->report, list->pairs[i].value->place,
					     "%s.concurrency[%zu] has the same key and group as "
					     "%s.concurrency[%zu]",
					     prefix, i, prefix, k);
}

void concurrency_read(struct reader *reader, struct instances *entries,
		      const struct instance *settings, const struct node *node)
{
	struct config_class *class = (struct config_class *)settings->base;
	const struct node *list = node_get(node, "concurrency");
	if (!node_has(node, "concurrency"))
		return;
	if (list && list->kind == NODE_SCALAR && !list->fault) {
		report_error(reader->report, list->place,
			     "%s.concurrency is %s, expected a mapping such as {to: 3}",
			     settings->prefix, quoted(reader->arena, list->text));
		return;
	}
	bool many = list && list->kind == NODE_LIST;
	size_t count = many ? list->count : list != NULL;
	*entries = (struct instances){ arena_array(reader->arena, count, sizeof(*entries->list)),
				       count };
	class->concurrency = arena_array(reader->arena, count, sizeof(*class->concurrency));
	class->concurrency_count = count;
	for (size_t i = 0; i < count; i++)
		entries->list[i] =
			*read_entry(reader, entry_name(reader, settings->prefix, i),
				    &class->concurrency[i], many ? list->pairs[i].value : list);
	check_distinct(reader, settings->prefix, class, list);
	if (count > CONCURRENCY_MOST)
		report_error(reader->report, list->place,
			     "%s.concurrency has %zu entries, expected at most %d",
			     settings->prefix, count, CONCURRENCY_MOST);
}

struct instances concurrency_copy(struct reader *reader, const struct instances *from,
				  const char *prefix, struct config_class *class)
{
	struct instances copy = { arena_array(reader->arena, from->count, sizeof(*copy.list)),
				  from->count };
	const struct config_concurrency *inherited = class->concurrency;
	class->concurrency = arena_array(reader->arena, from->count, sizeof(*class->concurrency));
	for (size_t i = 0; i < from->count; i++) {
		class->concurrency[i] = inherited[i];
		copy.list[i] = *instance_copy(reader, &from->list[i], entry_name(reader, prefix, i),
					      &class->concurrency[i]);
	}
	return copy;
}
