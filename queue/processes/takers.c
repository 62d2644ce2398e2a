#include "queue/processes/takers.h"

#include <string.h>

#include "queue/look/names.h"
#include "queue/processes/shared.h"

static void add_queue(struct names *queues, const char *name)
{
	for (size_t i = 0; i < queues->count; i++)
		if (strcmp(queues->list[i], name) == 0)
			return;
	queues->list[queues->count++] = name;
}

static void add_task(struct arena *arena, struct names *queues, const struct recurring_row *row,
		     const char *of_class)
{
	if (row->ours && !row->task.options.disabled && recurring_command_line(arena, &row->task))
		add_queue(queues,
			  recurring_queue(&row->task, row->task.class_name ? of_class : NULL));
}

static const char *describe(struct arena *arena, const struct server *first, size_t count,
			    const char *queue)
{
	const char *more = count > 2    ? arena_printf(arena, " and %zu more", count - 1)
			   : count == 2 ? " and one more"
					: "";

	return arena_printf(arena,
			    "%s on %s%s, of other software, also %s the queue %s (queues: %s) and "
			    "%s the jobs of dray's commands.",
			    first->row.name, first->row.hostname ? first->row.hostname : "a host",
			    more, count > 1 ? "take" : "takes", queue, first->queues,
			    count > 1 ? "fail" : "fails");
}

static void find_of_queue(const struct db *db, struct arena *arena, const struct servers *servers,
			  const char *queue, struct takers *takers)
{
	const struct server *first = NULL;
	size_t count = 0;

	for (size_t i = 0; i < servers->count; i++) {
		const struct server *server = &servers->list[i];
		if (server->silent || shared_is_ours(server->row.metadata) ||
		    !server_serves(db, server, queue))
			continue;
		first = first ? first : server;
		count++;
	}
	if (first)
		takers->list[takers->count++] = (struct taker){
			.queue = queue,
			.name = first->row.name,
			.count = count,
			.text = describe(arena, first, count, queue),
		};
}

void takers_find(const struct db *db, struct arena *arena, const struct servers *servers,
		 const struct recurring_row rows[], size_t count, struct takers *takers)
{
	const size_t most = takers->queue_count + count + 1;
	struct names queues = { .list = arena_array(arena, most, sizeof(*queues.list)) };

	for (size_t i = 0; i < takers->queue_count; i++)
		add_queue(&queues, takers->queues[i]);
	for (size_t i = 0; i < count; i++)
		add_task(arena, &queues, &rows[i], takers->of_class);
	takers->count = 0;
	takers->list = arena_array(arena, queues.count + 1, sizeof(*takers->list));
	for (size_t i = 0; i < queues.count; i++)
		find_of_queue(db, arena, servers, queues.list[i], takers);
}

enum status takers_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct takers *takers, struct error *error)
{
	struct recurring_row *rows = NULL;
	struct servers servers = { 0 };
	size_t count = 0;
	enum status status = recurring_rows(db, arena, &rows, &count, error);

	if (status == STATUS_OK)
		status = servers_read(db, arena, patience, &servers, error);
	if (status == STATUS_OK)
		takers_find(db, arena, &servers, rows, count, takers);
	return status;
}
