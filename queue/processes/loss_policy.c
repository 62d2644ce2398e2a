#include "queue/processes/loss_policy.h"

#include "queue/processes/shared.h"

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
