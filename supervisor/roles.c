#include "supervisor/roles.h"

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
