#include "queue/claim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/text.h"

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
	int64_t priority; /* of its next job, or a lower bound of that */
	int64_t job_id;
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

static const char *classes_json(struct arena *arena, const struct claim_request *request)
{
	struct text json = { 0 };

	if (!request->only_classes)
		return NULL;
	text_add(&json, "[");
	for (size_t i = 0; i < request->only_count; i++) {
		text_add(&json, i > 0 ? "," : "");
		text_json(&json, request->only_classes[i]);
	}
	text_add(&json, "]");
	const char *copy = arena_strdup(arena, json.data);
	text_free(&json);
	return copy;
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
	struct db_value *values = claiming->values;

	prepare_claim(claiming, "claim_queue");
	values[3] = (struct db_value)DB_P_TEXT("queue", queue);
	values[4] = (struct db_value)DB_P_INT("priority", priority);
	values[5] = (struct db_value)DB_P_TEXT("classes",
					       classes_json(claiming->arena, claiming->request));
	claiming->call.count = 6;
}

void claim_prepare(struct claiming *claiming)
{
	const struct selector *selector = claiming->request->selector;

	if (!is_direct(claiming->request))
		claiming->call = (struct db_call){ .operation = "claimable" };
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

static enum status claim_from(struct claiming *claiming, const char *queue, int64_t priority,
			      struct error *error)
{
	prepare_queue(claiming, queue, priority);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		add_claims(claiming, 0);
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

static enum status claim_in_order(struct claiming *claiming, struct candidate *candidates,
				  size_t count, struct error *error)
{
	enum status status = STATUS_OK;

	qsort(candidates, count, sizeof(*candidates), by_position);
	for (size_t i = 0; i < count && status == STATUS_OK && !is_full(claiming); i++)
		status = claim_from(claiming, candidates[i].name, INT_MAX, error);
	return status;
}

static bool is_before(const struct candidate *a, const struct candidate *b)
{
	return a->priority != b->priority ? a->priority < b->priority : a->job_id < b->job_id;
}

/* Puts the queue whose next job is first of all at the front, and the runner-up behind it. */
static void choose_two(struct candidate *candidates, size_t count)
{
	for (size_t place = 0; place < 2 && place < count; place++) {
		size_t best = place;
		for (size_t i = place + 1; i < count; i++)
			if (is_before(&candidates[i], &candidates[best]))
				best = i;
		struct candidate moved = candidates[place];
		candidates[place] = candidates[best];
		candidates[best] = moved;
	}
}

/*
 * One order by priority over several queues: from the queue whose next job is first, everything
 * down to the priority of the runner-up's next job; and so on.
 */
static enum status claim_by_priority(struct claiming *claiming, struct candidate *candidates,
				     size_t count, struct error *error)
{
	enum status status = STATUS_OK;

	while (count > 0 && status == STATUS_OK && !is_full(claiming)) {
		choose_two(candidates, count);
		struct candidate *best = &candidates[0];
		int64_t bound = count > 1 ? candidates[1].priority : INT_MAX;
		status = claim_from(claiming, best->name, bound, error);
		best->priority = bound + 1;
		if (bound >= INT_MAX)
			candidates[0] = candidates[--count];
	}
	return status;
}

static enum status claim_candidates(struct claiming *claiming, struct error *error)
{
	const struct db_rows *rows = &claiming->call.rows;
	const struct selector *selector = claiming->request->selector;
	struct candidate *candidates =
		arena_array(claiming->arena, rows->count + 1, sizeof(*candidates));
	size_t count = 0;

	for (size_t i = 0; i < rows->count; i++) {
		const char *name = db_text(rows, i, 1);
		int position = name ? selector_match(selector, name) : -1;
		if (position >= 0)
			candidates[count++] = (struct candidate){ .name = name,
								  .position = position,
								  .priority = db_int(rows, i, 2),
								  .job_id = db_int(rows, i, 3) };
	}
	if (selector->all)
		return claim_by_priority(claiming, candidates, count, error);
	return claim_in_order(claiming, candidates, count, error);
}

static enum status ask_and_claim(struct claiming *claiming, struct error *error)
{
	claiming->call = (struct db_call){ .operation = "claimable" };
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	return status == STATUS_OK ? claim_candidates(claiming, error) : status;
}

enum status claim_take(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	const char *operation = claiming->call.operation;
	enum status status = STATUS_OK;

	if (strcmp(operation, "claim_queue") == 0) {
		add_claims(claiming, 0);
		return STATUS_OK;
	}
	bool paused = claiming->call.rows.count > 0 && db_int(&claiming->call.rows, 0, 0) != 0;
	request->paused = paused;
	if (strcmp(operation, "claimable") == 0)
		status = claim_candidates(claiming, error);
	else if (paused)
		status = ask_and_claim(claiming, error);
	else
		add_claims(claiming, 1);
	/* What was claimed before a failure is ours and must be run; the failure will come again.
	 */
	return status == STATUS_UNCERTAIN ? status : STATUS_OK;
}
