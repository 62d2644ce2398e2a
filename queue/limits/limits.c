#include "queue/limits/limits.h"

#include <inttypes.h>

#include "common/clock.h"
#include "common/text/text.h"

static const char *const conflict_names[] = {
	[LIMIT_BLOCK] = "block",
	[LIMIT_DISCARD] = "discard",
	[LIMIT_REPLACE] = "replace",
};

static void add_text(struct text *json, const char *key, const char *value)
{
	text_printf(json, ",\"%s\":", key);
	if (value)
		text_json(json, value);
	else
		text_add(json, "null");
}

static void add_limit(struct text *json, const struct limit *limit)
{
	text_printf(json, "{\"position\":%d,\"slots\":%d,\"duration_ms\":%" PRId64, limit->position,
		    limit->slots, limit->duration / CLOCK_MILLISECOND);
	add_text(json, "class_name", limit->class_name);
	add_text(json, "on_conflict", conflict_names[limit->on_conflict]);
	add_text(json, "key_template", limit->key);
	add_text(json, "group_name", limit->group);
	text_add(json, "}");
}

static void add_list(struct text *json, const struct limits *limits)
{
	for (size_t i = 0; i < limits->count; i++) {
		text_add(json, i > 0 ? "," : "[");
		add_limit(json, &limits->list[i]);
	}
	text_add(json, limits->count > 0 ? "]" : "[]");
}

enum status limits_introduce(struct db *db, const struct limits *limits, struct error *error)
{
	struct arena *arena = arena_new();
	struct text list = { 0 };
	struct db_rows rows;

	add_list(&list, limits);
	const struct db_value values[] = { DB_P_TEXT("limits", text_string(&list)),
					   DB_P_TIME("now", db_now(db)) };
	enum status status = db_query(db, arena, "limits_introduce", values, 2, &rows, error);
	text_free(&list);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status limits_publish(struct db *db, const struct limits *limits, struct error *error)
{
	struct arena *arena = arena_new();
	struct text list = { 0 };
	struct text classes = { 0 };
	struct db_rows rows;

	add_list(&list, limits);
	text_json_texts(&classes, limits->classes, limits->class_count);
	const struct db_value values[] = { DB_P_TEXT("limits", text_string(&list)),
					   DB_P_TEXT("classes", text_string(&classes)),
					   DB_P_TIME("now", db_now(db)) };
	enum status status = db_query(db, arena, "limits_publish", values, 3, &rows, error);
	text_free(&list);
	text_free(&classes);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}
