#include "supervisor/roles.h"

#include "config/config.h"
#include "dispatcher/dispatcher.h"
#include "scheduler/scheduler.h"
#include "worker/worker.h"

static size_t dispatcher_entries(const struct config *config)
{
	return config->dispatcher_count;
}

static size_t worker_entries(const struct config *config)
{
	return config->worker_count;
}

/* One, if there are tasks or some may be added at run time. */
static size_t scheduler_entries(const struct config *config)
{
	return config_has_tasks(config) ? 1 : 0;
}

static size_t one_process(const struct config *config, size_t entry)
{
	(void)config;
	(void)entry;
	return 1;
}

static size_t worker_processes(const struct config *config, size_t entry)
{
	return (size_t)config->workers[entry].processes;
}

static bool same_worker(const struct config *before, size_t entry, const struct config *after,
			size_t other)
{
	return config_same_entry(before, after, "workers", entry, other);
}

static struct served worker_queues(const struct config *config, size_t entry)
{
	const struct config_worker *worker = &config->workers[entry];

	return (struct served){ (const char *const *)worker->queues, worker->queue_count };
}

static bool same_dispatcher(const struct config *before, size_t entry, const struct config *after,
			    size_t other)
{
	return config_same_entry(before, after, "dispatchers", entry, other);
}

static bool same_scheduler(const struct config *before, size_t entry, const struct config *after,
			   size_t other)
{
	return config_same_entry(before, after, "scheduler", entry, other);
}

const struct role_kind role_kinds[] = {
	{ &dispatcher_role, TIER_FEEDERS, dispatcher_entries, one_process, same_dispatcher, NULL },
	{ &worker_role, TIER_WORKERS, worker_entries, worker_processes, same_worker,
	  worker_queues },
	{ &scheduler_role, TIER_FEEDERS, scheduler_entries, one_process, same_scheduler, NULL },
};

const size_t role_kind_count = sizeof(role_kinds) / sizeof(role_kinds[0]);
