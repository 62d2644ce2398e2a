#include "queue/findings/leader.h"

#include "db/operations.h"

/* No lead ends later than this, unless the clock has been set back since it was taken. */
static int64_t latest(int64_t now)
{
	return now + 2 * LEAD_SPAN;
}

enum status leader_read(struct db *db, struct arena *arena, struct leader *leader,
			struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(leader), &rows, error);

	*leader = (struct leader){ .name = "", .over = true };
	if (status != STATUS_OK || rows.count == 0)
		return status;
	const int64_t ends_at = db_time(&rows, 0, LEADER_ENDS_AT);
	const int64_t now = db_now(db);
	*leader = (struct leader){ db_text(&rows, 0, LEADER_NAME), db_int(&rows, 0, LEADER_EPOCH),
				   ends_at <= now || ends_at > latest(now) };
	return STATUS_OK;
}

/* CONFLICT: others have made the first row. */
enum status leader_take(struct db *db, const char *name, const struct leader *after, int64_t *epoch,
			struct error *error)
{
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	const int64_t now = db_now(db);
	enum status status =
		db_query(db, arena,
			 DB_CALL(leader_take, .name = P_TEXT(name), .epoch = P_INT(after->epoch),
				 .ends_at = P_TIME(now + LEAD_SPAN), .now = P_TIME(now),
				 .latest = P_TIME(latest(now))),
			 &rows, error);

	if (status == STATUS_CONFLICT || (status == STATUS_OK && rows.count == 0))
		status = STATUS_NONE;
	*epoch = status == STATUS_OK ? db_int(&rows, 0, LEADER_TAKE_EPOCH) : 0;
	arena_free(arena);
	return status;
}

static enum status lead_until(struct db *db, int64_t epoch, int64_t ends_at, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = db_query(
		db, arena, DB_CALL(leader_renew, .epoch = P_INT(epoch), .ends_at = P_TIME(ends_at)),
		NULL, error);

	arena_free(arena);
	return status;
}

enum status leader_renew(struct db *db, int64_t epoch, struct error *error)
{
	return lead_until(db, epoch, db_now(db) + LEAD_SPAN, error);
}

/* A little before now: what others take for now may be a little behind. */
enum status leader_give_up(struct db *db, int64_t epoch, struct error *error)
{
	return lead_until(db, epoch, db_now(db) - CLOCK_SECOND, error);
}
