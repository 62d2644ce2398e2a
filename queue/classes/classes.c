#include "queue/classes/classes.h"

#include <inttypes.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "db/operations.h"

static const char *const conflict_names[] = {
	[LIMIT_BLOCK] = "block",
	[LIMIT_DISCARD] = "discard",
	[LIMIT_REPLACE] = "replace",
	[LIMIT_CANCEL] = "cancel_running",
};

static void add_limit(struct text *json, const struct limit *limit)
{
	text_printf(json, ",\"slots\":%d,\"duration_ms\":%" PRId64, limit->slots,
		    limit->duration / CLOCK_MILLISECOND);
	text_json_member(json, "on_conflict", conflict_names[limit->on_conflict]);
	text_json_member(json, "key_template", limit->key);
	text_json_member(json, "group_name", limit->group);
}

/* A row: at position 0 the class's policies, and at each its limit there, if it has one. */
static void add_row(struct text *json, const struct class_policy *class, size_t position)
{
	text_add(json, json->length > 0 ? "," : "[");
	text_printf(json, "{\"position\":%zu", position);
	text_json_member(json, "class_name", class->name);
	if (position == 0 && class->max_losses != JOB_NO_BOUND)
		text_printf(json, ",\"max_losses\":%" PRId64, class->max_losses);
	if (position == 0) {
		text_json_member(json, "lost_end", class->lost_end);
		text_printf(json, ",\"own_rows\":%zu",
			    class->limit_count > 0 ? class->limit_count : 1);
	}
	if (position < class->limit_count)
		add_limit(json, &class->limits[position]);
	text_add(json, "}");
}

static enum status store(struct db *db, const char *operation, const struct class_policy list[],
			 size_t count, struct error *error)
{
	struct text rows = { 0 };

	if (count == 0)
		return STATUS_OK;
	for (size_t i = 0; i < count; i++) {
		add_row(&rows, &list[i], 0);
		for (size_t position = 1; position < list[i].limit_count; position++)
			add_row(&rows, &list[i], position);
	}
	text_add(&rows, "]");
	struct arena *arena = arena_new();
	struct db_call call = DB_CALL(classes_publish, .classes = P_TEXT(text_string(&rows)),
				      .now = P_TIME(db_now(db)));

	call.operation = operation;
	enum status status = db_query(db, arena, call, NULL, error);
	text_free(&rows);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status classes_publish(struct db *db, const struct class_policy list[], size_t count,
			    struct error *error)
{
	return store(db, "classes_publish", list, count, error);
}

enum status classes_introduce(struct db *db, const struct class_policy list[], size_t count,
			      struct error *error)
{
	return store(db, DB_LIKE(classes_introduce, classes_publish), list, count, error);
}
