/*
 * A list on its way into the database as JSON arrays, none much larger than PART_BYTES: a
 * statement's values must fit into the server's largest packet, which is 16 MiB where it is
 * smallest. Each part is given to statements of its own; one db_run makes them one transaction.
 */
#ifndef QUEUE_PARTS_H
#define QUEUE_PARTS_H

#include "common/arena.h"
#include "common/text/text.h"

#define PART_BYTES ((size_t)4 << 20)

struct part {
	const char *json; /* an array, in the arena */
	size_t first;     /* of the whole list: the number of its first element, from 0 */
	size_t count;
};

/* Begin with {.arena = ...}, end with parts_end. */
struct parts {
	struct arena *arena;
	struct part *list;
	size_t count;
	struct text json; /* of the part being filled */
	size_t filled;    /* its elements */
};

/* Where to write the next element. */
struct text *parts_next(struct parts *parts);

/* The next element begins a part, even if there is room in the last one. */
void parts_cut(struct parts *parts);

/* Completes the last part and frees what is not in the arena. */
void parts_end(struct parts *parts);

#endif
