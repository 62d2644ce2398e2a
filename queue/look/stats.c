#include "queue/look/stats.h"

#include <string.h>

#include "db/operations.h"

#define KINDS (sizeof(((struct stats *)0)->kinds) / sizeof(struct stats_kind))

static void add_queue(const struct survey_queue *queue, struct stats *stats)
{
	for (int state = 0; state < JOB_FINISHED; state++)
		stats->counts[state] += queue->row.counts[state];
	stats->retrying += queue->retrying;
	stats->paused += queue->row.paused;
	stats->unserved += survey_unserved(queue);
	if (!queue->row.paused && queue->row.latency > stats->latency) {
		stats->latency = queue->row.latency;
		stats->oldest_queue = queue->row.name;
	}
}

static struct stats_kind *find_kind(struct stats *stats, const char *kind)
{
	for (size_t i = 0; i < stats->kind_count; i++)
		if (strcmp(stats->kinds[i].kind, kind) == 0)
			return &stats->kinds[i];
	if (stats->kind_count ==
	    KINDS) /* more kinds than there are: the last entry takes the rest */
		return &stats->kinds[KINDS - 1];
	stats->kinds[stats->kind_count].kind = kind;
	return &stats->kinds[stats->kind_count++];
}

static void add_server(const struct server *server, struct stats *stats)
{
	struct stats_kind *kind = find_kind(stats, server->row.kind);

	kind->silent += server->silent;
	if (server->silent)
		return;
	kind->alive++;
	if (server_is_here(server))
		kind->threads += server->threads;
	kind->busy += server->row.claims;
}

/* They are read alike. */
DB_ALIKE(failures_by_class, keys_waited_for);

static struct stats_entry *entries(struct arena *arena, const struct db_rows *rows)
{
	struct stats_entry *list = arena_array(arena, rows->count + 1, sizeof(*list));

	for (size_t i = 0; i < rows->count; i++)
		list[i] = (struct stats_entry){ db_text(rows, i, KEYS_WAITED_FOR_NAME),
						db_int(rows, i, KEYS_WAITED_FOR_COUNT),
						db_time(rows, i, KEYS_WAITED_FOR_SINCE) };
	return list;
}

enum status stats_read(struct db *db, struct arena *arena, const struct prune *patience,
		       struct stats *stats, struct error *error)
{
	struct db_rows failures = { 0 };
	struct db_rows keys = { 0 };

	*stats = (struct stats){ .counts = { [JOB_FINISHED] = -1 } };
	enum status status = survey_read(db, arena, patience, &stats->survey, error);
	if (status == STATUS_OK)
		status = db_query(db, arena,
				  DB_CALL(failures_by_class, .most = P_INT(STATS_MOST),
					  .limit = P_INT(STATS_TOP)),
				  &failures, error);
	if (status == STATUS_OK)
		status = db_query(db, arena,
				  DB_CALL(keys_waited_for, .most = P_INT(STATS_MOST),
					  .limit = P_INT(STATS_TOP)),
				  &keys, error);
	if (status != STATUS_OK)
		return status;
	for (size_t i = 0; i < stats->survey.count; i++)
		add_queue(&stats->survey.queues[i], stats);
	for (size_t i = 0; i < stats->survey.servers.count; i++)
		add_server(&stats->survey.servers.list[i], stats);
	stats->failures = entries(arena, &failures);
	stats->failure_count = failures.count;
	stats->keys = entries(arena, &keys);
	stats->key_count = keys.count;
	return STATUS_OK;
}
