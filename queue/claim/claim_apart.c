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

static enum status leave(void *data, size_t job, const struct error *why, struct error *error)
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
	if (refused_status(status))
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
	struct apart apart = { .claiming = claiming, .work = { .data = claiming, .alone = leave } };
	struct claimable claimable;
	enum status status = claimable_ask(claiming, &claimable, error);

	for (size_t i = 0; status == STATUS_OK && i < claimable.count; i++)
		status = claim_of(&apart, claimable.list[i].name, error);
	memset(claiming->request->places, 0, sizeof(claiming->request->places));
	return status == STATUS_OK ? refused_conclude(&apart.work, error) : status;
}
