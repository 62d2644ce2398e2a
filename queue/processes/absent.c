#include "queue/processes/absent.h"

#include <inttypes.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/look/look.h"
#include "queue/look/names.h"
#include "queue/processes/shared.h"
#include "queue/recurring/task.h"

/* Roles that are needed but not running. */

/* What is checked. */
struct look {
	struct arena *arena;
	struct servers servers;
	struct queue_row *queues;
	size_t queue_count;
	struct absents *absents;
};

static void add(struct look *look, const char *kind, const char *queue, const char *text)
{
	look->absents->list = arena_extend(look->arena, look->absents->list, look->absents->count,
					   sizeof(*look->absents->list));
	look->absents->list[look->absents->count++] = (struct absent){ kind, queue, text };
}

static const char *plural(int64_t count, const char *one, const char *many)
{
	return count == 1 ? one : many;
}

static bool anybody(const struct look *look)
{
	for (size_t i = 0; i < look->servers.count; i++)
		if (!look->servers.list[i].silent)
			return true;
	return false;
}

static void add_everybody(struct look *look)
{
	int64_t waiting = 0;

	for (size_t i = 0; i < look->queue_count; i++)
		waiting += look->queues[i].counts[JOB_READY] +
			   look->queues[i].counts[JOB_SCHEDULED] +
			   look->queues[i].counts[JOB_BLOCKED];
	add(look, "process", NULL,
	    waiting > 0
		    ? arena_printf(look->arena,
				   "No process is running, and %" PRId64 " %s: run `dray start`.",
				   waiting, plural(waiting, "job is waiting", "jobs are waiting"))
		    : "No process is running: run `dray start`.");
}

static void add_workers(const struct db *db, struct look *look)
{
	for (size_t i = 0; i < look->queue_count; i++) {
		const struct queue_row *queue = &look->queues[i];
		int64_t ready = queue->counts[JOB_READY];
		if (ready == 0 || queue->paused || servers_of(db, &look->servers, queue->name) > 0)
			continue;
		const bool leaving = servers_leaving(db, &look->servers, queue->name) > 0;
		add(look, "worker", queue->name,
		    arena_printf(
			    look->arena,
			    leaving ? "Only workers that are leaving after a reload serve the "
				      "queue %s, where %" PRId64 " %s ready: they claim nothing."
				    : "No worker serves the queue %s, where %" PRId64 " %s ready.",
			    queue->name, ready, plural(ready, "job is", "jobs are")));
	}
}

static const char *when(struct arena *arena, int64_t instant)
{
	char text[CLOCK_TEXT_SIZE];

	clock_format_short(instant - instant % CLOCK_SECOND, text);
	return arena_strdup(arena, text);
}

#define SOON (10 * CLOCK_SECOND) /* a worker is replaced in less, if it can be */

/* What a living process says of itself. */
static void add_process(struct look *look, const struct server *server, int64_t now)
{
	const struct process_row *row = &server->row;
	const char *host = row->hostname ? row->hostname : "an unknown host";
	const char *who =
		arena_printf(look->arena, "%s (process %d on %s)", row->name, row->pid, host);

	if (server->given_up)
		add(look, "child", NULL,
		    arena_printf(look->arena,
				 "The supervisor on %s (process %d) has given up: %s. Its log says "
				 "why; `dray reload` makes it try again (after an upgrade, restart "
				 "it).",
				 host, row->pid, server->given_up));
	if (server->held)
		add(look, "worker", NULL,
		    arena_printf(look->arena,
				 "%s claims nothing: it waits for a worker that is leaving after a "
				 "reload and has not said that it claims no more. `dray processes` "
				 "shows it; if it is frozen, kill it.",
				 who));
	if (server->trouble)
		add(look, "trouble", NULL,
		    arena_printf(
			    look->arena,
			    "%s has not been able to work since %s UTC: %s. It tries again and "
			    "again, and goes on when that is mended.",
			    who, when(look->arena, server->trouble_since), server->trouble));
	if (server->outdated_since != 0 && server->leaving_since == 0 &&
	    now - server->outdated_since >= SOON)
		add(look, "outdated", NULL,
		    arena_printf(
			    look->arena,
			    "%s could not take over the reload of %s UTC and goes on with the "
			    "files that it has: it is replaced when the workers of fewer "
			    "earlier configurations are leaving (`max_leaving`). `dray reload` "
			    "names their jobs.",
			    who, when(look->arena, server->outdated_since)));
}

/* The roles for which work waits, whatever its queue. */
static enum status add_roles(struct db *db, struct look *look, const struct role *const roles[],
			     struct error *error)
{
	enum status status = STATUS_OK;

	for (; *roles && status == STATUS_OK; roles++) {
		const struct role *role = *roles;
		const char *what = NULL;
		if (role->waits && !servers_have(&look->servers, role->kind))
			status = role->waits(db, look->arena, &what, error);
		if (what)
			add(look, role->word, NULL,
			    arena_printf(look->arena, "No %s is running, and %s.", role->word,
					 what));
	}
	return status;
}

static enum status conclude(struct db *db, struct look *look, const struct role *const roles[],
			    struct error *error)
{
	if (!anybody(look)) {
		add_everybody(look);
		return STATUS_OK;
	}
	add_workers(db, look);
	enum status status = add_roles(db, look, roles, error);
	for (size_t i = 0; i < look->servers.count; i++)
		if (!look->servers.list[i].silent)
			add_process(look, &look->servers.list[i], db_now(db));
	return status;
}

static enum status add_unserved(struct db *db, struct look *look, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < look->queue_count && status == STATUS_OK; i++)
		status = unserved_add(db, look->arena, &look->servers, &look->queues[i],
				      &look->absents->unserved, error);
	return status;
}

enum status absent_read(struct db *db, struct arena *arena, const struct prune *patience,
			const struct role *const roles[], struct absents *absents,
			struct error *error)
{
	struct look look = { .arena = arena, .absents = absents };
	enum status status = servers_read(db, arena, patience, &look.servers, error);

	*absents = (struct absents){ 0 };
	if (status == STATUS_OK)
		status = queue_list(db, arena, &look.queues, &look.queue_count, error);
	if (status == STATUS_OK)
		status = add_unserved(db, &look, error);
	if (status == STATUS_OK)
		status = conclude(db, &look, roles, error);
	return status;
}

/* Workers of other software in the queues of commands. */

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

static enum status find_queues(struct db *db, struct arena *arena, const struct takers *takers,
			       struct names *queues, struct error *error)
{
	struct recurring_row *rows = NULL;
	size_t count = 0;
	enum status status = recurring_rows(db, arena, &rows, &count, error);

	if (status != STATUS_OK)
		return status;
	queues->list = arena_array(arena, takers->queue_count + count + 1, sizeof(*queues->list));
	for (size_t i = 0; i < takers->queue_count; i++)
		add_queue(queues, takers->queues[i]);
	for (size_t i = 0; i < count; i++)
		add_task(arena, queues, &rows[i], takers->of_class);
	return STATUS_OK;
}

static const char *describe(struct arena *arena, const struct server *first, size_t count,
			    const char *queue)
{
	const char *more = count > 2    ? arena_printf(arena, " and %zu more", count - 1)
			   : count == 2 ? " and one more"
					: "";

	return arena_printf(arena,
			    "%s on %s%s, of other software, also %s the queue %s (queues: %s) and "
			    "%s the jobs of dray's commands: remove this queue from its queues.",
			    first->row.name, first->row.hostname ? first->row.hostname : "a host",
			    more, count > 1 ? "take" : "takes", queue, first->queues,
			    count > 1 ? "fail" : "fails");
}

static void find_takers(const struct db *db, struct arena *arena, const struct servers *servers,
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

enum status takers_read(struct db *db, struct arena *arena, const struct prune *patience,
			struct takers *takers, struct error *error)
{
	struct names queues = { 0 };
	struct servers servers = { 0 };
	enum status status = find_queues(db, arena, takers, &queues, error);

	takers->count = 0;
	if (status == STATUS_OK && queues.count > 0)
		status = servers_read(db, arena, patience, &servers, error);
	if (status != STATUS_OK)
		return status;
	takers->list = arena_array(arena, queues.count + 1, sizeof(*takers->list));
	for (size_t i = 0; i < queues.count; i++)
		find_takers(db, arena, &servers, queues.list[i], takers);
	return STATUS_OK;
}
