/*
 * chaos [BACKEND...]: breaks what a deployment stands on, one thing a cell, and checks that no job
 * is lost, none is finished twice, and service is regained. Of the backends of DRAY_TEST_BACKENDS
 * those named, or all. DRAY_TEST_ONLY selects cells by a part of their name.
 */
#include <string.h>

#include "tests/chaos/cells.h"

#define CTEST_SKIPPED 77

#define SERVERS "postgresql mysql mariadb"

static const struct cell cells[] = {
	{
		.name = "nothing",
		.disturb = cell_nothing,
		.outages = 1,
	},
	{
		.name = "server restarted",
		.backends = SERVERS,
		.disturb = cell_server_restarted,
		.outages = 1,
	},
	{
		.name = "server crashed",
		.backends = SERVERS,
		.disturb = cell_server_crashed,
		.outages = 1,
	},
	{
		.name = "connections ended",
		.backends = SERVERS,
		.disturb = cell_connections_ended,
		.outages = 8,
	},
	{
		.name = "connections exhausted",
		.backends = SERVERS,
		.disturb = cell_connections_exhausted,
		.outages = 2,
	},
	{
		.name = "read only",
		.backends = SERVERS,
		.disturb = cell_read_only,
		.outages = 1,
	},
	{
		.name = "disk full",
		.disturb = cell_disk_full,
		.outages = 3,
		.missing = cell_disk_missing,
	},
	{
		.name = "network slow",
		.backends = SERVERS,
		.disturb = cell_network_slow,
		.outages = 1,
	},
	{
		.name = "network stalled",
		.backends = SERVERS,
		.disturb = cell_network_stalled,
		.outages = 2,
	},
	{
		.name = "network half-open",
		.backends = SERVERS,
		.disturb = cell_network_half_open,
		.outages = 2,
	},
	{
		.name = "network dropped",
		.backends = SERVERS,
		.disturb = cell_network_dropped,
		.outages = 1,
	},
	{
		.name = "worker frozen",
		.disturb = cell_worker_frozen,
		.ghosts = true,
	},
	{
		.name = "dispatcher frozen",
		.disturb = cell_dispatcher_frozen,
		.ghosts = true,
	},
	{
		.name = "supervisor frozen",
		.disturb = cell_supervisor_frozen,
		.ghosts = true,
	},
	{
		.name = "workers killed",
		.disturb = cell_workers_killed,
	},
	{
		.name = "dispatcher killed",
		.disturb = cell_dispatcher_killed,
	},
	{
		.name = "supervisor killed",
		.disturb = cell_supervisor_killed,
	},
	{
		.name = "one of two cut off",
		.backends = SERVERS,
		.disturb = cell_instance_cut_off,
		.two = true,
		.ghosts = true,
	},
	{
		.name = "one of two unplugged",
		.backends = SERVERS,
		.disturb = cell_namespace_cut_off,
		.start = cell_namespace_start,
		.end = cell_namespace_end,
		.missing = cell_namespace_missing,
		.two = true,
		.ghosts = true,
	},
	{
		.name = "one of two frozen",
		.disturb = cell_instance_frozen,
		.two = true,
		.ghosts = true,
	},
	{
		.name = "clock jumps",
		.disturb = cell_clock_jumps,
		.start = cell_clock_start,

		.ghosts = true,
	},
	{
		.name = "replica promoted",
		.backends = "postgresql",
		.disturb = cell_failover,
		.fault = cell_failover_fault,
	},
	{
		.name = "file locked",
		.backends = "sqlite",
		.disturb = cell_file_locked,
		.outages = 1,
	},
	{
		.name = "file moved away",
		.backends = "sqlite",
		.disturb = cell_file_gone,
		.outages = 2,
	},
	{
		.name = "file read only",
		.backends = "sqlite",
		.disturb = cell_file_read_only,
		.start = cell_file_read_only_start,
		.missing = cell_file_read_only_missing,
	},
};

static bool named(const char *backend, char *const *arguments)
{
	for (char *const *argument = arguments; *argument; argument++)
		if (strcmp(*argument, backend) == 0)
			return true;
	return *arguments == NULL;
}

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	size_t count;
	const char *const *backends = test_backends(arena, &count);
	int failed = 0;
	bool any = false;

	(void)argc;
	for (size_t i = 0; i < count; i++) {
		if (!named(backends[i], argv + 1))
			continue;
		any = true;
		failed += field_run(backends[i], cells, sizeof(cells) / sizeof(cells[0]));
	}
	arena_free(arena);
	return any ? failed : CTEST_SKIPPED;
}
