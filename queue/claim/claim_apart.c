#include "queue/claim/claim_by_queue.h"

#include <limits.h>
#include <string.h>

#include "queue/claim/claim_calls.h"
#include "queue/claim/eligible.h"
#include "queue/refused/refused.h"

#define JOBS_MOST 64 /* of a queue in one call: what is behind them is found by the next */

struct apart {
	struct claiming *claiming;
	struct claim_place place; /* of the job that is tried */
};

/* A window around this job, so that no other can be what is refused. */
static enum status claim_it(void *data, size_t first, size_t count, struct error *error)
{
	const struct apart *apart = data;
	struct claiming *claiming = apart->claiming;

	(void)first;
	(void)count;
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

static enum status leave_it(void *data, size_t at, const struct error *why, struct error *error)
{
	const struct apart *apart = data;
	struct refused refused = { .job = apart->place.job_id, .doing = "claim", .why = why };

	(void)at;
	return refused_job(apart->claiming->db, &refused, error);
}

static enum status claim_of(struct apart *apart, const char *queue, struct refused_work *work,
			    struct error *error)
{
	bool any = true;
	enum status status = STATUS_OK;

	apart->place = (struct claim_place){ .priority = INT_MIN };
	for (int i = 0; i < JOBS_MOST && status == STATUS_OK && !claim_is_full(apart->claiming);
	     i++) {
		status = eligible_first(apart->claiming, queue, &apart->place, &any, error);
		if (status != STATUS_OK || !any)
			return status;
		status = refused_by_halves(work, 1, error);
		apart->place.job_id++;
	}
	return status;
}

enum status claim_apart(struct claiming *claiming, struct error *error)
{
	struct apart apart = { .claiming = claiming };
	struct refused_work work = { .data = &apart,
				     .run = claim_it,
				     .alone = leave_it,
				     .tries = &claiming->request->tries };
	struct claimable claimable;
	enum status status = claimable_ask(claiming, &claimable, error);

	for (size_t i = 0; status == STATUS_OK && i < claimable.count; i++)
		status = claim_of(&apart, claimable.list[i].name, &work, error);
	memset(claiming->request->places, 0, sizeof(claiming->request->places));
	return status;
}
