#include "queue/processes/loss_policy.h"

#include <jansson.h>

#include "common/clock.h"
#include "queue/processes/shared.h"

#define LONGEST_SILENCE 432000.0 /* seconds: a longer threshold is a mistake */

int64_t loss_bound(const struct loss_policy *policy, int64_t declared)
{
	return policy->alike || declared == JOB_NO_BOUND ? policy->max_losses : declared;
}

struct loss_policy loss_policy_foreign(const struct loss_policy *policy)
{
	struct loss_policy own = *policy;

	if (policy->others_fail) {
		own.max_losses = 0;
		own.alike = true;
	}
	return own;
}

enum status loss_policy_orphans(struct db *db, const struct loss_policy *policy,
				struct loss_policy *own, struct error *error)
{
	struct arena *arena = arena_new();
	struct shared shared = { 0 };
	enum status status = STATUS_OK;

	*own = *policy;
	if (policy->others_fail)
		status = shared_look(db, arena, policy->other_class, &shared, error);
	if (shared.shared)
		own->max_losses = 0;
	arena_free(arena);
	return status;
}

struct prune prune_after(int64_t threshold, int64_t others, int64_t self)
{
	return (struct prune){
		.self = self,
		.threshold = threshold,
		.other_threshold = threshold > others ? threshold : others,
	};
}

/*
 * Processes of dray publish their interval in their metadata; a process that misses five heartbeats
 * is dead.
 */
int64_t process_threshold(const struct prune *prune, const char *metadata)
{
	json_t *root = metadata ? json_loads(metadata, 0, NULL) : NULL;
	json_t *interval = json_object_get(root, "heartbeat_interval");
	int64_t result = prune->other_threshold;

	if (json_is_number(interval)) {
		double five = json_number_value(interval) * 5;

		five = five < LONGEST_SILENCE ? five : LONGEST_SILENCE;
		result = five > 0 ? (int64_t)(five * (double)CLOCK_SECOND) : 0;
		result = result > prune->threshold ? result : prune->threshold;
	}
	json_decref(root);
	return prune->watched < result ? result + prune->slack : result;
}

bool process_silent(const struct prune *prune, const char *metadata, int64_t silence)
{
	return silence >= process_threshold(prune, metadata);
}
