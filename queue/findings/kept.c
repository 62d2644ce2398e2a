#include "queue/findings/kept.h"

#include "db/operations.h"
#include "queue/findings/leader.h"

enum status kept_read(struct db *db, struct arena *arena, struct kept_list *kept,
		      struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, DB_PLAIN(findings_kept), &rows, error);

	*kept = (struct kept_list){ arena_array(arena, rows.count + 1, sizeof(*kept->list)),
				    rows.count };
	for (size_t i = 0; i < rows.count; i++)
		kept->list[i] = (struct kept){
			.id = db_int(&rows, i, FINDINGS_KEPT_ID),
			.name = db_text(&rows, i, FINDINGS_KEPT_NAME),
			.subject = db_text(&rows, i, FINDINGS_KEPT_SUBJECT),
			.queue = db_text(&rows, i, FINDINGS_KEPT_QUEUE),
			.since = db_time(&rows, i, FINDINGS_KEPT_SINCE),
			.text = db_text(&rows, i, FINDINGS_KEPT_SAID),
			.advice = db_text(&rows, i, FINDINGS_KEPT_ADVICE),
			.dead = db_int(&rows, i, FINDINGS_KEPT_DEAD) != 0,
			.began_at = db_time(&rows, i, FINDINGS_KEPT_BEGAN_AT),
			.away_since = db_time(&rows, i, FINDINGS_KEPT_AWAY_SINCE),
			.ended_at = db_time(&rows, i, FINDINGS_KEPT_ENDED_AT),
			.told = db_int(&rows, i, FINDINGS_KEPT_TOLD) != 0,
		};
	return status;
}

static struct db_value time_or_null(int64_t time)
{
	return time == 0 ? P_NULL : P_TIME(time);
}

static enum status run(struct db *db, struct db_call call, struct error *error)
{
	struct arena *arena = arena_new();
	enum status status = db_query(db, arena, call, NULL, error);

	arena_free(arena);
	return status;
}

enum status kept_begin(struct db *db, int64_t epoch, const struct kept *kept, struct error *error)
{
	const int64_t now = db_now(db);

	return run(db,
		   DB_CALL(finding_begin, .epoch = P_INT(epoch), .ends_at = P_TIME(now + LEAD_SPAN),
			   .name = P_TEXT(kept->name), .subject = P_TEXT(kept->subject),
			   .queue = P_TEXT(kept->queue), .since = time_or_null(kept->since),
			   .said = P_TEXT(kept->text), .advice = P_TEXT(kept->advice),
			   .dead = P_BOOL(kept->dead), .now = P_TIME(now)),
		   error);
}

enum status kept_mark(struct db *db, int64_t epoch, const struct kept *kept, struct error *error)
{
	return run(db,
		   DB_CALL(finding_mark, .epoch = P_INT(epoch),
			   .ends_at = P_TIME(db_now(db) + LEAD_SPAN), .id = P_INT(kept->id),
			   .away_since = time_or_null(kept->away_since),
			   .ended_at = time_or_null(kept->ended_at), .told = P_BOOL(kept->told)),
		   error);
}

enum status kept_forget(struct db *db, int64_t epoch, const struct kept *kept, struct error *error)
{
	return run(db,
		   DB_CALL(finding_forget, .epoch = P_INT(epoch),
			   .ends_at = P_TIME(db_now(db) + LEAD_SPAN), .id = P_INT(kept->id)),
		   error);
}
