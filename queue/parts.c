#include "queue/parts.h"

#include <string.h>

/* Makes room for one more; the list doubles inside the arena. */
static struct part *add_part(struct parts *parts)
{
	size_t count = parts->count;

	if ((count & (count - 1)) == 0) {
		struct part *list =
			arena_array(parts->arena, count > 0 ? 2 * count : 1, sizeof(*list));
		if (count > 0)
			memcpy(list, parts->list, count * sizeof(*list));
		parts->list = list;
	}
	return &parts->list[parts->count++];
}

static void complete(struct parts *parts)
{
	const struct part *last = parts->count > 0 ? &parts->list[parts->count - 1] : NULL;
	size_t first = last ? last->first + last->count : 0;

	text_add(&parts->json, "]");
	*add_part(parts) = (struct part){
		.json = arena_strndup(parts->arena, parts->json.data, parts->json.length),
		.first = first,
		.count = parts->filled,
	};
	text_clear(&parts->json);
	parts->filled = 0;
}

struct text *parts_next(struct parts *parts)
{
	if (parts->json.length >= PART_BYTES)
		complete(parts);
	text_add(&parts->json, parts->filled > 0 ? "," : "[");
	parts->filled++;
	return &parts->json;
}

void parts_cut(struct parts *parts)
{
	if (parts->filled > 0)
		complete(parts);
}

void parts_end(struct parts *parts)
{
	parts_cut(parts);
	text_free(&parts->json);
}
