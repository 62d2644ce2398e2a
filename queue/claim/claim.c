/*
 * From ready to claimed.
 *
 * A worker wants the first jobs of its order that it may run. One statement does this at the price
 * of an index entry a job, however many jobs are ready, as long as it may run every job that it
 * meets: CLAIM_EVERY_QUEUE and CLAIM_ONE_QUEUE. But jobs that it may not run stand in the same
 * index: paused ones, those of classes that it leaves to others, those on their last chance. There
 * may be any number of them, and a claim that steps over each one reads, and on MySQL locks, all of
 * them every time. The other ways are there to meet few of them. Each pays for that with one more
 * question, whose answer is remembered for a short time, because most claims follow another
 * closely.
 *
 * What is remembered only decides what a claim costs, and when a job that has come since to stand
 * in front is seen. Whether a job may be taken is decided by the statement that takes it.
 * docs/internals/queue.md ("Claiming") has all of this in a table.
 */
#include "queue/claim/claim.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/invariant.h"
#include "common/order.h"
#include "db/operations.h"
#include "queue/claim/eligible.h"
#include "queue/refused/refused.h"

/* The scripts that claim, as calls, and what they took. */

static bool claim_is_full(const struct claiming *claiming)
{
	return claiming->count >= claiming->request->limit;
}

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
	INVARIANT(!claim_is_full(claiming));
	return P_INT(claiming->request->limit - claiming->count);
}

/* The claim's time, which is a part of the name of each. */
static struct db_value begin(struct claiming *claiming)
{
	claiming->now = db_now(claiming->db);
	return P_TIME(claiming->now);
}

/* Makes claiming->call the claim from the whole order over all queues, or from the window of it. */
static void claim_prepare_every(struct claiming *claiming)
{
	prepare(claiming, DB_CALL(claim, .process_id = process_of(claiming),
				  .limit = rest_of(claiming), .now = begin(claiming)));
}

/*
 * Any number of paused jobs might stand in a window without an end, if something was paused since
 * it was planned: nothing is taken then.
 */
static void claim_prepare_window(struct claiming *claiming)
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

/* The same from one queue, down to a priority: of its eligible jobs, or of all when all are. */
static void claim_prepare_queue(struct claiming *claiming, const char *queue, int64_t priority)
{
	const struct claim_request *request = claiming->request;

	if (!eligible_only(request)) {
		prepare(claiming, DB_CALL(claim_queue, .process_id = process_of(claiming),
					  .queue = P_TEXT(queue), .priority = P_INT(priority),
					  .limit = rest_of(claiming), .now = begin(claiming)));
		return;
	}
	const struct claim_place place = eligible_place(request, queue);
	const struct eligible eligible = eligible_of(request);
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

	for (size_t i = 0; i < rows->count; i++) {
		if (db_is_null(rows, i, column))
			continue;
		claiming->claims = arena_extend(claiming->arena, claiming->claims, claiming->count,
						sizeof(*claiming->claims));
		struct claim *claim = &claiming->claims[claiming->count++];
		read_claim(claim, rows, i, column);
		claim->job.process_id = claiming->request->process_id;
		claim->claimed_at = claiming->now;
	}
	if (claiming->count > before)
		qsort(claiming->claims + before, claiming->count - before,
		      sizeof(*claiming->claims), by_order);
}

/* Adds what a claim over all queues took; returns and remembers what it found to be paused. */
static enum claim_paused claim_add_of_every(struct claiming *claiming)
{
	const struct db_rows *rows = &claiming->call.rows;
	const enum claim_paused paused = rows->count > 0
						 ? (enum claim_paused)db_int(rows, 0, CLAIM_PAUSED)
						 : CLAIM_NOTHING_PAUSED;

	claiming->request->paused = paused;
	add_claims(claiming, CLAIM_CLAIM_ID);
	return paused;
}

/* Adds what a claim from a queue took. */
static void claim_add_of_queue(struct claiming *claiming, const char *queue)
{
	size_t before = claiming->count;

	add_claims(claiming, CLAIM_QUEUE_CLAIM_ID);
	if (claiming->count > before)
		eligible_found(claiming->request, queue, &claiming->claims[before].job);
}

/*
 * CLAIM_WINDOW: the window of the order over all queues that claims take from while something is
 * paused. Any number of paused jobs may stand in that order, so a claim must not walk it to its
 * end; where to stop is looked up once for many claims, and how depends on what is paused:
 *
 * - Queues by name: a hop through the index of each paused queue tells where its jobs are more than
 *   a few. The window ends there, or nowhere when they are few everywhere.
 * - Patterns or classes: no index knows them, so the window is so many jobs of any kind.
 */

#define FEW_PAUSED    40 /* to walk past so many paused jobs costs less than the question */
#define WINDOW_CLAIMS 64 /* that a window of jobs of any kind is for */
#define FRONT_TIME    CLOCK_SECOND
/* Behind a backlog: what is more urgent waits no longer than for an idle worker's poll. */
#define BEHIND_TIME   (100 * CLOCK_MILLISECOND)

/* Has the window been planned, and not too long ago? */
static bool claim_window_is_known(const struct claim_request *request)
{
	return clock_monotonic() < request->window.until;
}

_Static_assert((int)WINDOW_END_PRIORITY == 0 &&
		       (int)WINDOW_END_PAUSED_JOB_ID ==
			       (int)WINDOW_END_PAUSED_PRIORITY + (int)WINDOW_END_JOB_ID,
	       "read_end reads both");

/* The end stands in this column and the next one, if there is one. */
static void read_end(struct claim_window *window, const struct db_rows *rows, size_t column)
{
	window->ends = rows->count > 0 && !db_is_null(rows, 0, column);
	window->to_priority = window->ends ? db_int(rows, 0, column) : INT_MAX;
	window->to_job = window->ends ? db_int(rows, 0, column + WINDOW_END_JOB_ID) : INT64_MAX;
}

/* Past a few jobs of each paused queue, the fewer the more queues are paused. */
static enum status end_by_paused(struct claiming *claiming, struct claim_window *window,
				 struct error *error)
{
	struct claim_request *request = claiming->request;
	const size_t queues = request->paused_queues > 0 ? request->paused_queues : 1;
	struct db_rows rows;
	enum status status = db_query(
		claiming->db, claiming->arena,
		DB_CALL(window_end_paused, .from_priority = P_INT(window->from_priority),
			.from_job = P_INT(window->from_job), .passed = P_INT(FEW_PAUSED / queues)),
		&rows, error);

	if (status != STATUS_OK)
		return status;
	request->paused_queues = (size_t)db_int(&rows, 0, WINDOW_END_PAUSED_QUEUES);
	window->newest_pause = db_int(&rows, 0, WINDOW_END_PAUSED_NEWEST);
	read_end(window, &rows, WINDOW_END_PAUSED_PRIORITY);
	return STATUS_OK;
}

/* So many jobs of any kind. */
static enum status end_by_length(struct claiming *claiming, struct claim_window *window,
				 struct error *error)
{
	const size_t length = FEW_PAUSED + WINDOW_CLAIMS * claiming->request->limit;
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena,
			 DB_CALL(window_end, .from_priority = P_INT(window->from_priority),
				 .from_job = P_INT(window->from_job), .length = P_INT(length)),
			 &rows, error);

	if (status == STATUS_OK)
		read_end(window, &rows, WINDOW_END_PRIORITY);
	return status;
}

/*
 * Plans a window that begins where `from` does, NULL = at the front. If that was a window already,
 * the new one holds for what is left of its time.
 */
static enum status claim_window_plan(struct claiming *claiming, const struct claim_window *from,
				     struct error *error)
{
	struct claim_request *request = claiming->request;
	struct claim_window window =
		from ? *from : (struct claim_window){ .from_priority = INT_MIN };
	enum status status = request->paused > CLAIM_QUEUES_PAUSED
				     ? end_by_length(claiming, &window, error)
				     : end_by_paused(claiming, &window, error);

	if (status != STATUS_OK)
		return status;
	if (window.until == 0)
		window.until =
			clock_monotonic() + (window.behind_backlog ? BEHIND_TIME : FRONT_TIME);
	request->window = window;
	return STATUS_OK;
}

/*
 * CLAIM_BY_QUEUE: queue by queue, for lists and prefixes, which have an order of their own, for
 * workers of some classes, and for what stands behind a paused backlog. First the question which
 * queues have jobs to claim; the answer lives as long as the claiming.
 */

/* A queue that has ready jobs and is not paused. */
struct claimable_queue {
	const char *name;
	int position;     /* in the worker's list */
	int64_t priority; /* of its next job */
	int64_t job_id;
	bool dry;  /* its next job could not be had */
	bool done; /* and it has nothing behind that either */
};

struct claimable {
	struct claimable_queue *list;
	size_t count;
};

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

/*
 * With the queues that are remembered: looks for the first that has something, claiming->next; when
 * that was claimed from, claims from those behind it. They are forgotten when that was not enough.
 */
static enum status claim_next_look(struct claiming *claiming, struct error *error)
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

static enum status claim_next_take(struct claiming *claiming, struct error *error)
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

/* Makes claiming->call the question. */
static void claimable_prepare(struct claiming *claiming)
{
	const struct claim_request *request = claiming->request;
	const struct selector *selector = request->selector;

	claiming->asked_at = clock_monotonic();
	claiming->call = db_call_keep(
		claiming->arena, DB_CALL(claimable_queues,
					 .queues = selector->all ? P_NULL : P_ROWS(&selector->rows),
					 .process_id = P_INT(request->process_id)));
}

/* From the question's answer, which says what is paused, too. */
static void claimable_read(struct claiming *claiming, struct claimable *claimable)
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

/* Prepares the question, asks it and reads the answer. */
static enum status claimable_ask(struct claiming *claiming, struct claimable *claimable,
				 struct error *error)
{
	claimable_prepare(claiming);
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);

	if (status == STATUS_OK)
		claimable_read(claiming, claimable);
	return status;
}

/* The one whose next job comes first by priority and age; NULL when there is none. */
static const struct claimable_queue *claimable_first(const struct claimable *claimable)
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

/* Claims from one after the other, each in its own transaction, until there is enough. */
static enum status claimable_claim(struct claiming *claiming, struct claimable *claimable,
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

/* The three steps of a claim, which switch on the way. */

/* That a backlog stands first is taken for true. */
#define BACKLOG_TIME CLOCK_SECOND

static enum claim_scope scope_of(const struct selector *selector)
{
	if (selector->all)
		return CLAIM_SCOPE_EVERY;
	return selector->count == 1 && !selector->entries[0].prefix ? CLAIM_SCOPE_ONE
								    : CLAIM_SCOPE_SOME;
}

/* The queue of a worker that takes one. */
static const char *the_queue(const struct claiming *claiming)
{
	INVARIANT(claiming->request->selector->count == 1);
	return claiming->request->selector->entries[0].name;
}

static void choose(struct claiming *claiming, bool idle)
{
	const struct claim_request *request = claiming->request;
	const struct claim_facts facts = {
		.scope = scope_of(request->selector),
		.paused = request->paused,
		.leaves = eligible_leaves(request),
		.idle = idle,
		.backlog = clock_monotonic() < request->backlog_until,
		.window = claim_window_is_known(request),
	};

	claiming->way = claim_choose(&facts);
}

static enum status look_at_every(struct claiming *claiming, bool *anything, struct error *error)
{
	struct db_rows rows;
	enum status status = db_query(
		claiming->db, claiming->arena,
		DB_CALL(waiting, .process_id = P_INT(claiming->request->process_id)), &rows, error);

	*anything = status == STATUS_OK && db_int(&rows, 0, WAITING_ANY) != 0;
	return status;
}

static enum status look_for_eligible(struct claiming *claiming, bool *anything, struct error *error)
{
	return eligible_look(claiming, the_queue(claiming), anything, error);
}

/* If a class is paused, not every job will do any more. */
static enum status look_at_queue(struct claiming *claiming, bool *anything, struct error *error)
{
	struct db_rows rows;
	enum status status =
		db_query(claiming->db, claiming->arena,
			 DB_CALL(waiting_in, .process_id = P_INT(claiming->request->process_id),
				 .queue = P_TEXT(the_queue(claiming))),
			 &rows, error);

	*anything = status == STATUS_OK && db_int(&rows, 0, WAITING_IN_ANY) != 0;
	if (!*anything || db_int(&rows, 0, WAITING_IN_CLASSES) == 0)
		return status;
	claiming->request->paused = CLAIM_CLASSES_PAUSED;
	return look_for_eligible(claiming, anything, error);
}

enum status claim_look(struct claiming *claiming, bool idle, bool *anything, struct error *error)
{
	const struct claim_request *request = claiming->request;
	enum status status = STATUS_OK;

	*anything = true;
	choose(claiming, idle);
	switch (claiming->way) {
	case CLAIM_EVERY_QUEUE:
		return idle ? look_at_every(claiming, anything, error) : STATUS_OK;
	case CLAIM_WINDOW:
		return claim_window_is_known(request) ? STATUS_OK
						      : claim_window_plan(claiming, NULL, error);
	case CLAIM_ONE_QUEUE:
		status = idle ? look_at_queue(claiming, anything, error) : STATUS_OK;
		break;
	case CLAIM_ELIGIBLE:
		if (idle || eligible_place(request, the_queue(claiming)).until == 0)
			status = look_for_eligible(claiming, anything, error);
		break;
	case CLAIM_BEHIND_BACKLOG: /* its script is a look, and so is that of the next one */
		return STATUS_OK;
	case CLAIM_BY_QUEUE:
		return claim_next_look(claiming, error);
	}
	choose(claiming, idle); /* the look may have found that a class is paused, or none is */
	return status;
}

void claim_prepare(struct claiming *claiming)
{
	switch (claiming->way) {
	case CLAIM_EVERY_QUEUE:
		claim_prepare_every(claiming);
		break;
	case CLAIM_WINDOW:
		claim_prepare_window(claiming);
		break;
	case CLAIM_ONE_QUEUE:
	case CLAIM_ELIGIBLE:
		claim_prepare_queue(claiming, the_queue(claiming), INT_MAX);
		break;
	case CLAIM_BY_QUEUE:
		if (claiming->next)
			claim_prepare_queue(claiming, claiming->next, INT_MAX);
		else
			claimable_prepare(claiming);
		break;
	case CLAIM_BEHIND_BACKLOG:
		claimable_prepare(claiming);
		break;
	}
}

static enum status claim_in_window(struct claiming *claiming, const struct claim_window *from,
				   struct error *error)
{
	enum status status = claim_window_plan(claiming, from, error);

	if (status != STATUS_OK)
		return status;
	claim_prepare_window(claiming);
	status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		(void)claim_add_of_every(claiming);
	return status;
}

/* From the first job that is not paused on; what the window leaves, queue by queue. */
static enum status take_behind_backlog(struct claiming *claiming, struct claimable *claimable,
				       struct error *error)
{
	struct claim_request *request = claiming->request;
	const struct claimable_queue *first = claimable_first(claimable);
	enum status status = STATUS_OK;

	if (claimable->count > 0 && request->paused != CLAIM_CLASSES_PAUSED) {
		const struct claim_window behind = { .from_priority = first->priority,
						     .from_job = first->job_id,
						     .behind_backlog = true };
		status = claim_in_window(claiming, &behind, error);
		if (status != STATUS_OK || claim_is_full(claiming) || !request->window.ends)
			return status;
		status = claimable_ask(claiming, claimable, error);
	}
	return status == STATUS_OK ? claimable_claim(claiming, claimable, error) : status;
}

/* What a claim of what stands first has taken, and what it did not get. */
static enum status take_front(struct claiming *claiming, struct error *error)
{
	struct claim_request *request = claiming->request;
	const enum claim_paused told = request->paused;
	struct claimable claimable;
	enum status status = STATUS_OK;
	const enum claim_paused found = claim_add_of_every(claiming);

	if (claim_is_full(claiming) ||
	    (told == CLAIM_NOTHING_PAUSED && found == CLAIM_NOTHING_PAUSED))
		return STATUS_OK;
	/* It took nothing, for more is paused than it knew of; or others took from the window.
	 */
	if (found > told || claiming->count == 0 ||
	    (request->window.ends && found > CLAIM_QUEUES_PAUSED))
		status = claim_in_window(claiming, found > told ? NULL : &request->window, error);
	if (status != STATUS_OK || claim_is_full(claiming) ||
	    !(request->window.ends || request->window.behind_backlog))
		return status;
	request->backlog_until = clock_monotonic() + BACKLOG_TIME;
	status = claimable_ask(claiming, &claimable, error);
	return status == STATUS_OK ? take_behind_backlog(claiming, &claimable, error) : status;
}

/* From the queues that are remembered, if there are any; else, or behind them, as asked. */
static enum status take_by_queue(struct claiming *claiming, struct error *error)
{
	struct claimable claimable;
	enum status status = STATUS_OK;

	if (claiming->next) {
		INVARIANT(claiming->next ==
			  claiming->request->next.names[claiming->request->next.at]);
		claim_add_of_queue(claiming, claiming->next);
		status = claim_next_take(claiming, error);
		if (status != STATUS_OK || claim_is_full(claiming))
			return status;
		status = claimable_ask(claiming, &claimable, error);
	} else {
		claimable_read(claiming, &claimable);
	}
	return status == STATUS_OK ? claimable_claim(claiming, &claimable, error) : status;
}

static enum status take(struct claiming *claiming, struct error *error)
{
	struct claimable claimable;

	switch (claiming->way) {
	case CLAIM_EVERY_QUEUE:
	case CLAIM_WINDOW:
		return take_front(claiming, error);
	case CLAIM_ONE_QUEUE:
	case CLAIM_ELIGIBLE:
		claim_add_of_queue(claiming, the_queue(claiming));
		return STATUS_OK;
	case CLAIM_BEHIND_BACKLOG:
		claimable_read(claiming, &claimable);
		return take_behind_backlog(claiming, &claimable, error);
	case CLAIM_BY_QUEUE:
		return take_by_queue(claiming, error);
	}
	return STATUS_OK;
}

enum status claim_take(struct claiming *claiming, struct error *error)
{
	enum status status = take(claiming, error);

	if (refused_row(status, error))
		status = claim_apart(claiming, error);
	/* What was claimed before a failure is ours and must be run; the failure will come again.
	 */
	if (status == STATUS_UNCERTAIN || (refused_row(status, error) && claiming->count == 0))
		return status;
	return STATUS_OK;
}

/* One job after the other, once the database has refused a claim. */

#define JOBS_MOST 64 /* of a queue in one call: what is behind them is found by the next */

struct apart {
	struct claiming *claiming;
	struct claim_place place; /* of the job that is tried */
	struct refused_work work; /* its list are jobs, by their numbers */
};

/* A window around this job, so that no other can be what is refused. */
static enum status claim_it(const struct apart *apart, struct error *error)
{
	struct claiming *claiming = apart->claiming;

	claiming->request->window = (struct claim_window){
		.from_priority = apart->place.priority,
		.from_job = apart->place.job_id,
		.to_priority = apart->place.priority,
		.to_job = apart->place.job_id + 1,
		.ends = true,
	};
	claim_prepare_window(claiming);
	claiming->request->window = (struct claim_window){ 0 };
	enum status status = db_run(claiming->db, claiming->arena, &claiming->call, 1, error);
	if (status == STATUS_OK)
		(void)claim_add_of_every(claiming);
	return status;
}

static enum status leave_job(void *data, size_t job, const struct error *why, struct error *error)
{
	const struct claiming *claiming = data;
	struct refused refused = { .job = (int64_t)job, .doing = "claim", .why = why };

	return refused_job(claiming->db, &refused, error);
}

static enum status claim_or_leave(struct apart *apart, struct error *error)
{
	struct error why = { 0 };
	enum status status = claim_it(apart, &why);

	apart->work.done = apart->claiming->count;
	if (refused_row(status, &why))
		return refused_one(&apart->work, (size_t)apart->place.job_id, &why, error);
	if (status != STATUS_OK)
		*error = why;
	return status;
}

static enum status claim_of(struct apart *apart, const char *queue, struct error *error)
{
	bool any = true;
	enum status status = STATUS_OK;

	apart->place = (struct claim_place){ .priority = INT_MIN };
	for (int i = 0; i < JOBS_MOST && status == STATUS_OK && !claim_is_full(apart->claiming);
	     i++) {
		status = eligible_first(apart->claiming, queue, &apart->place, &any, error);
		if (status != STATUS_OK || !any)
			return status;
		status = claim_or_leave(apart, error);
		apart->place.job_id++;
	}
	return status;
}

enum status claim_apart(struct claiming *claiming, struct error *error)
{
	struct apart apart = { .claiming = claiming,
			       .work = { .data = claiming, .alone = leave_job } };
	struct claimable claimable;
	const int64_t patience = refused_hurry(claiming->db);
	enum status status = claimable_ask(claiming, &claimable, error);

	for (size_t i = 0; status == STATUS_OK && i < claimable.count; i++)
		status = claim_of(&apart, claimable.list[i].name, error);
	memset(claiming->request->places, 0, sizeof(claiming->request->places));
	if (status == STATUS_OK)
		status = refused_conclude(&apart.work, error);
	(void)db_set_retry_for(claiming->db, patience);
	return status;
}
