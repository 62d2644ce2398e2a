#include <string.h>
#include <strings.h>

#include "db/operations.h"
#include "queue/look/look.h"
#include "queue/pauses/pause.h"

/*
 * Adds what is known of a queue's pause. The row may have either of two spellings that are the same
 * queue, and no two pauses begin at the same instant.
 */
static void add_note(struct queue_row *row, const struct pause_row pauses[], size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pauses[i].since == row->paused_at && strcmp(pauses[i].kind, "queue") == 0 &&
		    strcasecmp(pauses[i].name, row->name) == 0)
			row->note = pauses[i].note;
}

/* A queue that has just appeared under a pattern is paused, but not by name yet. */
static void add_pattern(struct queue_row *row, const struct pause_row pauses[], size_t count)
{
	const struct pause_row *pattern = pattern_pausing(pauses, count, row->name);

	if (row->paused || !pattern)
		return;
	row->paused = true;
	row->paused_at = pattern->since;
	row->note = pattern->note;
}

enum status queue_list(struct db *db, struct arena *arena, struct queue_row **out, size_t *count,
		       struct error *error)
{
	struct db_rows rows = { 0 };
	struct pause_row *pauses;
	size_t pause_count = 0;
	enum status status = pause_list(db, arena, &pauses, &pause_count, error);

	if (status == STATUS_OK)
		status = db_query(db, arena, DB_PLAIN(queues), &rows, error);
	if (status != STATUS_OK)
		return status;
	struct queue_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	int64_t now = db_now(db);
	for (size_t i = 0; i < rows.count; i++) {
		struct queue_row *row = &list[i];
		row->name = db_text(&rows, i, QUEUES_NAME);
		row->paused = db_int(&rows, i, QUEUES_PAUSED) != 0;
		row->size = db_int(&rows, i, QUEUES_READY);
		row->counts[JOB_READY] = row->size;
		row->counts[JOB_SCHEDULED] = db_int(&rows, i, QUEUES_SCHEDULED);
		row->counts[JOB_CLAIMED] = db_int(&rows, i, QUEUES_CLAIMED);
		row->counts[JOB_BLOCKED] = db_int(&rows, i, QUEUES_BLOCKED);
		row->counts[JOB_FAILED] = db_int(&rows, i, QUEUES_FAILED);
		row->counts[JOB_FINISHED] = -1;
		int64_t oldest = db_time(&rows, i, QUEUES_OLDEST_READY);
		row->latency = oldest > 0 && now > oldest ? now - oldest : 0;
		row->paused_at = db_time(&rows, i, QUEUES_PAUSED_AT);
		add_note(row, pauses, pause_count);
		add_pattern(row, pauses, pause_count);
	}
	*out = list;
	*count = rows.count;
	return STATUS_OK;
}
