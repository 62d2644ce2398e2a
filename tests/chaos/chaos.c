/*
 * chaos [BACKEND...]: breaks what a deployment stands on, one thing a cell, and checks that no job
 * is lost, none is finished twice, and service is regained. Of the backends of DRAY_TEST_BACKENDS
 * those named, or all. DRAY_TEST_ONLY selects cells by a part of their name.
 */
#include "tests/chaos/cells.h"

#define CTEST_SKIPPED 77

#define SERVERS "postgresql mysql mariadb"

static const struct cell cells[] = {
	{ "nothing", NULL, cell_nothing, .outages = 1 },
	{ "server restarted", SERVERS, cell_server_restarted, .outages = 1 },
	{ "server crashed", SERVERS, cell_server_crashed, .outages = 1 },
	{ "connections ended", SERVERS, cell_connections_ended, .outages = 8 },
	{ "connections exhausted", SERVERS, cell_connections_exhausted, .outages = 2 },
	{ "read only", SERVERS, cell_read_only, .outages = 1 },
	{ "disk full", NULL, cell_disk_full, .outages = 3, .missing = cell_disk_missing },
	{ "network slow", SERVERS, cell_network_slow, .outages = 1 },
	{ "network stalled", SERVERS, cell_network_stalled, .outages = 2 },
	{ "network half-open", SERVERS, cell_network_half_open, .outages = 2 },
	{ "network dropped", SERVERS, cell_network_dropped, .outages = 1 },
	{ "worker frozen", NULL, cell_worker_frozen, .ghosts = true },
	{ "dispatcher frozen", NULL, cell_dispatcher_frozen, .ghosts = true },
	{ "supervisor frozen", NULL, cell_supervisor_frozen, .ghosts = true },
	{ "workers killed", NULL, cell_workers_killed },
	{ "dispatcher killed", NULL, cell_dispatcher_killed },
	{ "supervisor killed", NULL, cell_supervisor_killed },
	{ "one of two cut off", SERVERS, cell_instance_cut_off, .two = true, .ghosts = true },
	{ "one of two unplugged", SERVERS, cell_namespace_cut_off, .start = cell_namespace_start,
	  .end = cell_namespace_end, .missing = cell_namespace_missing, .two = true,
	  .ghosts = true },
	{ "one of two frozen", NULL, cell_instance_frozen, .two = true, .ghosts = true },
	{ "clock jumps", NULL, cell_clock_jumps, .start = cell_clock_start, .ghosts = true },
	{ "replica promoted", "postgresql", cell_failover, .fault = cell_failover_fault },
	{ "file locked", "sqlite", cell_file_locked, .outages = 1 },
	{ "file moved away", "sqlite", cell_file_gone, .outages = 2 },
	{ "file read only", "sqlite", cell_file_read_only, .start = cell_file_read_only_start,
	  .missing = cell_file_read_only_missing },
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
