#include "queue/claim/claim_by_queue.h"

#include <limits.h>
#include <string.h>

#include "queue/claim/claim_calls.h"
#include "queue/claim/eligible.h"
#include "queue/refused/refused.h"

#define JOBS_MOST 64 /* of a queue in one call: what is behind them is found by the next */

struct apart {
	struct claiming *claiming;
	struct claim_place place;           /* of the job that is tried */
	int64_t suspects[REFUSED_SUSPECTS]; /* jobs that were refused before one was claimed */
	size_t suspect_count;
	struct error why; /* of the last of them */
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

static enum status leave(const struct apart *apart, int64_t job, const struct error *why,
			 struct error *error)
{
	struct refused refused = { .job = job, .doing = "claim", .why = why };

	return refused_job(apart->claiming->db, &refused, error);
}

static enum status claim_or_leave(struct apart *apart, struct error *error)
{
	struct error why = { 0 };
	enum status status = claim_it(apart, &why);

	if (status == STATUS_OK)
		return status;
	if (refused_status(status) && (status != STATUS_FATAL || apart->claiming->count > 0))
		return leave(apart, apart->place.job_id, &why, error);
	apart->why = why;
	if (status == STATUS_FATAL && apart->suspect_count < REFUSED_SUSPECTS) {
		apart->suspects[apart->suspect_count++] = apart->place.job_id;
		return STATUS_OK;
	}
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

/* They were refused alone only if another one could be claimed. */
static enum status judge(const struct apart *apart, struct error *error)
{
	enum status status = STATUS_OK;

	if (apart->suspect_count > 0 && apart->claiming->count == 0) {
		*error = apart->why;
		return apart->why.status;
	}
	for (size_t i = 0; i < apart->suspect_count && status == STATUS_OK; i++)
		status = leave(apart, apart->suspects[i], &apart->why, error);
	return status;
}

enum status claim_apart(struct claiming *claiming, struct error *error)
{
	struct apart apart = { .claiming = claiming };
	struct claimable claimable;
	enum status status = claimable_ask(claiming, &claimable, error);

	for (size_t i = 0; status == STATUS_OK && i < claimable.count; i++)
		status = claim_of(&apart, claimable.list[i].name, error);
	memset(claiming->request->places, 0, sizeof(claiming->request->places));
	return status == STATUS_OK ? judge(&apart, error) : status;
}
