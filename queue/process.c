#include "queue/process.h"

#include <jansson.h>
#include <stdlib.h>

#include "common/clock.h"

#define ORPHAN_BATCH    500
#define LONGEST_SILENCE 432000.0 /* seconds: whoever asks for more has made a mistake */

enum status process_register(struct db *db, struct process_row *row, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_TEXT("kind", row->kind),
		DB_P_TEXT("name", row->name),
		DB_P_INT("pid", row->pid),
		DB_P_TEXT("hostname", row->hostname),
		{ .name = "supervisor_id",
		  .type = row->supervisor_id > 0 ? DB_INT : DB_NULL,
		  .number = row->supervisor_id },
		DB_P_TEXT("metadata", row->metadata),
		DB_P_TIME("now", db_now(db)),
	};
	struct db_rows rows;
	enum status status = db_query(db, arena, "process_register", values, 7, &rows, error);

	if (status == STATUS_OK)
		row->id = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status process_heartbeat(struct db *db, int64_t id, const char *metadata, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_INT("process_id", id),
					   DB_P_TEXT("metadata", metadata),
					   DB_P_TIME("now", db_now(db)) };
	enum status status = db_query(db, arena, "process_heartbeat", values, 3, NULL, error);

	arena_free(arena);
	return status;
}

/* heartbeat_before 0 = whatever the last heartbeat was. */
static enum status deregister(struct db *db, int64_t id, int64_t heartbeat_before,
			      int64_t *released, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_INT("process_id", id),
		{ .name = "heartbeat_before",
		  .type = heartbeat_before > 0 ? DB_TIME : DB_NULL,
		  .number = heartbeat_before },
		DB_P_TIME("now", db_now(db)),
	};
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_deregister", values, 3, &rows, error);

	*released = status == STATUS_OK ? db_int(&rows, 0, 0) : 0;
	arena_free(arena);
	return status;
}

enum status process_deregister(struct db *db, int64_t id, int64_t *released, struct error *error)
{
	return deregister(db, id, 0, released, error);
}

enum status process_bury(struct db *db, const char *name, int64_t *released, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_TEXT("name", name) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_find", values, 1, &rows, error);

	*released = 0;
	if (status == STATUS_OK)
		status = rows.count > 0 ? deregister(db, db_int(&rows, 0, 0), 0, released, error)
					: STATUS_NONE;
	arena_free(arena);
	return status;
}

/* Ours say in their metadata how often they beat; five or more missed beats are a dead process. */
static int64_t threshold_of(const char *metadata, int64_t threshold, int64_t other_threshold)
{
	json_t *root = metadata ? json_loads(metadata, 0, NULL) : NULL;
	json_t *interval = json_object_get(root, "heartbeat_interval");
	int64_t result = other_threshold;

	if (json_is_number(interval)) {
		double five = json_number_value(interval) * 5;

		five = five < LONGEST_SILENCE ? five : LONGEST_SILENCE;
		result = five > 0 ? (int64_t)(five * (double)CLOCK_SECOND) : 0;
		result = result > threshold ? result : threshold;
	}
	json_decref(root);
	return result;
}

static enum status prune_one(struct db *db, int64_t id, int64_t before, struct prune_result *result,
			     struct error *error)
{
	int64_t released;
	enum status status = deregister(db, id, before, &released, error);

	if (status == STATUS_NONE) /* it beat again, or another supervisor was first */
		return STATUS_OK;
	if (status == STATUS_OK) {
		result->pruned++;
		result->released += released;
	}
	return status;
}

enum status process_prune(struct db *db, int64_t self, int64_t threshold, int64_t other_threshold,
			  struct prune_result *result, struct error *error)
{
	struct arena *arena = arena_new();
	int64_t now = db_now(db);
	const struct db_value before[] = { DB_P_TIME("heartbeat_before", now - threshold) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_stale", before, 1, &rows, error);

	*result = (struct prune_result){ 0 };
	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		int64_t allowed = threshold_of(db_text(&rows, i, 2), threshold, other_threshold);
		int64_t id = db_int(&rows, i, 0);

		if (id != self && db_time(&rows, i, 1) <= now - allowed)
			status = prune_one(db, id, now - allowed, result, error);
	}
	arena_free(arena);
	return status;
}

static enum status release_batch(struct db *db, struct arena *arena, size_t *found,
				 int64_t *released, struct error *error)
{
	const struct db_value limit[] = { DB_P_INT("limit", ORPHAN_BATCH) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "orphans", limit, 1, &rows, error);

	*found = rows.count;
	if (status != STATUS_OK || rows.count == 0)
		return status;
	int64_t *ids = arena_array(arena, rows.count, sizeof(*ids));
	for (size_t i = 0; i < rows.count; i++)
		ids[i] = db_int(&rows, i, 0);
	const struct db_value values[] = { DB_P_IDS("claims", ids, rows.count),
					   DB_P_TIME("now", db_now(db)) };
	struct db_rows done = { 0 };
	status = db_query(db, arena, "release", values, 2, &done, error);
	*released += (int64_t)done.count;
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status process_release_orphans(struct db *db, int64_t *released, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status;
	size_t found = 0;

	*released = 0;
	do {
		arena_clear(arena);
		status = release_batch(db, arena, &found, released, error);
	} while (status == STATUS_OK && found == ORPHAN_BATCH);
	arena_free(arena);
	return status;
}

enum status process_list(struct db *db, struct arena *arena, struct process_row **out,
			 size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "process_list", NULL, 0, &rows, error);

	if (status != STATUS_OK)
		return status;
	struct process_row *list = arena_array(arena, rows.count + 1, sizeof(*list));
	for (size_t i = 0; i < rows.count; i++) {
		list[i] = (struct process_row){
			.id = db_int(&rows, i, 0),
			.kind = db_text(&rows, i, 1),
			.name = db_text(&rows, i, 2),
			.pid = (int)db_int(&rows, i, 3),
			.hostname = db_text(&rows, i, 4),
			.supervisor_id = db_int(&rows, i, 5),
			.metadata = db_text(&rows, i, 6),
			.last_heartbeat_at = db_time(&rows, i, 7),
			.created_at = db_time(&rows, i, 8),
			.claims = db_int(&rows, i, 9),
		};
	}
	*out = list;
	*count = rows.count;
	return STATUS_OK;
}
