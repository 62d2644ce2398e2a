/*
 * A list on its way into the database as JSON arrays, none much larger than CHUNK_BYTES: a
 * statement's values must fit into the server's largest packet, which is 16 MiB where it is
 * smallest. Each chunk is given to statements of its own; one db_run makes them one transaction.
 */
#ifndef QUEUE_CHUNKS_H
#define QUEUE_CHUNKS_H

#include "common/arena.h"
#include "common/text/text.h"

#define CHUNK_BYTES ((size_t)4 << 20)

struct chunk {
	const char *json; /* an array, in the arena */
	size_t first;     /* of the whole list: the number of its first element, from 0 */
	size_t count;
};

/* Begin with {.arena = ...}, end with chunks_end. */
struct chunks {
	struct arena *arena;
	struct chunk *list;
	size_t count;
	struct text json; /* of the chunk being filled */
	size_t filled;    /* its elements */
};

/* Where to write the next element. */
struct text *chunks_next(struct chunks *chunks);

/* The next element begins a chunk, even if there is room in the last one. */
void chunks_cut(struct chunks *chunks);

/* Completes the last chunk and frees what is not in the arena. */
void chunks_end(struct chunks *chunks);

#endif
