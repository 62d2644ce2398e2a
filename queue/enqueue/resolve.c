#include <string.h>

#include "common/clock.h"
#include "common/text/text.h"
#include "common/text/uuid.h"
#include "db/operations.h"
#include "queue/enqueue/enqueue.h"

#define PAUSE_FIRST (5 * CLOCK_MILLISECOND)
#define PAUSE_LIMIT (500 * CLOCK_MILLISECOND)

/* One search for the jobs of an enqueue. */
struct search {
	struct db *db;
	struct arena *arena;
	struct enqueued *jobs;
	size_t count;
	const char *json;
	int64_t horizon; /* transactions in progress at the first look are up to it; 0 = none */
	bool looked;
};

static const char *ids_json(struct arena *arena, const struct enqueued jobs[], size_t count)
{
	struct text json = { 0 };

	for (size_t i = 0; i < count; i++) {
		text_add(&json, i == 0 ? "[{\"active_job_id\":" : ",{\"active_job_id\":");
		text_json(&json, jobs[i].active_job_id);
		text_add(&json, "}");
	}
	text_add(&json, "]");
	const char *copy = arena_strndup(arena, json.data, json.length);
	text_free(&json);
	return copy;
}

/*
 * Rows are in the order of the jobs; a job that no longer exists (deleted when it finished) is
 * skipped.
 */
static bool take_ids(const struct search *search, const struct db_rows *rows)
{
	size_t row = 0;

	if (rows->count == 0 || db_is_null(rows, 0, FOUND_JOB_ID))
		return false;
	for (size_t i = 0; i < search->count && row < rows->count; i++)
		if (strcmp(db_text(rows, row, FOUND_ACTIVE_JOB_ID),
			   search->jobs[i].active_job_id) == 0)
			search->jobs[i].id = db_int(rows, row++, FOUND_JOB_ID);
	return true;
}

/*
 * NONE only when the lost connection's session is over and no transaction from before the first
 * look remains that could still bring the jobs; on PostgreSQL a commit that waits (for a replica,
 * say) is invisible, where the other databases make us wait.
 */
static enum status look(struct search *search, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_settled(search->db, error);

	if (status == STATUS_OK)
		status = db_query(search->db, search->arena,
				  DB_CALL(found, .jobs = P_TEXT(search->json),
					  .now = P_TIME(search->jobs[0].created_at)),
				  &rows, error);
	if (status != STATUS_OK)
		return status;
	if (take_ids(search, &rows))
		return STATUS_OK;
	if (!search->looked)
		search->horizon = rows.count > 0 ? db_int(&rows, 0, FOUND_NEXT) : 0;
	search->looked = true;
	if (search->horizon == 0 || db_int(&rows, 0, FOUND_OLDEST) >= search->horizon)
		return STATUS_NONE;
	return error_set(error, STATUS_UNCERTAIN, "an older transaction is still under way");
}

static bool may_change(enum status status)
{
	return status == STATUS_UNCERTAIN || status == STATUS_DOWN || status == STATUS_RETRY;
}

static enum status look_until(struct search *search, int64_t deadline, struct error *error)
{
	int64_t pause = PAUSE_FIRST;
	enum status status = look(search, error);

	while (may_change(status) && clock_monotonic() < deadline) {
		clock_sleep(pause + (int64_t)random_below((uint64_t)pause));
		pause = pause < PAUSE_LIMIT ? 2 * pause : PAUSE_LIMIT;
		arena_clear(search->arena);
		search->json = ids_json(search->arena, search->jobs, search->count);
		status = look(search, error);
	}
	return status;
}

enum status enqueue_resolve(struct db *db, struct enqueued jobs[], size_t count,
			    struct error *error)
{
	struct search search = { .db = db, .arena = arena_new(), .jobs = jobs, .count = count };
	struct error why = { 0 };
	int64_t deadline = clock_monotonic() + db_retry_for(db);

	search.json = ids_json(search.arena, jobs, count);
	enum status status = count > 0 ? look_until(&search, deadline, &why) : STATUS_OK;
	arena_free(search.arena);
	if (status == STATUS_OK)
		return status;
	if (status == STATUS_NONE)
		return error_set(error, status, "nothing was enqueued");
	return error_set(error, STATUS_UNCERTAIN, "it is unknown whether anything was enqueued: %s",
			 why.text);
}
