#include "worker/last_chance.h"

#include "common/clock.h"
#include "common/log/log.h"
#include "worker/state.h"

/*
 * A worker learns that there are several such jobs when it claims them together; from then on it is
 * wary. While a wary worker runs one of them it claims past the others (claim_leave_last_chance).
 * When it runs none it claims a single job: if that is the next one on its last chance, nothing has
 * to be given back; if it is not, such jobs are no longer first in the queue and the worker is no
 * longer wary. So a worker that has never met two of them pays nothing, and each of many is claimed
 * once.
 */

void last_chance_open(struct worker *worker)
{
	worker->claim.last_chance =
		(struct claim_last_chance){ .max_losses = config_losses(worker->config, NULL) };
}

static bool on_last_chance(const struct worker *worker, const struct job *job)
{
	const int64_t standard = worker->claim.last_chance.max_losses;

	return job->losses > 0 &&
	       job->losses >= (job->max_losses == JOB_NO_BOUND ? standard : job->max_losses);
}

/* The job of this kind that runs; one that has ended is settled together with the next claim. */
static const struct job *running(const struct worker *worker)
{
	for (size_t i = 0; i < worker->slots.count; i++) {
		const struct slot *slot = &worker->slots.all[i];

		if (slot->taken && !slot->ended && on_last_chance(worker, &slot->claim.job))
			return &slot->claim.job;
	}
	return NULL;
}

size_t last_chance_limit(struct worker *worker, size_t limit)
{
	bool runs = worker->wary && running(worker);

	claim_leave_last_chance(&worker->claim, runs);
	return worker->wary && !runs && limit > 1 ? 1 : limit;
}

static enum status give_back(struct role_context *context, struct outcome outcomes[], size_t count,
			     struct error *error)
{
	struct worker *worker = context->state;
	struct settle_request what = { .process_id = worker->claim.process_id,
				       .outcomes = outcomes,
				       .outcome_count = count };
	struct claim *none;
	size_t none_count;

	return settle(context->db, worker->tick_arena, &what, &none, &none_count, error);
}

static void tell(const struct job *one, size_t others)
{
	log_event(LOG_INFO, "worker.last_chance", LOG_INT("job", one->id),
		  LOG_TEXT("class", one->class_name), LOG_INT("losses", one->losses),
		  LOG_INT("given_back", others),
		  LOG_TEXT("reason", "the next loss ends this job: other jobs in the same "
				     "position wait until it has ended, all others go on"));
}

/* No need to wait for the next poll: the claim was smaller than the number of idle slots. */
static void look_again(struct worker *worker)
{
	worker->next_poll = clock_monotonic();
	worker->claim.idle = false;
}

/* A wary worker that runs none of them has claimed one job, or found none. */
static void judge(struct worker *worker, const struct claim claims[], size_t count)
{
	if (!worker->wary || worker->claim.last_chance.on || worker->claim.limit == 0)
		return;
	worker->wary = count > 0 && on_last_chance(worker, &claims[0].job);
	if (count > 0)
		look_again(worker);
}

enum status last_chance_keep_apart(struct role_context *context, struct claim claims[],
				   size_t *count, struct error *error)
{
	struct worker *worker = context->state;
	const struct job *one = NULL;
	struct outcome *back = arena_array(worker->tick_arena, *count + 1, sizeof(*back));
	size_t back_count = 0;
	size_t kept = 0;

	judge(worker, claims, *count);
	for (size_t i = 0; i < *count; i++) {
		bool last = on_last_chance(worker, &claims[i].job);
		if (last && !one)
			one = running(worker);
		if (last && one) {
			back[back_count++] = (struct outcome){
				.claim = claim_name(&claims[i]),
				.kind = OUTCOME_RELEASED,
				.limited = claims[i].job.concurrency_key != NULL,
			};
			continue;
		}
		claims[kept] = claims[i];
		one = last ? &claims[kept].job : one;
		kept++;
	}
	*count = kept;
	if (back_count == 0)
		return STATUS_OK;
	if (!worker->wary)
		tell(one, back_count);
	worker->wary = true;
	look_again(worker);
	return give_back(context, back, back_count, error);
}
