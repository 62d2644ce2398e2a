#include "queue/claim/claim_calls.h"

#include <stdlib.h>
#include <string.h>

#include "common/order.h"
#include "db/operations.h"
#include "queue/claim/eligible.h"

static void prepare(struct claiming *claiming, struct db_call call)
{
	claiming->call = db_call_keep(claiming->arena, call);
}

static struct db_value process_of(const struct claiming *claiming)
{
	return P_INT(claiming->request->process_id);
}

static struct db_value rest_of(const struct claiming *claiming)
{
	return P_INT(claiming->request->limit - claiming->count);
}

/* The claim's time, which is a part of the name of each. */
static struct db_value begin(struct claiming *claiming)
{
	claiming->now = db_now(claiming->db);
	return P_TIME(claiming->now);
}

void claim_prepare_every(struct claiming *claiming)
{
	prepare(claiming, DB_CALL(claim, .process_id = process_of(claiming),
				  .limit = rest_of(claiming), .now = begin(claiming)));
}

/*
 * Any number of paused jobs might stand in a window without an end, if something was paused since
 * it was planned: nothing is taken then.
 */
void claim_prepare_window(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct claim_window *window = &request->window;
	const bool open =
		request->paused == CLAIM_QUEUES_PAUSED && !window->behind_backlog && !window->ends;

	prepare(claiming,
		DB_CALL(claim_window, .process_id = process_of(claiming),
			.limit = rest_of(claiming), .from_priority = P_INT(window->from_priority),
			.from_job = P_INT(window->from_job),
			.to_priority = P_INT(window->to_priority), .to_job = P_INT(window->to_job),
			.newest = open ? P_INT(window->newest_pause) : P_NULL,
			.now = begin(claiming)));
}

void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;

	if (!eligible_only(request)) {
		prepare(claiming, DB_CALL(claim_queue, .process_id = process_of(claiming),
					  .queue = P_TEXT(queue), .priority = P_INT(priority),
					  .limit = rest_of(claiming), .now = begin(claiming)));
		return;
	}
	const struct claim_place place = eligible_place(request, queue);
	const struct eligible eligible = eligible_of(claiming->arena, request);
	prepare(claiming,
		DB_CALL(claim_eligible, .process_id = process_of(claiming), .queue = P_TEXT(queue),
			.from_priority = P_INT(place.priority), .from_job = P_INT(place.job_id),
			.priority = P_INT(priority), .classes = eligible.classes,
			.others = eligible.others, .max_losses = eligible.max_losses,
			.limit = rest_of(claiming), .now = begin(claiming)));
}

/* Behind the claim's number stands its job. */
_Static_assert((int)CLAIM_CLAIMED_JOB == (int)CLAIM_CLAIM_ID + 1 &&
		       (int)CLAIM_QUEUE_CLAIMED_JOB == (int)CLAIM_QUEUE_CLAIM_ID + 1,
	       "as read_claim reads it");
DB_ALIKE(claim, claim_window);
DB_ALIKE(claim_queue, claim_eligible);

static void read_claim(struct claim *claim, const struct db_rows *rows, size_t row, size_t id)
{
	const size_t column = id + 1;

	claim->id = db_int(rows, row, id);
	claim->ready_at = db_time(rows, row, column + CLAIMED_JOB_READY_AT);
	claim->job = (struct job){
		.id = db_int(rows, row, column + CLAIMED_JOB_ID),
		.queue = db_text(rows, row, column + CLAIMED_JOB_QUEUE),
		.class_name = db_text(rows, row, column + CLAIMED_JOB_CLASS_NAME),
		.payload = db_text(rows, row, column + CLAIMED_JOB_PAYLOAD),
		.priority = (int)db_int(rows, row, column + CLAIMED_JOB_PRIORITY),
		.active_job_id = db_text(rows, row, column + CLAIMED_JOB_ACTIVE_JOB_ID),
		.concurrency_key = db_text(rows, row, column + CLAIMED_JOB_CONCURRENCY_KEY),
		.scheduled_at = db_time(rows, row, column + CLAIMED_JOB_SCHEDULED_AT),
		.created_at = db_time(rows, row, column + CLAIMED_JOB_CREATED_AT),
		.losses = db_int(rows, row, column + CLAIMED_JOB_LOSSES),
		.runs_before = db_int(rows, row, column + CLAIMED_JOB_RUNS_BEFORE),
		.max_losses = job_bound(rows, row, column + CLAIMED_JOB_MAX_LOSSES),
		.state = JOB_CLAIMED,
	};
}

static int by_order(const void *left, const void *right)
{
	const struct job *a = &((const struct claim *)left)->job;
	const struct job *b = &((const struct claim *)right)->job;

	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	return order_numbers(a->id, b->id);
}

/*
 * Adds the rows' claims in the order in which they run. MySQL and MariaDB are not asked for that:
 * MariaDB would write the rows with their payloads into a temporary table on disk, for each claim.
 * `column` is where the claim's number stands.
 */
static void add_claims(struct claiming *claiming, size_t column)
{
	const struct db_rows *rows = &claiming->call.rows;
	const size_t before = claiming->count;
	size_t room = before + rows->count;
	struct claim *claims = arena_array(claiming->arena, room + 1, sizeof(*claims));

	if (before > 0)
		memcpy(claims, claiming->claims, before * sizeof(*claims));
	claiming->claims = claims;
	for (size_t i = 0; i < rows->count; i++) {
		if (db_is_null(rows, i, column))
			continue;
		struct claim *claim = &claims[claiming->count++];
		read_claim(claim, rows, i, column);
		claim->job.process_id = claiming->request->process_id;
		claim->claimed_at = claiming->now;
	}
	qsort(claims + before, claiming->count - before, sizeof(*claims), by_order);
}

enum claim_paused claim_add_of_every(struct claiming *claiming)
{
	const struct db_rows *rows = &claiming->call.rows;
	const enum claim_paused paused = rows->count > 0
						 ? (enum claim_paused)db_int(rows, 0, CLAIM_PAUSED)
						 : CLAIM_NOTHING_PAUSED;

	claiming->request->paused = paused;
	add_claims(claiming, CLAIM_CLAIM_ID);
	return paused;
}

void claim_add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, CLAIM_QUEUE_CLAIM_ID);
	if (claiming->count > before)
		eligible_found(claiming->request, queue, &claiming->claims[before].job);
}
