#include "queue/processes/gone.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"

#define CLEAR_BATCH 500
#define NAME_SIZE   1024 /* three names of 255 bytes and more */

enum status gone_find(struct db *db, struct arena *arena, const char *name, struct gone *gone,
		      struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("name", name) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_find", values, 1, &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = STATUS_NONE;
	else if (status == STATUS_OK)
		*gone = (struct gone){
			.process_id = db_int(&rows, 0, 0),
			.kind = db_text(&rows, 0, 1),
			.name = name,
			.hostname = db_text(&rows, 0, 2),
			.pid = db_int(&rows, 0, 3),
			.last_heartbeat_at = db_time(&rows, 0, 4),
		};
	return status;
}

enum status gone_list(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error)
{
	const struct db_value values[] = { DB_P_TIME("since", db_now(db) - GONE_KEPT),
					   DB_P_INT("limit", GONE_MOST) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "gone", values, 2, &rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct gone){
			.process_id = db_int(&rows, i, 0),
			.kind = db_text(&rows, i, 1),
			.name = db_text(&rows, i, 2),
			.hostname = db_text(&rows, i, 3),
			.pid = db_int(&rows, i, 4),
			.last_heartbeat_at = db_time(&rows, i, 5),
			.how = db_text(&rows, i, 6),
			.released = db_int(&rows, i, 7),
			.failed = db_int(&rows, i, 8),
			.at = db_time(&rows, i, 9),
		};
	return STATUS_OK;
}

void gone_name(const struct gone *gone, char *list, size_t size)
{
	static const char more[] = ", ...";
	char name[NAME_SIZE];
	size_t used = strlen(list);
	size_t room = size - used;
	int length = snprintf(name, sizeof(name), "%s%s %s (%s, pid %" PRId64 ")",
			      used > 0 ? ", " : "", gone->kind, gone->name,
			      gone->hostname ? gone->hostname : "no host", gone->pid);

	if (used >= strlen(more) && strcmp(list + used - strlen(more), more) == 0)
		return;
	if (length > 0 && (size_t)length + sizeof(more) <= room)
		(void)snprintf(list + used, room, "%s", name);
	else
		(void)snprintf(list + used, room, "%s", more);
}

enum status gone_clear(struct db *db, bool *more, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_TIME("before", db_now(db) - GONE_KEPT),
					   DB_P_INT("limit", CLEAR_BATCH) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "gone_clear", values, 2, &rows, error);

	*more = status == STATUS_OK && rows.changed >= CLEAR_BATCH;
	arena_free(arena);
	return status;
}
