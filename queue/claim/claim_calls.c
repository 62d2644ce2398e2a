#include "queue/claim/claim_calls.h"

#include <stdlib.h>
#include <string.h>

#include "common/order.h"
#include "queue/claim/eligible.h"

#define NOW 2 /* place of the claim's time among the values */

static void prepare(struct claiming *claiming, const char *operation)
{
	const struct claim_request *request = claiming->request;
	struct db_value *values = claiming->values;

	values[0] = (struct db_value)DB_P_INT("process_id", request->process_id);
	values[1] = (struct db_value)DB_P_INT("limit", request->limit - claiming->count);
	values[NOW] = (struct db_value)DB_P_TIME("now", db_now(claiming->db));
	claiming->call = (struct db_call){ .operation = operation, .values = values, .count = 3 };
}

void claim_prepare_every(struct claiming *claiming)
{
	prepare(claiming, "claim");
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
	struct db_value *values = claiming->values;

	prepare(claiming, "claim_window");
	values[3] = (struct db_value)DB_P_INT("from_priority", window->from_priority);
	values[4] = (struct db_value)DB_P_INT("from_job", window->from_job);
	values[5] = (struct db_value)DB_P_INT("to_priority", window->to_priority);
	values[6] = (struct db_value)DB_P_INT("to_job", window->to_job);
	values[7] = (struct db_value){ .name = "newest",
				       .type = open ? DB_INT : DB_NULL,
				       .number = window->newest_pause };
	claiming->call.count = 8;
}

void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;
	const bool chooses = eligible_only(request);
	struct db_value *values = claiming->values;

	prepare(claiming, chooses ? "claim_eligible" : "claim_queue");
	values[3] = (struct db_value)DB_P_TEXT("queue", queue);
	values[4] = (struct db_value)DB_P_INT("priority", priority);
	claiming->call.count = 5;
	if (!chooses)
		return;
	const struct claim_place place = eligible_place(request, queue);
	values[5] = (struct db_value)DB_P_INT("from_priority", place.priority);
	values[6] = (struct db_value)DB_P_INT("from_job", place.job_id);
	claiming->call.count = 7 + eligible_values(claiming->arena, request, values + 7);
}

static void read_claim(struct claim *claim, const struct db_rows *rows, size_t row, size_t column)
{
	claim->id = db_int(rows, row, column);
	claim->ready_at = db_time(rows, row, column + 13);
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
		.runs_before = db_int(rows, row, column + 11),
		.max_losses = job_bound(rows, row, column + 12),
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
		claim->claimed_at = claiming->values[NOW].number;
	}
	qsort(claims + before, claiming->count - before, sizeof(*claims), by_order);
}

enum claim_paused claim_add_of_every(struct claiming *claiming)
{
	const struct db_rows *rows = &claiming->call.rows;
	const enum claim_paused paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, 0) : CLAIM_NOTHING_PAUSED;

	claiming->request->paused = paused;
	add_claims(claiming, 1);
	return paused;
}

void claim_add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, 0);
	if (claiming->count > before)
		eligible_found(claiming->request, queue, &claiming->claims[before].job);
}
