#include "queue/claim/claim_by_queue.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/order.h"
#include "db/operations.h"
#include "queue/claim/claim_calls.h"
#include "queue/claim/eligible.h"

/* How long the next queues are remembered: the question takes a tenth of the time. */
#define SHORTEST (CLOCK_SECOND / 10) /* as behind a backlog */
#define LONGEST  CLOCK_SECOND
#define REST     10
#define MISSES   3 /* queues without a job for us: others work on the same ones */

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

/* *at is the queue that was claimed from last. */
static enum status claim_in_order(struct claiming *claiming, const struct claimable *claimable,
				  size_t *at, struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < claimable->count && status == STATUS_OK && !claim_is_full(claiming);
	     i++) {
		*at = i;
		if (!claimable->list[i].done)
			status = claim_from(claiming, claimable->list[i].name, INT_MAX, error);
	}
	return status;
}

/* From this one on: it may have more jobs. A name that does not fit ends the list. */
static void remember_next(struct claiming *claiming, const struct claimable *claimable, size_t at)
{
	struct claim_next *next = &claiming->request->next;
	const int64_t now = clock_monotonic();
	int64_t rest = REST * (now - claiming->asked_at);

	next->count = next->at = 0;
	for (; at < claimable->count && next->count < CLAIM_NEXT; at++) {
		const size_t length = strlen(claimable->list[at].name);
		if (length >= sizeof(next->names[0]))
			break;
		memcpy(next->names[next->count++], claimable->list[at].name, length + 1);
	}
	rest = rest > LONGEST ? LONGEST : rest;
	next->until = now + (rest > SHORTEST ? rest : SHORTEST);
}

enum status claim_next_look(struct claiming *claiming, struct error *error)
{
	struct claim_next *next = &claiming->request->next;
	enum status status = STATUS_OK;
	bool any = false;

	claiming->next = NULL;
	if (clock_monotonic() >= next->until)
		next->count = 0;
	while (status == STATUS_OK && !any && next->at < next->count) {
		any = true;
		if (eligible_only(claiming->request))
			status = eligible_look(claiming, next->names[next->at], &any, error);
		if (status == STATUS_OK && any)
			claiming->next = next->names[next->at];
		else
			next->at++;
	}
	return status;
}

enum status claim_next_take(struct claiming *claiming, struct error *error)
{
	struct claim_next *next = &claiming->request->next;
	enum status status = STATUS_OK;
	size_t misses = claiming->count == 0;

	while (status == STATUS_OK && !claim_is_full(claiming) && misses < MISSES &&
	       ++next->at < next->count) {
		const size_t before = claiming->count;
		status = claim_from(claiming, next->names[next->at], INT_MAX, error);
		misses += claiming->count == before;
	}
	if (!claim_is_full(claiming))
		next->count = 0;
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

	claiming->asked_at = clock_monotonic();
	claiming->call = db_call_keep(
		claiming->arena,
		DB_CALL(claimable_queues, .queues = P_TEXT(selector->all ? NULL : selector->json),
			.process_id = P_INT(request->process_id)));
}

void claimable_read(struct claiming *claiming, struct claimable *claimable)
{
	const struct db_rows *rows = &claiming->call.rows;

	claiming->request->paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, CLAIMABLE_QUEUES_PAUSED)
				: CLAIM_NOTHING_PAUSED;
	claimable->list = arena_array(claiming->arena, rows->count + 1, sizeof(*claimable->list));
	claimable->count = 0;
	for (size_t i = 0; i < rows->count; i++) {
		if (!db_is_null(rows, i, CLAIMABLE_QUEUES_QUEUE_NAME) &&
		    !db_is_null(rows, i, CLAIMABLE_QUEUES_POSITION))
			claimable->list[claimable->count++] = (struct claimable_queue){
				.name = db_text(rows, i, CLAIMABLE_QUEUES_QUEUE_NAME),
				.position = (int)db_int(rows, i, CLAIMABLE_QUEUES_POSITION),
				.priority = db_int(rows, i, CLAIMABLE_QUEUES_PRIORITY),
				.job_id = db_int(rows, i, CLAIMABLE_QUEUES_JOB_ID)
			};
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
			return claim_in_order(claiming, claimable, &(size_t){ 0 }, error);
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
	size_t at = 0;
	enum status status = claim_in_order(claiming, claimable, &at, error);
	if (status == STATUS_OK && claim_is_full(claiming) && claimable->count > CLAIM_NEXT)
		remember_next(claiming, claimable, at);
	return status;
}
