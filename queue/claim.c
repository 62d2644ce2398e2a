#include "queue/claim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "queue/known.h"

/*
 * Two ways to claim. When a worker takes every queue, none is paused and every class is welcome,
 * or when it takes one queue, a single script does it. Otherwise the queues that have something
 * are asked for first (one cheap statement, the only one of an idle poll), and then claimed from
 * one by one: in the order of the worker's list, or for "*" in the order of their next jobs'
 * priorities, so that a pause costs neither speed nor the order by priority.
 */

/* A queue that has ready jobs. */
struct candidate {
	const char *name;
	int position;     /* in the worker's list */
	int64_t priority; /* of its next job */
	int64_t job_id;
	bool dry;  /* its next job could not be had */
	bool done; /* and it has nothing behind that either */
};

struct candidates {
	struct candidate *list;
	size_t count;
};

static bool is_one_queue(const struct selector *selector)
{
	return !selector->all && selector->count == 1 && !selector->entries[0].prefix;
}

static bool is_direct(const struct claim_request *request)
{
	return is_one_queue(request->selector) ||
	       (request->selector->all && !request->only_classes && !request->paused);
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

static void prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;
	struct db_value *values = claiming->values;

	prepare_claim(claiming, request->only_classes ? "claim_known" : "claim_queue");
	values[3] = (struct db_value)DB_P_TEXT("queue", queue);
	values[4] = (struct db_value)DB_P_INT("priority", priority);
	claiming->call.count = 5;
	if (!request->only_classes)
		return;
	const struct claim_place place = known_place(request, queue);
	const char *classes = known_classes(claiming->arena, request);
	values[5] = (struct db_value)DB_P_TEXT("classes", classes);
	values[6] = (struct db_value)DB_P_INT("from_priority", place.priority);
	values[7] = (struct db_value)DB_P_INT("from_job", place.job_id);
	claiming->call.count = 8;
}

/* Which queues have something to claim. */
static void prepare_question(struct claiming *claiming)
{
	claiming->values[0] =
		(struct db_value)DB_P_TEXT("queues", claiming->request->selector->json);
	claiming->call = (struct db_call){ .operation = "claimable",
					   .values = claiming->values,
					   .count = 1 };
}

static enum status look(struct claiming *claiming, const char *queue, bool *anything,
			struct error *error)
{
	const struct db_value values[] = { DB_P_TEXT("queue", queue) };
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena, queue ? "waiting_in" : "waiting", values,
			 queue ? 1 : 0, &rows, error);

	*anything = status == STATUS_OK && db_int(&rows, 0, 0) != 0;
	return status;
}

enum status claim_look(struct claiming *claiming, bool idle, bool *anything, struct error *error)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;
	const char *queue = is_one_queue(selector) ? selector->entries[0].name : NULL;

	*anything = true;
	if (!is_direct(request))
		return STATUS_OK;
	if (request->only_classes && (idle || known_place(request, queue).until == 0))
		return known_look(claiming, queue, anything, error);
	return idle ? look(claiming, queue, anything, error) : STATUS_OK;
}

void claim_prepare(struct claiming *claiming)
{
	const struct selector *selector = claiming->request->selector;

	if (!is_direct(claiming->request))
		prepare_question(claiming);
	else if (is_one_queue(selector))
		prepare_queue(claiming, selector->entries[0].name, INT_MAX);
	else
		prepare_claim(claiming, "claim");
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
static void add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, 0);
	if (claiming->count > before)
		known_found(claiming->request, queue, &claiming->claims[before].job);
}

static enum status claim_from(struct claiming *claiming, const char *queue, int64_t priority,
			      struct error *error)
{
	const struct claim_request *request = claiming->request;
	bool any = true;
	enum status status = STATUS_OK;

	if (request->only_classes)
		status = known_look(claiming, queue, &any, error);
	if (status != STATUS_OK || !any || known_place(request, queue).priority > priority)
		return status;
	prepare_queue(claiming, queue, priority);
	status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		add_of_queue(claiming, queue);
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

static bool is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

static enum status claim_in_order(struct claiming *claiming, const struct candidates *candidates,
				  struct error *error)
{
	enum status status = STATUS_OK;

	for (size_t i = 0; i < candidates->count && status == STATUS_OK && !is_full(claiming); i++)
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

static void read_candidates(struct claiming *claiming, struct candidates *candidates)
{
	const struct db_rows *rows = &claiming->call.rows;

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

static enum status ask(struct claiming *claiming, struct candidates *candidates,
		       struct error *error)
{
	prepare_question(claiming);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	if (status == STATUS_OK)
		read_candidates(claiming, candidates);
	return status;
}

/* Asks again; a queue that was dry stays so. */
static enum status ask_again(struct claiming *claiming, struct candidates *candidates,
			     struct error *error)
{
	const struct candidates before = *candidates;
	enum status status = ask(claiming, candidates, error);

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

	while (candidates->count > 0 && status == STATUS_OK && !is_full(claiming)) {
		qsort(candidates->list, candidates->count, sizeof(*candidates->list), by_next_job);
		struct candidate *first = &candidates->list[0];
		bool alone = candidates->count == 1 || candidates->list[1].dry;
		size_t before = claiming->count;
		if (first->dry)
			return claim_in_order(claiming, candidates, error);
		status = claim_from(claiming, first->name,
				    alone ? INT_MAX : candidates->list[1].priority, error);
		if (status != STATUS_OK || is_full(claiming))
			return status;
		first->done = alone;
		first->dry = alone || claiming->count == before;
		if (claiming->count > before)
			status = ask_again(claiming, candidates, error);
	}
	return status;
}

static enum status claim_candidates(struct claiming *claiming, struct candidates *candidates,
				    struct error *error)
{
	if (claiming->request->selector->all)
		return claim_by_priority(claiming, candidates, error);
	qsort(candidates->list, candidates->count, sizeof(*candidates->list), by_position);
	return claim_in_order(claiming, candidates, error);
}

enum status claim_take(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	const char *operation = claiming->call.operation;
	struct candidates candidates;
	enum status status = STATUS_OK;

	if (is_one_queue(request->selector)) {
		add_of_queue(claiming, request->selector->entries[0].name);
		return STATUS_OK;
	}
	request->paused = claiming->call.rows.count > 0 && db_int(&claiming->call.rows, 0, 0) != 0;
	if (strcmp(operation, "claimable") == 0) {
		read_candidates(claiming, &candidates);
		status = claim_candidates(claiming, &candidates, error);
	} else {
		/* A pause that came in the middle of the script is told beside what it claimed. */
		add_claims(claiming, 1);
		if (request->paused && !is_full(claiming))
			status = ask(claiming, &candidates, error);
		if (status == STATUS_OK && request->paused && !is_full(claiming))
			status = claim_candidates(claiming, &candidates, error);
	}
	/* What was claimed before a failure is ours and must be run; the failure will come again.
	 */
	return status == STATUS_UNCERTAIN ? status : STATUS_OK;
}
