#include "queue/refused/refused.h"

#include <inttypes.h>

#include "common/log/log.h"
#include "db/operations.h"

#define SHORTEST CLOCK_MINUTE
#define LONGEST  CLOCK_HOUR
#define PATIENCE CLOCK_SECOND /* of db_run; each of its attempts may wait for a lock */
#define TOGETHER CLOCK_MINUTE /* a role has other work to do */

bool refused_status(enum status status)
{
	return status == STATUS_INVALID || status == STATUS_CONFLICT || status == STATUS_FATAL;
}

static bool may_pass(enum status status)
{
	return status == STATUS_RETRY || status == STATUS_DOWN;
}

bool refused_row(enum status status, const struct error *error)
{
	return refused_status(status) || (may_pass(status) && error->answered);
}

int64_t refused_hurry(struct db *db)
{
	const int64_t before = db_retry_for(db);

	return db_set_retry_for(db, before < PATIENCE ? before : PATIENCE);
}

int64_t refused_until(int64_t since, int64_t now)
{
	int64_t pause = now - since;

	pause = pause < SHORTEST ? SHORTEST : pause;
	return now + (pause < LONGEST ? pause : LONGEST);
}

static void log_missing(int64_t job, const char *doing)
{
	log_event(LOG_WARN, "job.missing", LOG_INT("job", job), LOG_TEXT("during", doing),
		  LOG_TEXT("reason", "there is no such job, or it is finished: what was "
				     "left of it has been deleted"));
}

enum status missing_find(struct db *db, struct arena *arena, const struct claim_name claims[],
			 size_t count, struct missing *missing, struct error *error)
{
	int64_t *jobs = arena_array(arena, count + 1, sizeof(*jobs));
	struct db_rows rows = { 0 };
	enum status status = STATUS_OK;

	for (size_t i = 0; i < count; i++)
		jobs[i] = claims[i].job_id;
	if (count > 0)
		status = db_query(db, arena, DB_CALL(claims_missing, .jobs = P_IDS(jobs, count)),
				  &rows, error);
	missing->jobs = arena_array(arena, rows.count + 1, sizeof(*missing->jobs));
	missing->count = status == STATUS_OK ? rows.count : 0;
	for (size_t i = 0; i < missing->count; i++)
		missing->jobs[i] = db_int(&rows, i, CLAIMS_MISSING_JOB_ID);
	return status;
}

void missing_log(const struct missing *missing, const char *doing)
{
	for (size_t i = 0; i < missing->count; i++)
		log_missing(missing->jobs[i], doing);
}

static enum status delete_rows(struct db *db, struct arena *arena, const struct refused *refused,
			       struct error *error)
{
	enum status status = db_query(
		db, arena, DB_CALL(mend_strays, .jobs = P_IDS(&refused->job, 1)), NULL, error);

	if (status == STATUS_OK)
		log_missing(refused->job, refused->doing);
	return status == STATUS_NONE ? STATUS_OK : status;
}

/* `since`: when it was refused first; 0 = only now. */
static enum status set_aside(struct db *db, const char *name, struct refused *refused,
			     int64_t since, struct error *error)
{
	struct arena *arena = arena_new();
	const int64_t now = db_now(db);
	const int64_t first = since > 0 ? since : now;

	refused->until = refused_until(first, now);
	enum status status =
		db_query(db, arena,
			 DB_CALL(refuse, .name = P_TEXT(name), .reason = P_TEXT(refused->why->text),
				 .since = P_TIME(first), .ends_at = P_TIME(refused->until)),
			 NULL, error);
	if (status == STATUS_OK && since == 0)
		log_event(LOG_ERROR, "job.refused", LOG_INT("job", refused->job),
			  LOG_TEXT("during", refused->doing),
			  LOG_TEXT("error", refused->why->text));
	arena_free(arena);
	return status;
}

enum status refused_job(struct db *db, struct refused *refused, struct error *error)
{
	struct arena *arena = arena_new();
	const char *name = arena_printf(arena, "%" PRId64, refused->job);
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(refused, .job_id = P_INT(refused->job), .name = P_TEXT(name)),
		&rows, error);

	const bool is_there =
		status == STATUS_OK &&
		db_int(&rows, 0, refused->finished ? REFUSED_FINISHED : REFUSED_EXISTS) != 0;
	refused->gone = status == STATUS_OK && !is_there;
	if (status == STATUS_OK && !(refused->gone && refused->finished))
		status = refused->gone ? delete_rows(db, arena, refused, error)
				       : set_aside(db, name, refused,
						   db_time(&rows, 0, REFUSED_SINCE), error);
	arena_free(arena);
	return status;
}

void refused_no_more(struct db *db, int64_t job_id)
{
	struct arena *arena = arena_new();
	struct error error;

	(void)!db_query(
		db, arena,
		DB_CALL(refused_end, .name = P_TEXT(arena_printf(arena, "%" PRId64, job_id))), NULL,
		&error);
	arena_free(arena);
}

enum status refused_sweep(struct db *db, struct error *error)
{
	struct arena *arena = arena_new();
	const int64_t now = db_now(db);
	enum status status = db_query(db, arena,
				      DB_CALL(refused_over, .now = P_TIME(now),
					      .forget_before = P_TIME(now - REFUSED_MEMORY)),
				      NULL, error);

	arena_free(arena);
	return status;
}

enum status refused_one(struct refused_work *work, size_t at, const struct error *why,
			struct error *error)
{
	const int64_t now = clock_monotonic();
	const bool passes = may_pass(why->status);

	if (passes && work->until == 0)
		work->until = now + TOGETHER;
	if (passes ? work->done > 0 && now < work->until
		   : why->status != STATUS_FATAL || work->done > 0) {
		work->refused++;
		return work->alone(work->data, at, why, error);
	}
	work->why = *why;
	if (work->done == 0 &&
	    work->suspect_count < (passes ? REFUSED_WAITING : REFUSED_SUSPECTS)) {
		work->suspects[work->suspect_count++] = at;
		return STATUS_OK;
	}
	*error = *why;
	return why->status;
}

enum status refused_conclude(struct refused_work *work, struct error *error)
{
	const size_t count = work->suspect_count;
	enum status status = STATUS_OK;

	work->suspect_count = 0;
	if (count > 0 && work->done == 0 && (work->strict || !may_pass(work->why.status))) {
		*error = work->why;
		return work->why.status;
	}
	for (size_t i = 0; i < count && status == STATUS_OK; i++) {
		work->refused++;
		status = work->alone(work->data, work->suspects[i], &work->why, error);
	}
	return status;
}

static enum status by_halves(struct refused_work *work, size_t count, struct error *error)
{
	size_t size = count;

	for (size_t first = 0; first < count;) {
		struct error why = { 0 };
		size = size < count - first ? size : count - first;
		enum status status = work->run(work->data, first, size, &why);
		if (status == STATUS_OK || status == STATUS_NONE) {
			work->done++;
			first += size;
			size *= 2;
			continue;
		}
		if (!refused_row(status, &why)) {
			*error = why;
			return status;
		}
		if (may_pass(status) && work->db)
			(void)refused_hurry(work->db);
		if (size > 1) {
			size /= 2;
			continue;
		}
		status = refused_one(work, first++, &why, error);
		if (status != STATUS_OK)
			return status;
	}
	return refused_conclude(work, error);
}

enum status refused_by_halves(struct refused_work *work, size_t count, struct error *error)
{
	const int64_t patience = work->db ? db_retry_for(work->db) : 0;
	enum status status = by_halves(work, count, error);

	if (work->db)
		(void)db_set_retry_for(work->db, patience);
	return status;
}
