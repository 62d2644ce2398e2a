#include "queue/claim/claim_by_queue.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/order.h"
#include "queue/claim/claim_calls.h"
#include "queue/claim/eligible.h"

static enum status claim_from(struct claiming *claiming, const char *queue, int64_t priority,
			      struct error *error)
{
	const struct claim_request *request = claiming->request;
	bool any = true;
	enum status status = STATUS_OK;

	if (eligible_only(request))
		status = eligible_look(claiming, queue, &any, error);
	if (status != STATUS_OK || !any || eligible_place(request, queue).priority > priority)
		return status;
	claim_prepare_queue(claiming, queue, priority);
	status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		claim_add_of_queue(claiming, queue);
	return status == STATUS_NONE ? STATUS_OK : status;
}

static int by_position(const void *left, const void *right)
{
	const struct claimable_queue *a = left;
	const struct claimable_queue *b = right;

	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	return strcmp(a->name, b->name);
}

static enum status claim_in_order(struct claiming *claiming, const struct claimable *claimable,
				  struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < claimable->count && status == STATUS_OK && !claim_is_full(claiming);
	     i++)
		if (!claimable->list[i].done)
			status = claim_from(claiming, claimable->list[i].name, INT_MAX, error);
	return status;
}

/* Those whose visible next job could not be had come last. */
static int by_next_job(const void *left, const void *right)
{
	const struct claimable_queue *a = left;
	const struct claimable_queue *b = right;

	if (a->dry != b->dry)
		return a->dry ? 1 : -1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	return order_numbers(a->job_id, b->job_id);
}

void claimable_prepare(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;

	claiming->values[0] =
		(struct db_value)DB_P_TEXT("queues", selector->all ? NULL : selector->json);
	claiming->values[1] = (struct db_value)DB_P_INT("process_id", request->process_id);
	claiming->call = (struct db_call){ .operation = "claimable_queues",
					   .values = claiming->values,
					   .count = 2 };
}

void claimable_read(struct claiming *claiming, struct claimable *claimable)
{
	const struct db_rows *rows = &claiming->call.rows;

	claiming->request->paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, 0) : CLAIM_NOTHING_PAUSED;
	claimable->list = arena_array(claiming->arena, rows->count + 1, sizeof(*claimable->list));
	claimable->count = 0;
	for (size_t i = 0; i < rows->count; i++) {
		if (!db_is_null(rows, i, 1) && !db_is_null(rows, i, 4))
			claimable->list[claimable->count++] =
				(struct claimable_queue){ .name = db_text(rows, i, 1),
							  .position = (int)db_int(rows, i, 4),
							  .priority = db_int(rows, i, 2),
							  .job_id = db_int(rows, i, 3) };
	}
}

enum status claimable_ask(struct claiming *claiming, struct claimable *claimable,
			  struct error *error)
{
	claimable_prepare(claiming);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	if (status == STATUS_OK)
		claimable_read(claiming, claimable);
	return status;
}

const struct claimable_queue *claimable_first(const struct claimable *claimable)
{
	const struct claimable_queue *first = claimable->list;

	for (size_t i = 1; i < claimable->count; i++)
		if (by_next_job(&claimable->list[i], first) < 0)
			first = &claimable->list[i];
	return claimable->count > 0 ? first : NULL;
}

/* Asks again; a queue that was dry stays so. */
static enum status ask_again(struct claiming *claiming, struct claimable *claimable,
			     struct error *error)
{
	const struct claimable before = *claimable;
	enum status status = claimable_ask(claiming, claimable, error);

	for (size_t i = 0; status == STATUS_OK && i < claimable->count; i++)
		for (size_t k = 0; k < before.count; k++)
			if (strcmp(claimable->list[i].name, before.list[k].name) == 0) {
				claimable->list[i].dry = before.list[k].dry;
				claimable->list[i].done = before.list[k].done;
			}
	return status;
}

/*
 * One order by priority over several queues: from the queue whose next job is first, everything
 * down to the priority of the runner-up's next job; then the next jobs are asked for again. A
 * queue that gave nothing (its next jobs are being claimed by others, or are not
 * eligible) is dry: what it may have behind those comes last.
 */
static enum status claim_by_priority(struct claiming *claiming, struct claimable *claimable,
				     struct error *error)
{
	enum status status = STATUS_OK;

	while (claimable->count > 0 && status == STATUS_OK && !claim_is_full(claiming)) {
		qsort(claimable->list, claimable->count, sizeof(*claimable->list), by_next_job);
		struct claimable_queue *first = &claimable->list[0];
		bool alone = claimable->count == 1 || claimable->list[1].dry;
		size_t before = claiming->count;
		if (first->dry)
			return claim_in_order(claiming, claimable, error);
		status = claim_from(claiming, first->name,
				    alone ? INT_MAX : claimable->list[1].priority, error);
		if (status != STATUS_OK || claim_is_full(claiming))
			return status;
		first->done = alone;
		first->dry = alone || claiming->count == before;
		if (claiming->count > before)
			status = ask_again(claiming, claimable, error);
	}
	return status;
}

enum status claimable_claim(struct claiming *claiming, struct claimable *claimable,
			    struct error *error)
{
	if (claiming->request->selector->all)
		return claim_by_priority(claiming, claimable, error);
	qsort(claimable->list, claimable->count, sizeof(*claimable->list), by_position);
	return claim_in_order(claiming, claimable, error);
}
