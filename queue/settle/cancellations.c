#include "queue/settle/cancellations.h"

#include <string.h>

#include "common/log/log.h"
#include "queue/limits/slots.h"
#include "queue/payload/cause.h"
#include "queue/payload/payload.h"
#include "queue/settle/batches.h"

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
	const struct db_value values[] = { DB_P_INT("process_id", process_id) };
	struct db_rows rows = { 0 };
	enum status status = db_query(db, arena, "cancellations", values, 1, &rows, error);

	*count = status == STATUS_OK ? rows.count : 0;
	*list = arena_array(arena, *count + 1, sizeof(**list));
	for (size_t i = 0; i < *count; i++)
		(*list)[i] = (struct cancellation){
			.claim = db_int(&rows, i, 0),
			.job = db_int(&rows, i, 1),
			.text = cancel_text(arena, db_text(&rows, i, 2), db_text(&rows, i, 3)),
			.held = !db_is_null(&rows, i, 4),
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
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, gone),
					   DB_P_IDS("claims", claims, gone) };
	return gone == 0 ? STATUS_OK
			 : db_query(db, arena, "cancellations_forget", values, 2, NULL, error);
}

static void log_cancelled(int64_t job, const char *message)
{
	log_event(LOG_INFO, "job.cancelled", LOG_INT("job", job), LOG_TEXT("message", message));
}

void cancellations_log(struct db *db, struct arena *arena, const int64_t jobs[], size_t count,
		       int64_t now)
{
	const struct db_value values[] = { DB_P_IDS("jobs", jobs, count), DB_P_TIME("now", now) };
	struct db_rows rows = { 0 };
	struct error error;

	if (count == 0 ||
	    db_query(db, arena, "cancelled_at", values, 2, &rows, &error) != STATUS_OK)
		return;
	for (size_t i = 0; i < rows.count; i++)
		log_cancelled(db_int(&rows, i, 0), cause_of(arena, db_text(&rows, i, 1)).message);
}

/* Those of the rows of cancel_told. */
static void log_told(const struct db_rows *rows)
{
	for (size_t i = 0; i < rows->count; i++)
		log_cancelled(db_int(rows, i, 1), db_text(rows, i, 4));
}

struct db_call cancel_told(struct arena *arena, const char *claims, int64_t now)
{
	struct db_value *values = arena_array(arena, 2, sizeof(*values));

	values[0] = (struct db_value)DB_P_TEXT("claims", claims);
	values[1] = (struct db_value)DB_P_TIME("now", now);
	return (struct db_call){ .operation = "cancel_told", .values = values, .count = 2 };
}

/* The calls that come before and after those of a verb. */
struct around {
	struct slots slots;
	struct slots_calls calls;
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
	const struct db_value values[] = { DB_P_IDS("jobs", around->jobs, around->count) };
	struct db_rows rows = { 0 };

	*noted = false;
	if (around->count == 0)
		return STATUS_OK;
	enum status status = db_query(around->slots.db, around->slots.arena, "cancellations_of",
				      values, 1, &rows, error);
	*noted = status == STATUS_OK && rows.count > 0;
	return *noted ? find_around(around, error) : status;
}

/* `told` is cancel_told; NULL = there is none. */
static enum status run_around(struct around *around, struct db_call *told,
			      const struct slots_calls *verbs, struct error *error)
{
	struct arena *arena = around->slots.arena;
	struct slots_calls *all = &around->calls;

	all->list = arena_array(arena, SLOTS_CALLS + verbs->count + 2, sizeof(*all->list));
	all->count = 0;
	slots_before(&around->slots, all);
	const size_t first = all->count;
	if (told)
		all->list[all->count++] = *told;
	struct db_call *own = &all->list[all->count];
	memcpy(own, verbs->list, verbs->count * sizeof(*own));
	all->count += verbs->count;
	if (around->batches)
		all->list[all->count++] = batches_leave(arena, around->jobs, around->count);
	slots_after(&around->slots, all);
	enum status status = slots_run(&around->slots, all, error);
	if (told)
		*told = all->list[first];
	memcpy(verbs->list, own, verbs->count * sizeof(*own));
	return status == STATUS_NONE ? STATUS_OK : status;
}

enum status cancel_told_first(struct db *db, struct arena *arena, const struct claim_name claims[],
			      size_t count, const struct slots_calls *verbs, struct error *error)
{
	struct around around = { .slots = { .db = db, .arena = arena, .ungated = true },
				 .jobs = arena_array(arena, count + 1, sizeof(*around.jobs)),
				 .count = count };
	bool noted;

	for (size_t i = 0; i < count; i++)
		around.jobs[i] = claims[i].job_id;
	enum status status = look_around(&around, &noted, error);
	if (status != STATUS_OK)
		return status;
	if (count == 0)
		return run_around(&around, NULL, verbs, error);
	struct db_call told =
		cancel_told(arena, claim_names_json(arena, claims, count), db_now(db));
	status = run_around(&around, &told, verbs, error);
	if (status == STATUS_OK)
		log_told(&told.rows);
	if (status != STATUS_OK || noted || told.rows.count == 0)
		return status;
	/* Somebody cancelled since that look. */
	status = find_around(&around, error);
	return status == STATUS_OK
		       ? run_around(&around, NULL, &(struct slots_calls){ verbs->list, 0 }, error)
		       : status;
}
