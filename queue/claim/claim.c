#include "queue/claim/claim.h"

#include <limits.h>

#include "common/clock.h"
#include "db/operations.h"
#include "queue/claim/claim_by_queue.h"
#include "queue/claim/claim_calls.h"
#include "queue/claim/claim_window.h"
#include "queue/claim/eligible.h"
#include "queue/refused/refused.h"

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

	if (first && request->paused != CLAIM_CLASSES_PAUSED) {
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

	if (refused_status(status))
		status = claim_apart(claiming, error);
	/* What was claimed before a failure is ours and must be run; the failure will come again.
	 */
	if (status == STATUS_UNCERTAIN || (refused_status(status) && claiming->count == 0))
		return status;
	return STATUS_OK;
}
