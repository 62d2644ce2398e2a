#include "queue/claim/candidates.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "queue/claim/claim_parts.h"
#include "queue/claim/known.h"

static enum status claim_from(struct claiming *claiming, const char *queue, int64_t priority,
			      struct error *error)
{
	const struct claim_request *request = claiming->request;
	bool any = true;
	enum status status = STATUS_OK;

	if (claim_passes(request))
		status = known_look(claiming, queue, &any, error);
	if (status != STATUS_OK || !any || known_place(request, queue).priority > priority)
		return status;
	claim_prepare_queue(claiming, queue, priority);
	status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		claim_add_of_queue(claiming, queue);
	return status == STATUS_NONE ? STATUS_OK : status;
}

static int by_position(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;

	if (a->position != b->position)
		return a->position < b->position ? -1 : 1;
	return strcmp(a->name, b->name);
}

static enum status claim_in_order(struct claiming *claiming, const struct candidates *candidates,
				  struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < candidates->count && status == STATUS_OK && !claim_is_full(claiming);
	     i++)
		if (!candidates->list[i].done)
			status = claim_from(claiming, candidates->list[i].name, INT_MAX, error);
	return status;
}

/* Those whose visible next job could not be had come last. */
static int by_next_job(const void *left, const void *right)
{
	const struct candidate *a = left;
	const struct candidate *b = right;

	if (a->dry != b->dry)
		return a->dry ? 1 : -1;
	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	return (a->job_id > b->job_id) - (a->job_id < b->job_id);
}

void candidates_prepare(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;

	claiming->values[0] =
		(struct db_value)DB_P_TEXT("queues", selector->all ? NULL : selector->json);
	claiming->values[1] = (struct db_value)DB_P_INT("process_id", request->process_id);
	claiming->call = (struct db_call){ .operation = "claimable",
					   .values = claiming->values,
					   .count = 2 };
}

void candidates_read(struct claiming *claiming, struct candidates *candidates)
{
	const struct db_rows *rows = &claiming->call.rows;

	claiming->request->paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, 0) : CLAIM_NOTHING_PAUSED;
	candidates->list = arena_array(claiming->arena, rows->count + 1, sizeof(*candidates->list));
	candidates->count = 0;
	for (size_t i = 0; i < rows->count; i++) {
		if (!db_is_null(rows, i, 1) && !db_is_null(rows, i, 4))
			candidates->list[candidates->count++] =
				(struct candidate){ .name = db_text(rows, i, 1),
						    .position = (int)db_int(rows, i, 4),
						    .priority = db_int(rows, i, 2),
						    .job_id = db_int(rows, i, 3) };
	}
}

enum status candidates_ask(struct claiming *claiming, struct candidates *candidates,
			   struct error *error)
{
	candidates_prepare(claiming);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	if (status == STATUS_OK)
		candidates_read(claiming, candidates);
	return status;
}

const struct candidate *candidates_first(const struct candidates *candidates)
{
	const struct candidate *first = candidates->list;

	for (size_t i = 1; i < candidates->count; i++)
		if (by_next_job(&candidates->list[i], first) < 0)
			first = &candidates->list[i];
	return candidates->count > 0 ? first : NULL;
}

/* Asks again; a queue that was dry stays so. */
static enum status ask_again(struct claiming *claiming, struct candidates *candidates,
			     struct error *error)
{
	const struct candidates before = *candidates;
	enum status status = candidates_ask(claiming, candidates, error);

	for (size_t i = 0; status == STATUS_OK && i < candidates->count; i++)
		for (size_t k = 0; k < before.count; k++)
			if (strcmp(candidates->list[i].name, before.list[k].name) == 0) {
				candidates->list[i].dry = before.list[k].dry;
				candidates->list[i].done = before.list[k].done;
			}
	return status;
}

/*
 * One order by priority over several queues: from the queue whose next job is first, everything
 * down to the priority of the runner-up's next job; then the next jobs are asked for again. A
 * queue that gave nothing (its next jobs are being claimed by others, or are of classes that are
 * left alone) is dry: what it may have behind those comes last.
 */
static enum status claim_by_priority(struct claiming *claiming, struct candidates *candidates,
				     struct error *error)
{
	enum status status = STATUS_OK;

	while (candidates->count > 0 && status == STATUS_OK && !claim_is_full(claiming)) {
		qsort(candidates->list, candidates->count, sizeof(*candidates->list), by_next_job);
		struct candidate *first = &candidates->list[0];
		bool alone = candidates->count == 1 || candidates->list[1].dry;
		size_t before = claiming->count;
		if (first->dry)
			return claim_in_order(claiming, candidates, error);
		status = claim_from(claiming, first->name,
				    alone ? INT_MAX : candidates->list[1].priority, error);
		if (status != STATUS_OK || claim_is_full(claiming))
			return status;
		first->done = alone;
		first->dry = alone || claiming->count == before;
		if (claiming->count > before)
			status = ask_again(claiming, candidates, error);
	}
	return status;
}

enum status candidates_claim(struct claiming *claiming, struct candidates *candidates,
			     struct error *error)
{
	if (claiming->request->selector->all)
		return claim_by_priority(claiming, candidates, error);
	qsort(candidates->list, candidates->count, sizeof(*candidates->list), by_position);
	return claim_in_order(claiming, candidates, error);
}
