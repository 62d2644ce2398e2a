/* What people do to one job, given by its number, and to all of a filter. */
#include "queue/manage/action.h"

#include <inttypes.h>
#include <string.h>

#include "common/text/parse.h"
#include "queue/settle/cancellations.h"

/* Acts on one job, given by its number. */
static enum status do_one(struct db *db, struct action action, int64_t id, struct error *error)
{
	struct arena *arena = arena_new();

	action.db = db;
	action.arena = arena;
	enum status status = action_ids(&action, &id, 1, error);

	if (status == STATUS_OK && action.refused_count > 0)
		status = error_set(error, action.refused[0].missing ? STATUS_NONE : STATUS_INVALID,
				   "job %" PRId64 ": %s", id, action.refused[0].reason);
	arena_free(arena);
	return status;
}

enum status job_retry(struct db *db, int64_t id, struct error *error)
{
	return do_one(db, (struct action){ .kind = ACTION_RETRY }, id, error);
}

enum status job_discard(struct db *db, int64_t id, struct error *error)
{
	return do_one(db, (struct action){ .kind = ACTION_DISCARD }, id, error);
}

enum status job_cancel(struct db *db, int64_t id, const char *reason, struct error *error)
{
	size_t fault;

	if (reason && strlen(reason) > CANCEL_REASON)
		return error_set(error, STATUS_INVALID, "the reason is longer than %d bytes",
				 CANCEL_REASON);
	if (reason && !utf8_valid(reason, strlen(reason), &fault))
		return error_set(error, STATUS_INVALID, "the reason is not UTF-8");
	return do_one(db, (struct action){ .kind = ACTION_CANCEL, .reason = reason }, id, error);
}

static enum status do_all(struct db *db, enum action_kind kind, struct job_filter filter,
			  int64_t *count, struct error *error)
{
	struct arena *arena = arena_new();
	struct action action = { .db = db, .arena = arena, .kind = kind };
	enum status status;

	*count = 0;
	do {
		arena_clear(arena);
		status = action_next(&action, &filter, error);
		*count += action.done;
	} while (status == STATUS_OK);
	arena_free(arena);
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status job_retry_all(struct db *db, const struct job_filter *filter, int64_t *count,
			  struct error *error)
{
	struct job_filter failed = *filter;

	failed.has_state = true;
	failed.state = JOB_FAILED;
	return do_all(db, ACTION_RETRY, failed, count, error);
}

enum status job_discard_all(struct db *db, const struct job_filter *filter, int64_t *count,
			    struct error *error)
{
	if (!filter->has_state || !action_takes(ACTION_DISCARD, filter->state))
		return error_set(error, STATUS_INVALID,
				 "only ready, scheduled, blocked or failed jobs can be discarded");
	return do_all(db, ACTION_DISCARD, *filter, count, error);
}
