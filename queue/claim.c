#include "queue/claim.h"

#include <limits.h>
#include <string.h>

#include "common/clock.h"
#include "queue/candidates.h"
#include "queue/claim_parts.h"
#include "queue/known.h"

/*
 * Two ways to claim. When a worker takes every queue and every class is welcome, or when it takes
 * one queue, a single script does it. Otherwise the queues that have something are asked for first
 * (one cheap statement, the only one of an idle poll), and then claimed from one by one.
 *
 * While something is paused, a worker of every queue takes what is not among the jobs that stand
 * first. Only so many are looked at: over a backlog that is paused the question hops, and for a
 * moment it is remembered where that ends.
 */

#define DEPTH      20           /* as many paused jobs cost less than the question */
#define DEEP_TIME  CLOCK_SECOND /* that a backlog is not walked into again */
/* That its end is remembered: what is more urgent waits no longer than for an idle worker's poll.
 */
#define FRONT_TIME (100 * CLOCK_MILLISECOND)

static bool is_one_queue(const struct selector *selector)
{
	return !selector->all && selector->count == 1 && !selector->entries[0].prefix;
}

/* Can what stands first in all queues be had at once? */
static bool takes_front(const struct claim_request *request)
{
	return request->selector->all && !request->only_classes;
}

static bool is_direct(const struct claim_request *request)
{
	return is_one_queue(request->selector) || takes_front(request);
}

static void prepare_claim(struct claiming *claiming, const char *operation)
{
	const struct claim_request *request = claiming->request;
	struct db_value *values = claiming->values;

	values[0] = (struct db_value)DB_P_INT("process_id", request->process_id);
	values[1] = (struct db_value)DB_P_INT("limit", request->limit - claiming->count);
	values[2] = (struct db_value)DB_P_TIME("now", db_now(claiming->db));
	claiming->call = (struct db_call){ .operation = operation, .values = values, .count = 3 };
}

void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;
	const bool leaves = claim_leaves_classes(request);
	struct db_value *values = claiming->values;

	prepare_claim(claiming, leaves ? "claim_known" : "claim_queue");
	values[3] = (struct db_value)DB_P_TEXT("queue", queue);
	values[4] = (struct db_value)DB_P_INT("priority", priority);
	claiming->call.count = 5;
	if (!leaves)
		return;
	const struct claim_place place = known_place(request, queue);
	const char *classes = known_classes(claiming->arena, request);
	values[5] = (struct db_value)DB_P_TEXT("classes", classes);
	values[6] = (struct db_value)DB_P_INT("from_priority", place.priority);
	values[7] = (struct db_value)DB_P_INT("from_job", place.job_id);
	claiming->call.count = 8;
}

/* From all queues, what is not paused from a place on. */
static void prepare_unpaused(struct claiming *claiming, int64_t priority, int64_t job_id)
{
	struct db_value *values = claiming->values;

	prepare_claim(claiming, "claim_unpaused");
	values[3] = (struct db_value)DB_P_INT("from_priority", priority);
	values[4] = (struct db_value)DB_P_INT("from_job", job_id);
	values[5] = (struct db_value)DB_P_INT("depth", DEPTH);
	values[6] = (struct db_value)DB_P_INT("window", DEPTH + values[1].number);
	claiming->call.count = 7;
}

static enum status look(struct claiming *claiming, const char *queue, bool *anything,
			struct error *error)
{
	const struct db_value values[] = { DB_P_INT("process_id", claiming->request->process_id),
					   DB_P_TEXT("queue", queue) };
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena, queue ? "waiting_in" : "waiting", values,
			 queue ? 2 : 1, &rows, error);

	*anything = status == STATUS_OK && db_int(&rows, 0, 0) != 0;
	if (*anything && queue && db_int(&rows, 0, 1) != 0)
		claiming->request->paused = CLAIM_CLASSES_PAUSED;
	return status;
}

/* Of one queue, or of all when none is named. */
static enum status look_directly(struct claiming *claiming, const char *queue, bool idle,
				 bool *anything, struct error *error)
{
	struct claim_request *request = claiming->request;
	enum status status = STATUS_OK;

	if (idle && !(queue && claim_leaves_classes(request)))
		status = look(claiming, queue, anything, error);
	if (status != STATUS_OK || !*anything || !queue || !claim_leaves_classes(request))
		return status;
	if (idle || known_place(request, queue).until == 0)
		status = known_look(claiming, queue, anything, error);
	return status;
}

static bool knows_front(const struct claim_request *request)
{
	return clock_monotonic() < request->front.until;
}

enum status claim_look(struct claiming *claiming, bool idle, bool *anything, struct error *error)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;
	const char *queue = is_one_queue(selector) ? selector->entries[0].name : NULL;

	*anything = true;
	claiming->asks =
		!queue && request->paused != CLAIM_NOTHING_PAUSED &&
		(idle || (clock_monotonic() < request->deep_until && !knows_front(request)));
	if (!is_direct(request) || claiming->asks)
		return STATUS_OK;
	return look_directly(claiming, queue, idle, anything, error);
}

static void prepare_front(struct claiming *claiming)
{
	const struct claim_place *front = &claiming->request->front;

	claiming->inside = knows_front(claiming->request);
	if (claiming->inside)
		prepare_unpaused(claiming, front->priority, front->job_id);
	else
		prepare_unpaused(claiming, INT_MIN, 0);
}

void claim_prepare(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;

	if (!is_direct(request) || claiming->asks)
		candidates_prepare(claiming);
	else if (is_one_queue(selector))
		claim_prepare_queue(claiming, selector->entries[0].name, INT_MAX);
	else if (request->paused == CLAIM_NOTHING_PAUSED)
		prepare_claim(claiming, "claim");
	else
		prepare_front(claiming);
}

static void read_claim(struct claim *claim, const struct db_rows *rows, size_t row, size_t column)
{
	claim->id = db_int(rows, row, column);
	claim->job = (struct job){
		.id = db_int(rows, row, column + 1),
		.queue = db_text(rows, row, column + 2),
		.class_name = db_text(rows, row, column + 3),
		.payload = db_text(rows, row, column + 4),
		.priority = (int)db_int(rows, row, column + 5),
		.active_job_id = db_text(rows, row, column + 6),
		.concurrency_key = db_text(rows, row, column + 7),
		.scheduled_at = db_time(rows, row, column + 8),
		.created_at = db_time(rows, row, column + 9),
		.losses = db_int(rows, row, column + 10),
		.state = JOB_CLAIMED,
	};
}

/* Adds the rows' claims; `column` is where the claim's number stands. */
static void add_claims(struct claiming *claiming, size_t column)
{
	const struct db_rows *rows = &claiming->call.rows;
	size_t room = claiming->count + rows->count;
	struct claim *claims = arena_array(claiming->arena, room + 1, sizeof(*claims));

	if (claiming->count > 0)
		memcpy(claims, claiming->claims, claiming->count * sizeof(*claims));
	claiming->claims = claims;
	for (size_t i = 0; i < rows->count; i++) {
		if (db_is_null(rows, i, column))
			continue;
		struct claim *claim = &claims[claiming->count++];
		read_claim(claim, rows, i, column);
		claim->job.process_id = claiming->request->process_id;
	}
}

/* Adds what claim_queue took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, 0);
	if (claiming->count > before)
		known_found(claiming->request, queue, &claiming->claims[before].job);
}

/* What all queues' claim took. *more: there is more than it looked at. */
static void add_of_all(struct claiming *claiming, bool *more)
{
	const struct db_rows *rows = &claiming->call.rows;
	const bool unpaused = strcmp(claiming->call.operation, "claim_unpaused") == 0;

	claiming->request->paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, 0) : CLAIM_NOTHING_PAUSED;
	*more = unpaused && rows->count > 0 && db_int(rows, 0, 1) != 0;
	add_claims(claiming, unpaused ? 2 : 1);
}

static enum status claim_unpaused(struct claiming *claiming, int64_t priority, int64_t job_id,
				  bool *more, struct error *error)
{
	prepare_unpaused(claiming, priority, job_id);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	if (status == STATUS_OK)
		add_of_all(claiming, more);
	return status;
}

/* From the first job that is in no paused queue; what that leaves is claimed queue by queue. */
static enum status claim_answered(struct claiming *claiming, struct candidates *candidates,
				  struct error *error)
{
	struct claim_request *request = claiming->request;
	const struct candidate *first = candidates_first(candidates);
	enum status status = STATUS_OK;
	bool more = true;

	if (first && takes_front(request) && request->paused != CLAIM_CLASSES_PAUSED) {
		request->front = (struct claim_place){ .priority = first->priority,
						       .job_id = first->job_id,
						       .until = clock_monotonic() + FRONT_TIME };
		status = claim_unpaused(claiming, first->priority, first->job_id, &more, error);
		if (status == STATUS_OK && more && !claim_is_full(claiming))
			status = candidates_ask(claiming, candidates, error);
	}
	if (status == STATUS_OK && more && !claim_is_full(claiming))
		status = candidates_claim(claiming, candidates, error);
	return status;
}

/* A claim that found something paused has taken nothing; so has one of what stands first. */
static enum status claim_behind(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	const bool knew = strcmp(claiming->call.operation, "claim_unpaused") == 0;
	struct candidates candidates;
	enum status status = STATUS_OK;
	bool more;

	add_of_all(claiming, &more);
	if (!knew && request->paused != CLAIM_NOTHING_PAUSED && !claim_is_full(claiming))
		status = claim_unpaused(claiming, INT_MIN, 0, &more, error);
	if (status != STATUS_OK || claim_is_full(claiming) || !(more || claiming->inside))
		return status;
	request->deep_until = clock_monotonic() + DEEP_TIME;
	status = candidates_ask(claiming, &candidates, error);
	return status == STATUS_OK ? claim_answered(claiming, &candidates, error) : status;
}

enum status claim_take(struct claiming *claiming, struct error *error)
{
	const struct claim_request *request = claiming->request;
	struct candidates candidates;
	enum status status;

	if (is_one_queue(request->selector)) {
		claim_add_of_queue(claiming, request->selector->entries[0].name);
		return STATUS_OK;
	}
	if (strcmp(claiming->call.operation, "claimable") == 0) {
		candidates_read(claiming, &candidates);
		status = claim_answered(claiming, &candidates, error);
	} else {
		status = claim_behind(claiming, error);
	}
	/* What was claimed before a failure is ours and must be run; the failure will come again.
	 */
	return status == STATUS_UNCERTAIN ? status : STATUS_OK;
}
