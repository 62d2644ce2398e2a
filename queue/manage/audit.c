#include "queue/manage/audit.h"

#include "common/clock.h"
#include "db/operations.h"

#define DEFAULT_LIMIT 50

enum status audit_begin(struct db *db, struct audit *audit, struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status =
		db_query(db, arena,
			 DB_CALL(audit_begin, .action = P_TEXT(audit->action),
				 .target = P_TEXT(audit->target), .reason = P_TEXT(audit->reason),
				 .who = P_TEXT(audit->who), .host = P_TEXT(audit->host),
				 .now = P_TIME(db_now(db))),
			 &rows, error);

	if (status == STATUS_OK)
		audit->id = db_int(&rows, 0, AUDIT_BEGIN_AUDIT_ID);
	arena_free(arena);
	return status;
}

enum status audit_end(struct db *db, int64_t id, int64_t count, bool done, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = db_query(db, arena,
				      DB_CALL(audit_end, .id = P_INT(id),
					      .count = count < 0 ? P_NULL : P_INT(count),
					      .state = P_TEXT(done ? "done" : "interrupted")),
				      NULL, error);

	arena_free(arena);
	return status;
}

void audit_add(struct db_calls *calls, int64_t id, int64_t count)
{
	db_calls_add(calls, DB_CALL(audit_add, .audit = P_INT(id), .count = P_INT(count)));
}

enum status audit_list(struct db *db, struct arena *arena, const struct audit_filter *filter,
		       struct audit **out, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena,
		DB_CALL(audit, .since = P_TIME(filter->since), .action = P_TEXT(filter->action),
			.before = P_INT(filter->before > 0 ? filter->before : INT64_MAX),
			.limit = P_INT(filter->limit > 0 ? filter->limit : DEFAULT_LIMIT)),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	*out = arena_array(arena, rows.count + 1, sizeof(**out));
	*count = rows.count;
	for (size_t i = 0; i < rows.count; i++)
		(*out)[i] = (struct audit){
			.id = db_int(&rows, i, AUDIT_ID),
			.action = db_text(&rows, i, AUDIT_ACTION),
			.target = db_text(&rows, i, AUDIT_TARGET),
			.reason = db_text(&rows, i, AUDIT_REASON),
			.who = db_text(&rows, i, AUDIT_WHO),
			.host = db_text(&rows, i, AUDIT_HOST),
			.count = db_int(&rows, i, AUDIT_COUNT),
			.state = db_text(&rows, i, AUDIT_STATE),
			.at = db_time(&rows, i, AUDIT_CREATED_AT),
		};
	return STATUS_OK;
}

enum status audit_clear(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = db_query(
		db, arena,
		DB_CALL(audit_clear, .before = P_TIME(db_now(db) - AUDIT_KEPT_DAYS * CLOCK_DAY)),
		NULL, error);

	arena_free(arena);
	return status;
}
