#include "queue/parts.h"

#include <string.h>

static struct part *add_part(struct parts *parts)
{
	parts->list = arena_extend(parts->arena, parts->list, parts->count, sizeof(*parts->list));
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
