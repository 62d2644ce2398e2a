#include "queue/claim/claim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "queue/claim/candidates.h"
#include "queue/claim/claim_parts.h"
#include "queue/claim/known.h"

/*
 * Two ways to claim. When a worker takes every queue and every class is welcome, or when it takes
 * one queue, a single script does it. Otherwise the queues that have something are asked for first
 * (one cheap statement, the only one of an idle poll), and then claimed from one by one.
 *
 * While something is paused, a worker of every queue takes what is not in a walk through the first
 * jobs of the order. How far that goes is looked up once for many claims: past a few jobs of paused
 * queues, or, when patterns or classes are paused, so many jobs of any kind. When nothing is left
 * there the question hops over the backlog that is paused, and the walk begins behind it.
 */

#define NOW         2  /* place of the claim's time among the values */
#define PASSED      40 /* as many paused jobs cost less than the question */
#define WALK_CLAIMS 64 /* that a walk through jobs of any kind is for */
/* That a walk, or that a backlog stands first, is taken for true. */
#define KNOWN_TIME  CLOCK_SECOND
/* The same for a walk behind a backlog: what is more urgent waits no longer than for an idle
 * worker's poll. */
#define INSIDE_TIME (100 * CLOCK_MILLISECOND)

static bool is_one_queue(const struct selector *selector)
{
	return !selector->all && selector->count == 1 && !selector->entries[0].prefix;
}

/* Can what stands first in all queues be had at once? */
static bool takes_front(const struct claim_request *request)
{
	return request->selector->all && !claim_chooses(request);
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
	values[NOW] = (struct db_value)DB_P_TIME("now", db_now(claiming->db));
	claiming->call = (struct db_call){ .operation = operation, .values = values, .count = 3 };
}

void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;
	const bool passes = claim_passes(request);
	struct db_value *values = claiming->values;

	prepare_claim(claiming, passes ? "claim_known" : "claim_queue");
	values[3] = (struct db_value)DB_P_TEXT("queue", queue);
	values[4] = (struct db_value)DB_P_INT("priority", priority);
	claiming->call.count = 5;
	if (!passes)
		return;
	const struct claim_place place = known_place(request, queue);
	const char *classes = known_classes(claiming->arena, request);
	values[5] = (struct db_value)DB_P_TEXT("classes", classes);
	values[6] = (struct db_value)DB_P_INT("from_priority", place.priority);
	values[7] = (struct db_value)DB_P_INT("from_job", place.job_id);
	values[8] = (struct db_value)DB_P_TEXT("others", known_others(claiming->arena, request));
	claiming->call.count = 9 + known_spare(request, values + 9);
}

/* From all queues, what is not paused: of the walk, or without one that nothing bounds. */
static void prepare_unpaused(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct claim_walk *walk = &request->walk;
	struct db_value *values = claiming->values;

	if (request->paused == CLAIM_QUEUES_PAUSED && !walk->inside && !walk->ends) {
		prepare_claim(claiming, "claim_beside");
		values[3] = (struct db_value)DB_P_INT("newest", walk->newest_pause);
		claiming->call.count = 4;
		return;
	}
	prepare_claim(claiming, "claim_unpaused");
	values[3] = (struct db_value)DB_P_INT("from_priority", walk->from_priority);
	values[4] = (struct db_value)DB_P_INT("from_job", walk->from_job);
	values[5] = (struct db_value)DB_P_INT("to_priority", walk->to_priority);
	values[6] = (struct db_value)DB_P_INT("to_job", walk->to_job);
	claiming->call.count = 7;
}

/* The place stands in this column and the next one, if there is one. */
static void read_end(struct claim_walk *walk, const struct db_rows *rows, size_t column)
{
	walk->ends = rows->count > 0 && !db_is_null(rows, 0, column);
	walk->to_priority = walk->ends ? db_int(rows, 0, column) : INT_MAX;
	walk->to_job = walk->ends ? db_int(rows, 0, column + 1) : INT64_MAX;
}

/* Past a few jobs of each paused queue, the fewer the more queues are paused. */
static enum status find_paused_end(struct claiming *claiming, struct claim_walk *walk,
				   struct error *error)
{
	struct claim_request *request = claiming->request;
	const size_t each = request->paused_queues > 0 ? PASSED / request->paused_queues : PASSED;
	const struct db_value values[] = { DB_P_INT("from_priority", walk->from_priority),
					   DB_P_INT("from_job", walk->from_job),
					   DB_P_INT("passed", each) };
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena, "paused_end", values, 3, &rows, error);

	if (status != STATUS_OK)
		return status;
	request->paused_queues = (size_t)db_int(&rows, 0, 0);
	walk->newest_pause = db_int(&rows, 0, 1);
	read_end(walk, &rows, 2);
	return STATUS_OK;
}

/* So many jobs of any kind. */
static enum status find_walk_end(struct claiming *claiming, struct claim_walk *walk,
				 struct error *error)
{
	const struct db_value values[] = {
		DB_P_INT("from_priority", walk->from_priority),
		DB_P_INT("from_job", walk->from_job),
		DB_P_INT("length", PASSED + WALK_CLAIMS * claiming->request->limit)
	};
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena, "walk_end", values, 3, &rows, error);

	if (status == STATUS_OK)
		read_end(walk, &rows, 0);
	return status;
}

/* A new walk from where *from begins; if that was a walk, for what is left of its time. */
static enum status plan_walk(struct claiming *claiming, const struct claim_walk *from,
			     struct error *error)
{
	struct claim_request *request = claiming->request;
	struct claim_walk walk = *from;
	enum status status = request->paused > CLAIM_QUEUES_PAUSED
				     ? find_walk_end(claiming, &walk, error)
				     : find_paused_end(claiming, &walk, error);

	if (status != STATUS_OK)
		return status;
	if (walk.until == 0)
		walk.until = clock_monotonic() + (walk.inside ? INSIDE_TIME : KNOWN_TIME);
	request->walk = walk;
	return STATUS_OK;
}

static const struct claim_walk whole = { .from_priority = INT_MIN };

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

	if (idle && !(queue && claim_passes(request)))
		status = look(claiming, queue, anything, error);
	if (status != STATUS_OK || !*anything || !queue || !claim_passes(request))
		return status;
	if (idle || known_place(request, queue).until == 0)
		status = known_look(claiming, queue, anything, error);
	return status;
}

static bool knows_walk(const struct claim_request *request)
{
	return clock_monotonic() < request->walk.until;
}

/* Of all queues: does a claim have to be told first where it may walk? */
static enum status look_for_walk(struct claiming *claiming, struct error *error)
{
	const struct claim_request *request = claiming->request;

	if (request->paused == CLAIM_NOTHING_PAUSED || knows_walk(request))
		return STATUS_OK;
	return plan_walk(claiming, &whole, error);
}

enum status claim_look(struct claiming *claiming, bool idle, bool *anything, struct error *error)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;
	const char *queue = is_one_queue(selector) ? selector->entries[0].name : NULL;

	*anything = true;
	claiming->asks =
		!queue && request->paused != CLAIM_NOTHING_PAUSED &&
		(idle || (clock_monotonic() < request->deep_until && !knows_walk(request)));
	if (!is_direct(request) || claiming->asks)
		return STATUS_OK;
	enum status status = look_directly(claiming, queue, idle, anything, error);
	return status == STATUS_OK && !queue ? look_for_walk(claiming, error) : status;
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
		prepare_unpaused(claiming);
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
		.runs_before = db_int(rows, row, column + 11),
		.state = JOB_CLAIMED,
	};
}

static int by_order(const void *left, const void *right)
{
	const struct job *a = &((const struct claim *)left)->job;
	const struct job *b = &((const struct claim *)right)->job;

	if (a->priority != b->priority)
		return a->priority < b->priority ? -1 : 1;
	return (a->id > b->id) - (a->id < b->id);
}

/*
 * Adds the rows' claims in the order in which they run, which MySQL and MariaDB are not asked for:
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

/* Adds what claim_queue took. */
void claim_add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, 0);
	if (claiming->count > before)
		known_found(claiming->request, queue, &claiming->claims[before].job);
}

/* What all queues' claim took; returns what it found to be paused. */
static enum claim_paused add_of_all(struct claiming *claiming)
{
	const struct db_rows *rows = &claiming->call.rows;
	const enum claim_paused paused =
		rows->count > 0 ? (enum claim_paused)db_int(rows, 0, 0) : CLAIM_NOTHING_PAUSED;

	claiming->request->paused = paused;
	add_claims(claiming, 1);
	return paused;
}

static enum status claim_in_walk(struct claiming *claiming, const struct claim_walk *from,
				 struct error *error)
{
	enum status status = plan_walk(claiming, from, error);

	if (status != STATUS_OK)
		return status;
	prepare_unpaused(claiming);
	status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		(void)add_of_all(claiming);
	return status;
}

/* From the first job that is in no paused queue; what that leaves is claimed queue by queue. */
static enum status claim_answered(struct claiming *claiming, struct candidates *candidates,
				  struct error *error)
{
	struct claim_request *request = claiming->request;
	const struct candidate *first = candidates_first(candidates);
	enum status status = STATUS_OK;

	if (first && takes_front(request) && request->paused != CLAIM_CLASSES_PAUSED) {
		const struct claim_walk behind = { .from_priority = first->priority,
						   .from_job = first->job_id,
						   .inside = true };
		status = claim_in_walk(claiming, &behind, error);
		if (status != STATUS_OK || claim_is_full(claiming) || !request->walk.ends)
			return status;
		status = candidates_ask(claiming, candidates, error);
	}
	return status == STATUS_OK ? candidates_claim(claiming, candidates, error) : status;
}

/* What a claim of what stands first did not get. */
static enum status claim_behind(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	const enum claim_paused told = request->paused;
	struct candidates candidates;
	enum status status = STATUS_OK;
	const enum claim_paused found = add_of_all(claiming);

	if (claim_is_full(claiming) ||
	    (told == CLAIM_NOTHING_PAUSED && found == CLAIM_NOTHING_PAUSED))
		return STATUS_OK;
	/* It took nothing, for more is paused than it was told of; or others took from the walk. */
	if (found > told || claiming->count == 0 ||
	    (request->walk.ends && found > CLAIM_QUEUES_PAUSED))
		status = claim_in_walk(claiming, found > told ? &whole : &request->walk, error);
	if (status != STATUS_OK || claim_is_full(claiming) ||
	    !(request->walk.ends || request->walk.inside))
		return status;
	request->deep_until = clock_monotonic() + KNOWN_TIME;
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
