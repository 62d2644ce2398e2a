#include "queue/processes/gone.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "common/clock.h"
#include "db/operations.h"

#define CLEAR_BATCH 500
#define NAME_SIZE   1024 /* three names of 255 bytes and more */

enum status gone_find(struct db *db, struct arena *arena, const char *name, struct gone *gone,
		      struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena, DB_CALL(process_find, .name = P_TEXT(name)), &rows, error);

	if (status == STATUS_OK && rows.count == 0)
		status = STATUS_NONE;
	else if (status == STATUS_OK)
		*gone = (struct gone){
			.process_id = db_int(&rows, 0, PROCESS_FIND_PROCESS_ID),
			.kind = db_text(&rows, 0, PROCESS_FIND_KIND),
			.name = name,
			.hostname = db_text(&rows, 0, PROCESS_FIND_HOSTNAME),
			.pid = db_int(&rows, 0, PROCESS_FIND_PID),
			.last_heartbeat_at = db_time(&rows, 0, PROCESS_FIND_LAST_HEARTBEAT_AT),
		};
	return status;
}

enum status gone_list(struct db *db, struct arena *arena, struct gone **out, size_t *count,
		      struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena,
		DB_CALL(gone, .since = P_TIME(db_now(db) - GONE_KEPT), .limit = P_INT(GONE_MOST)),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct gone){
			.process_id = db_int(&rows, i, GONE_PROCESS_ID),
			.kind = db_text(&rows, i, GONE_KIND),
			.name = db_text(&rows, i, GONE_NAME),
			.hostname = db_text(&rows, i, GONE_HOSTNAME),
			.pid = db_int(&rows, i, GONE_PID),
			.last_heartbeat_at = db_time(&rows, i, GONE_LAST_HEARTBEAT_AT),
			.how = db_text(&rows, i, GONE_HOW),
			.released = db_int(&rows, i, GONE_RELEASED),
			.failed = db_int(&rows, i, GONE_FAILED),
			.at = db_time(&rows, i, GONE_GONE_AT),
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
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena,
				      DB_CALL(gone_clear, .before = P_TIME(db_now(db) - GONE_KEPT),
					      .limit = P_INT(CLEAR_BATCH)),
				      &rows, error);

	*more = status == STATUS_OK && rows.changed >= CLEAR_BATCH;
	arena_free(arena);
	return status;
}
