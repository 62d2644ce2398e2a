#include "supervisor/roles.h"

#include <string.h>

#include "config/config.h"
#include "dispatcher/dispatcher.h"
#include "scheduler/scheduler.h"
#include "worker/worker.h"

const struct role *const all_roles[] = {
	&dispatcher_role,
	&worker_role,
	&scheduler_role,
	NULL,
};

size_t role_entries(const struct role *role, const struct config *config)
{
	return role->needed && !role->needed(config) ? 0 : config_entries(config, role->section);
}

struct served role_serves(const struct role *role, const struct config *config, size_t entry)
{
	return role->serves ? role->serves(config, entry) : (struct served){ 0 };
}

bool served_same(struct served one, struct served other)
{
	size_t i = 0;

	while (i < one.count && i < other.count && strcmp(one.queues[i], other.queues[i]) == 0)
		i++;
	return i == one.count && i == other.count;
}
