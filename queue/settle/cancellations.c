#include "queue/settle/cancellations.h"

#include <string.h>

#include "common/log/log.h"
#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"
#include "queue/refused/refused.h"
#include "queue/settle/settle.h"

#define LONG_ERROR 65535

void cancel_by(char by[CANCEL_BY])
{
	char who[USERNAME_SIZE];
	char host[HOSTNAME_SIZE];

	process_user(who);
	process_hostname(host);
	(void)snprintf(by, CANCEL_BY, "%s@%s", who, host);
}

const char *cancel_text(struct arena *arena, const char *by, const char *reason)
{
	return arena_printf(arena, "cancelled by %s%s%s", by, reason ? ": " : "",
			    reason ? reason : "");
}

/* In ASCII: the column's character set may not have all that a reason has. */
const char *cancel_error(struct arena *arena, const char *by, const char *reason)
{
	const char *error = payload_error(arena, CANCEL_ERROR, cancel_text(arena, by, reason), NULL,
					  LONG_ERROR);

	return payload_error_ascii(arena, error, LONG_ERROR);
}

enum status cancellations_read(struct db *db, struct arena *arena, int64_t process_id,
			       struct cancellation **list, size_t *count, struct error *error)
{
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(cancellations, .process_id = P_INT(process_id)), &rows, error);

	*count = status == STATUS_OK ? rows.count : 0;
	*list = arena_array(arena, *count + 1, sizeof(**list));
	for (size_t i = 0; i < *count; i++)
		(*list)[i] = (struct cancellation){
			.claim = db_int(&rows, i, CANCELLATIONS_CLAIM_ID),
			.job = db_int(&rows, i, CANCELLATIONS_JOB_ID),
			.text = cancel_text(arena, db_text(&rows, i, CANCELLATIONS_REQUESTED_BY),
					    db_text(&rows, i, CANCELLATIONS_REASON)),
			.held = !db_is_null(&rows, i, CANCELLATIONS_HELD),
		};
	return status;
}

enum status cancellations_forget(struct db *db, struct arena *arena,
				 const struct cancellation list[], size_t count,
				 struct error *error)
{
	int64_t *jobs = arena_array(arena, count + 1, sizeof(*jobs));
	int64_t *claims = arena_array(arena, count + 1, sizeof(*claims));
	size_t gone = 0;

	for (size_t i = 0; i < count; i++) {
		if (list[i].held)
			continue;
		jobs[gone] = list[i].job;
		claims[gone++] = list[i].claim;
	}
	return gone == 0 ? STATUS_OK
			 : db_query(db, arena,
				    DB_CALL(cancellations_forget, .jobs = P_IDS(jobs, gone),
					    .claims = P_IDS(claims, gone)),
				    NULL, error);
}

void cancellation_log(int64_t job, const char *message)
{
	log_event(LOG_INFO, "job.cancelled", LOG_INT("job", job), LOG_TEXT("message", message));
}

/* Those of the rows of cancel_told. */
static void log_told(const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		cancellation_log(db_int(rows, i, CANCEL_TOLD_CLAIM_NAME + CLAIM_NAME_JOB_ID),
				 db_text(rows, i, CANCEL_TOLD_MESSAGE));
}

size_t cancel_told(struct db_calls *calls, const struct db_list *claims, int64_t now)
{
	return db_calls_add(calls,
			    DB_CALL(cancel_told, .claims = P_ROWS(claims), .now = P_TIME(now)));
}

/* The calls that come before and after those of a verb. */
struct around {
	struct slots slots;
	int64_t *jobs;
	size_t count;
	bool batches;
};

static enum status find_around(struct around *around, struct error *error)
{
	enum status status = slots_find(&around->slots, around->jobs, around->count, error);

	return status == STATUS_OK ? batches_look(around->slots.db, &around->batches, error)
				   : status;
}

/*
 * Mostly nobody was cancelled: then neither slots nor batches are concerned, and no locks of theirs
 * are waited for.
 */
static enum status look_around(struct around *around, bool *noted, struct error *error)
{
	struct db_rows rows = { 0 };

	*noted = false;
	if (around->count == 0)
		return STATUS_OK;
	enum status status =
		db_query(around->slots.db, around->slots.arena,
			 DB_CALL(cancellations_of, .jobs = P_IDS(around->jobs, around->count)),
			 &rows, error);
	*noted = status == STATUS_OK && rows.count > 0;
	return *noted ? find_around(around, error) : status;
}

/* claims NULL: nobody needs to be told. Else *told are the rows of cancel_told. */
static enum status run_around(struct around *around, const struct db_list *claims,
			      struct db_calls *verbs, struct db_rows *told, struct error *error)
{
	struct db_calls all = { .arena = around->slots.arena };
	size_t teller = 0;

	slots_before(&around->slots, &all);
	if (claims)
		teller = cancel_told(&all, claims, db_now(around->slots.db));
	const size_t own = all.count;
	for (size_t i = 0; i < verbs->count; i++)
		db_calls_add(&all, verbs->list[i]);
	if (around->batches)
		batches_leave(&all, around->jobs, around->count);
	slots_after(&around->slots, &all);
	enum status status = slots_run(&around->slots, &all, error);
	if (claims)
		*told = all.list[teller].rows;
	for (size_t i = 0; i < verbs->count; i++)
		verbs->list[i] = all.list[own + i];
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status cancel_told_first(struct db *db, struct arena *arena, const struct claim_name claims[],
			      size_t count, struct db_calls *verbs, struct error *error)
{
	struct around around = { .slots = { .db = db, .arena = arena, .ungated = true },
				 .jobs = arena_array(arena, count + 1, sizeof(*around.jobs)),
				 .count = count };
	struct db_calls none = { .arena = arena };
	struct db_rows told = { 0 };
	bool noted;

	for (size_t i = 0; i < count; i++)
		around.jobs[i] = claims[i].job_id;
	enum status status = look_around(&around, &noted, error);
	if (status != STATUS_OK)
		return status;
	status = run_around(&around, count > 0 ? claim_list(arena, claims, count) : NULL, verbs,
			    &told, error);
	if (status == STATUS_OK)
		log_told(&told);
	if (status != STATUS_OK || noted || told.count == 0)
		return status;
	/* Somebody cancelled since that look. */
	status = find_around(&around, error);
	return status == STATUS_OK ? run_around(&around, NULL, &none, NULL, error) : status;
}

/* Claims that go back to ready. */

/* Claims that go back to ready, one by one if the database refuses one of them. */
struct giving_back {
	struct db *db;
	struct arena *arena;
	const struct claim_name *claims;
	int64_t released;
};

static enum status give_back(void *data, size_t first, size_t count, struct error *error)
{
	struct giving_back *giving = data;
	const struct claim_name *claims = giving->claims + first;
	struct db_calls calls = { .arena = giving->arena };

	db_calls_add(&calls,
		     DB_CALL(release, .claims = P_ROWS(claim_list(giving->arena, claims, count)),
			     .now = P_TIME(db_now(giving->db))));
	struct missing missing;
	enum status status =
		missing_find(giving->db, giving->arena, claims, count, &missing, error);

	if (status == STATUS_OK)
		status = cancel_told_first(giving->db, giving->arena, claims, count, &calls, error);
	if (status != STATUS_OK)
		return status;
	missing_log(&missing, "release");
	giving->released += (int64_t)calls.list[0].rows.count - (int64_t)missing.count;
	return STATUS_OK;
}

static enum status leave_as_it_is(void *data, size_t at, const struct error *why,
				  struct error *error)
{
	const struct giving_back *giving = data;
	struct refused refused = { .job = giving->claims[at].job_id,
				   .doing = "release",
				   .why = why };

	return refused_job(giving->db, &refused, error);
}

enum status claims_give_back(struct db *db, const struct claim_name claims[], size_t count,
			     int64_t *released, struct error *error)
{
	struct giving_back giving = { .db = db, .arena = arena_new(), .claims = claims };
	struct refused_work work = {
		.data = &giving, .db = db, .run = give_back, .alone = leave_as_it_is
	};
	enum status status = refused_by_halves(&work, count, error);

	*released = giving.released;
	arena_free(giving.arena);
	return status;
}
