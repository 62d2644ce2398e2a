/* Verbs and admissions of which the database refuses one job's part. */
#include <jansson.h>
#include <string.h>

#include "db/operations.h"
#include "queue/limits/slots.h"
#include "queue/refused/refused.h"

#define JOBS_MOST    16 /* of a key: the rest is left to healing */
#define MISSING_MOST 100

/* Whether the next one stands first now. The first is the one that is refused where one slot is
 * free; where more are, those before it wait for a pause, too. */
static bool leave_first(const struct slots *slots, const char *key, const struct error *why)
{
	struct db_rows rows = { 0 };
	struct refused refused = { .doing = "admit", .why = why };
	struct error error;

	if (db_query(slots->db, slots->arena, DB_CALL(blocked_first, .key = P_TEXT(key)), &rows,
		     &error) != STATUS_OK ||
	    rows.count == 0)
		return false;
	refused.job = db_int(&rows, 0, BLOCKED_FIRST_JOB_ID);
	if (refused_job(slots->db, &refused, &error) != STATUS_OK)
		return false;
	return refused.gone || db_query(slots->db, slots->arena,
					DB_CALL(blocked_aside, .job_id = P_INT(refused.job),
						.scheduled_at = P_TIME(refused.until),
						.now = P_TIME(db_now(slots->db))),
					NULL, &error) == STATUS_OK;
}

static void admit(struct slots *slots, const char *key)
{
	struct error why = { 0 };
	bool undecided;

	for (int i = 0; i < JOBS_MOST; i++) {
		enum status status = slots_admit_again(slots, &undecided, &why);
		if ((status != STATUS_CONFLICT && status != STATUS_INVALID) ||
		    !leave_first(slots, key, &why))
			return;
	}
}

void slots_admit_apart(const struct slots *slots)
{
	json_t *keys = json_loads(slots->keys, 0, NULL);

	for (size_t i = 0; i < json_array_size(keys); i++) {
		json_t *key = json_array_get(keys, i);
		json_t *alone = json_pack("[O]", key);
		char *text = json_dumps(alone, 0);
		struct slots one = { .db = slots->db,
				     .arena = slots->arena,
				     .keys = text,
				     .key_count = 1,
				     .several = slots->several };
		if (text)
			admit(&one, json_string_value(json_object_get(key, "key")));
		free(text);
		json_decref(alone);
	}
	json_decref(keys);
}

static bool admits(const struct db_call *call)
{
	return strncmp(call->operation, "slots_admit", strlen("slots_admit")) == 0 ||
	       strcmp(call->operation, "slots_conflict") == 0 ||
	       strcmp(call->operation, "slots_cancel") == 0 ||
	       strcmp(call->operation, "batches_leave_cancelled") == 0;
}

/* on_conflict is left out, too: it could not tell who would have found a slot. */
static enum status run_without_admission(struct slots *slots, struct db_calls *calls,
					 struct error *error)
{
	for (size_t i = 0; i < calls->count; i++)
		if (admits(&calls->list[i]))
			calls->list[i] = DB_PLAIN(nothing);
	enum status status = db_run(slots->db, slots->arena, calls->list, calls->count, error);
	if (status == STATUS_OK)
		slots_admit_apart(slots);
	return status;
}

enum status slots_run(struct slots *slots, struct db_calls *calls, struct error *error)
{
	enum status status = db_run(slots->db, slots->arena, calls->list, calls->count, error);

	if (refused_status(status) && slots->key_count > 0)
		return run_without_admission(slots, calls, error);
	if (status == STATUS_OK)
		slots_follow(slots, calls);
	return status;
}

enum status slots_delete_missing(struct db *db, struct error *error)
{
	const struct error why = { .text = "there is no such job" };
	struct arena *arena = arena_new();
	struct db_rows rows = { 0 };
	enum status status = db_query(
		db, arena, DB_CALL(blocked_missing, .limit = P_INT(MISSING_MOST)), &rows, error);

	for (size_t i = 0; i < rows.count && status == STATUS_OK; i++) {
		struct refused refused = { .job = db_int(&rows, i, BLOCKED_MISSING_JOB_ID),
					   .doing = "wait",
					   .why = &why };
		status = refused_job(db, &refused, error);
	}
	arena_free(arena);
	return status;
}
