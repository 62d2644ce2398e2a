#include "queue/look/names.h"

#include <string.h>

#include "db/operations.h"
#include "queue/pauses/pause.h"

static void begin(struct arena *arena, size_t most, struct names *names)
{
	names->list = arena_array(arena, most + 1, sizeof(*names->list));
	names->count = 0;
}

DB_ALIKE(queues_unpaused, classes_enqueued);

static void add_rows(const struct db_rows *rows, struct names *names)
{
	for (size_t i = 0; i < rows->count; i++)
		names->list[names->count++] = db_text(rows, i, QUEUES_UNPAUSED_NAME);
}

static bool is_queue(const struct pause_row *row)
{
	return strcmp(row->kind, pause_kind_name(PAUSE_QUEUE)) == 0;
}

enum status names_of_queues(struct db *db, struct arena *arena, struct names *names,
			    struct error *error)
{
	struct db_rows rows = { 0 };
	struct pause_row *pauses = NULL;
	size_t count = 0;
	enum status status = db_query(db, arena, DB_PLAIN(queues_unpaused), &rows, error);

	if (status == STATUS_OK)
		status = pause_shown(db, arena, &pauses, &count, error);
	if (status != STATUS_OK)
		return status;
	begin(arena, rows.count + count, names);
	add_rows(&rows, names);
	for (size_t i = 0; i < count; i++)
		if (is_queue(&pauses[i]))
			names->list[names->count++] = pauses[i].name;
	return STATUS_OK;
}

enum status names_of_classes(struct db *db, struct arena *arena, struct names *names,
			     struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(classes_enqueued), &rows, error);

	if (status != STATUS_OK)
		return status;
	begin(arena, rows.count, names);
	add_rows(&rows, names);
	return STATUS_OK;
}

enum status names_of_paused(struct db *db, struct arena *arena, struct names *names,
			    struct error *error)
{
	struct pause_row *pauses = NULL;
	size_t count = 0;
	enum status status = pause_shown(db, arena, &pauses, &count, error);

	if (status != STATUS_OK)
		return status;
	begin(arena, count, names);
	for (size_t i = 0; i < count; i++)
		if (is_queue(&pauses[i]) ||
		    strcmp(pauses[i].kind, pause_kind_name(PAUSE_PATTERN)) == 0)
			names->list[names->count++] = pauses[i].name;
	return STATUS_OK;
}
