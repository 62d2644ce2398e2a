#include "queue/classes/classes.h"

#include "common/clock.h"
#include "db/operations.h"

static const char *const conflict_names[] = {
	[LIMIT_BLOCK] = "block",
	[LIMIT_DISCARD] = "discard",
	[LIMIT_REPLACE] = "replace",
	[LIMIT_CANCEL] = "cancel_running",
};

/* A row: at position 0 the class's policies, and at each its limit there, if it has one. */
static void add_row(struct db_list *list, const struct class_policy *class, size_t position)
{
	static const struct limit none = { 0 };
	const bool limited = position < class->limit_count;
	const struct limit *limit = limited ? &class->limits[position] : &none;
	const bool first = position == 0;
	const bool bounded = first && class->max_losses != JOB_NO_BOUND;

	DB_ADD(list, class_row, .class_name = P_TEXT(class->name), .position = P_INT(position),
	       .max_losses = bounded ? P_INT(class->max_losses) : P_NULL,
	       .lost_end = P_TEXT(first ? class->lost_end : NULL),
	       .own_rows = first ? P_INT(limited ? class->limit_count : 1) : P_NULL,
	       .slots = limited ? P_INT(limit->slots) : P_NULL,
	       .duration_ms = limited ? P_INT(limit->duration / CLOCK_MILLISECOND) : P_NULL,
	       .on_conflict = P_TEXT(limited ? conflict_names[limit->on_conflict] : NULL),
	       .key_template = P_TEXT(limit->key), .group_name = P_TEXT(limit->group));
}

static enum status store(struct db *db, const char *operation, const struct class_policy list[],
			 size_t count, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_list rows = { .arena = arena };

	for (size_t i = 0; i < count; i++) {
		add_row(&rows, &list[i], 0);
		for (size_t position = 1; position < list[i].limit_count; position++)
			add_row(&rows, &list[i], position);
	}
	struct db_call call =
		DB_CALL(classes_publish, .classes = P_ROWS(&rows), .now = P_TIME(db_now(db)));

	call.operation = operation;
	enum status status = count > 0 ? db_query(db, arena, call, NULL, error) : STATUS_OK;
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
