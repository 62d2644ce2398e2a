#include "policy/policy.h"

void policy_defaults(const struct config *config, struct new_job *job)
{
	const struct config_class *class = config_class_find(config, job->class_name);

	if (!class)
		return;
	if (!job->queue)
		job->queue = class->queue;
	if (!job->has_priority && class->priority != 0) {
		job->priority = class->priority;
		job->has_priority = true;
	}
}
