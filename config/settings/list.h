/* Arrays that grow in an arena: the old block stays until the arena is freed. */
#ifndef CONFIG_LIST_H
#define CONFIG_LIST_H

#include <string.h>

#include "common/arena.h"

/* Makes room for one more element in array. */
#define LIST_GROW(arena, array, count, capacity)                                                   \
	((array) = list_grow((arena), (array), (count), &(capacity), sizeof *(array)))

static inline void *list_grow(struct arena *arena, void *array, size_t count, size_t *capacity,
			      size_t size)
{
	if (count < *capacity)
		return array;
	size_t wanted = *capacity ? 2 * *capacity : 8;
	void *copy = arena_array(arena, wanted, size);
	if (count)
		memcpy(copy, array, count * size);
	*capacity = wanted;
	return copy;
}

#endif
