#include "queue/chunks.h"

#include <string.h>

static struct chunk *add_chunk(struct chunks *chunks)
{
	chunks->list =
		arena_extend(chunks->arena, chunks->list, chunks->count, sizeof(*chunks->list));
	return &chunks->list[chunks->count++];
}

static void complete(struct chunks *chunks)
{
	const struct chunk *last = chunks->count > 0 ? &chunks->list[chunks->count - 1] : NULL;
	size_t first = last ? last->first + last->count : 0;

	text_add(&chunks->json, "]");
	*add_chunk(chunks) = (struct chunk){
		.json = arena_strndup(chunks->arena, chunks->json.data, chunks->json.length),
		.first = first,
		.count = chunks->filled,
	};
	text_clear(&chunks->json);
	chunks->filled = 0;
}

struct text *chunks_next(struct chunks *chunks)
{
	if (chunks->json.length >= CHUNK_BYTES)
		complete(chunks);
	text_add(&chunks->json, chunks->filled > 0 ? "," : "[");
	chunks->filled++;
	return &chunks->json;
}

void chunks_cut(struct chunks *chunks)
{
	if (chunks->filled > 0)
		complete(chunks);
}

void chunks_end(struct chunks *chunks)
{
	chunks_cut(chunks);
	text_free(&chunks->json);
}
