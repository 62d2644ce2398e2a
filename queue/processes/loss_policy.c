#include "queue/processes/loss_policy.h"

#include <jansson.h>
#include <string.h>

#include "queue/processes/shared.h"

int64_t loss_bound(const struct loss_policy *policy, const char *class_name)
{
	json_t *list = policy->classes ? json_loads(policy->classes, 0, NULL) : NULL;
	int64_t bound = policy->max_losses;
	const json_t *row;
	size_t i;

	json_array_foreach(list, i, row)
	{
		const char *name = json_string_value(json_object_get(row, "class_name"));
		if (name && strcmp(name, class_name) == 0)
			bound = json_integer_value(json_object_get(row, "max_losses"));
	}
	json_decref(list);
	return bound;
}

struct loss_policy loss_policy_foreign(const struct loss_policy *policy)
{
	struct loss_policy own = *policy;

	if (policy->others_fail) {
		own.max_losses = 0;
		own.classes = "[]";
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
	if (shared.shared) {
		own->max_losses = 0;
		own->classes = policy->declared;
	}
	arena_free(arena);
	return status;
}
