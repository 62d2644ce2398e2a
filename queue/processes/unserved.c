#include "queue/processes/unserved.h"

#include <stdlib.h>
#include <string.h>

#include "common/order.h"
#include "common/text/text.h"
#include "db/operations.h"

static size_t unique(const char **names, size_t count)
{
	size_t kept = 0;

	qsort(names, count, sizeof(*names), order_texts);
	for (size_t i = 0; i < count; i++)
		if (kept == 0 || strcmp(names[kept - 1], names[i]) != 0)
			names[kept++] = names[i];
	return kept;
}

/* The classes that a worker of the queue knows. NULL: it has none, or one that may take any. */
static const char *known(const struct db *db, struct arena *arena, const struct servers *servers,
			 const char *queue)
{
	const char **names = NULL;
	size_t count = 0;

	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (!server_is_here(server) || !server_serves(db, server, queue))
			continue;
		if (!server->classes)
			return NULL;
		const char **more =
			arena_array(arena, count + server->class_count + 1, sizeof(*more));
		if (count > 0)
			memcpy(more, names, count * sizeof(*names));
		memcpy(more + count, server->classes, server->class_count * sizeof(*more));
		names = more;
		count = unique(names, count + server->class_count);
	}
	return names ? text_json_list(arena, names, count) : NULL;
}

static void add_rows(struct arena *arena, const char *queue, const struct db_rows *rows,
		     struct unserveds *unserveds)
{
	const size_t count = unserveds->count + rows->count;
	struct unserved *list = arena_array(arena, count + 1, sizeof(*list));

	if (unserveds->count > 0)
		memcpy(list, unserveds->list, unserveds->count * sizeof(*list));
	for (size_t i = 0; i < rows->count; i++)
		list[unserveds->count + i] =
			(struct unserved){ queue, db_text(rows, i, READY_UNKNOWN_CLASS_NAME),
					   db_int(rows, i, READY_UNKNOWN_READY) };
	*unserveds = (struct unserveds){ list, count };
}

enum status unserved_add(struct db *db, struct arena *arena, const struct servers *servers,
			 const struct queue_row *queue, struct unserveds *unserveds,
			 struct error *error)
{
	const char *names = queue->counts[JOB_READY] > 0 && !queue->paused
				    ? known(db, arena, servers, queue->name)
				    : NULL;
	struct db_rows rows = { 0 };

	if (!names)
		return STATUS_OK;
	enum status status = db_query(db, arena,
				      DB_CALL(ready_unknown, .queue = P_TEXT(queue->name),
					      .classes = P_TEXT(NULL), .others = P_TEXT(names),
					      .most = P_INT(UNSERVED_MOST)),
				      &rows, error);
	if (status == STATUS_OK)
		add_rows(arena, queue->name, &rows, unserveds);
	return status;
}
