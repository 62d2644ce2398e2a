#include "queue/manage/audit.h"

#include "common/clock.h"

#define DEFAULT_LIMIT 50

enum status audit_begin(struct db *db, struct audit *audit, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_TEXT("action", audit->action), DB_P_TEXT("target", audit->target),
		DB_P_TEXT("reason", audit->reason), DB_P_TEXT("who", audit->who),
		DB_P_TEXT("host", audit->host),     DB_P_TIME("now", db_now(db)),
	};
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "audit_begin", values, 6, &rows, error);

	if (status == STATUS_OK)
		audit->id = db_int(&rows, 0, 0);
	arena_free(arena);
	return status;
}

enum status audit_end(struct db *db, int64_t id, int64_t count, bool done, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = {
		DB_P_INT("id", id),
		{ .name = "count", .type = count < 0 ? DB_NULL : DB_INT, .number = count },
		DB_P_TEXT("state", done ? "done" : "interrupted"),
	};
	enum status status = db_query(db, arena, "audit_end", values, 3, NULL, error);

	arena_free(arena);
	return status;
}

struct db_call audit_add(struct arena *arena, int64_t id, int64_t count)
{
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_INT("audit", id);
	values[1] = (struct db_value)DB_P_INT("count", count);
	return (struct db_call){ .operation = "audit_add", .values = values, .count = 2 };
}

enum status audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
		       struct audit **out, size_t *count, struct error *error)
{
	const struct db_value values[] = {
		DB_P_TIME("since", filter->since),
		DB_P_TEXT("action", filter->action),
		DB_P_INT("before", filter->before > 0 ? filter->before : INT64_MAX),
		DB_P_INT("limit", filter->limit > 0 ? filter->limit : DEFAULT_LIMIT),
	};
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "audit", values, 4, &rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct audit){
			.id = db_int(&rows, i, 0),
			.action = db_text(&rows, i, 1),
			.target = db_text(&rows, i, 2),
			.reason = db_text(&rows, i, 3),
			.who = db_text(&rows, i, 4),
			.host = db_text(&rows, i, 5),
			.count = db_int(&rows, i, 6),
			.state = db_text(&rows, i, 7),
			.at = db_time(&rows, i, 8),
		};
	return STATUS_OK;
}

enum status audit_clear(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	const struct db_value values[] = { DB_P_TIME("before",
						     db_now(db) - AUDIT_KEPT_DAYS * CLOCK_DAY) };
	enum status status = db_query(db, arena, "audit_clear", values, 1, NULL, error);

	arena_free(arena);
	return status;
}
