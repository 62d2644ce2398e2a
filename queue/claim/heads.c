#include "queue/claim/heads.h"

#include <string.h>

#include "db/operations.h"

/* A queue may be spelled differently, where the database takes that for one name. */
static void add(const struct db *db, struct queue_heads *heads, const struct queue_head *next)
{
	struct queue_head *last = heads->count > 0 ? &heads->list[heads->count - 1] : NULL;
	const size_t length = strlen(next->queue);

	if (!last || strlen(last->queue) != length ||
	    !db_same_name(db, last->queue, next->queue, length))
		heads->list[heads->count++] = *next;
	else if (next->since < last->since)
		*last = *next;
}

enum status queue_heads_read(struct db *db, struct arena *arena, struct queue_heads *heads,
			     struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(queue_heads), &rows, error);

	*heads = (struct queue_heads){ .list = arena_array(arena, rows.count + 1,
							   sizeof(*heads->list)) };
	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		const struct queue_head head = { db_text(&rows, i, QUEUE_HEADS_QUEUE),
						 db_int(&rows, i, QUEUE_HEADS_JOB_ID),
						 db_time(&rows, i, QUEUE_HEADS_SINCE) };
		add(db, heads, &head);
	}
	return status;
}
