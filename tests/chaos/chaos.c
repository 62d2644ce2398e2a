/*
 * chaos [BACKEND...]: breaks what a deployment stands on, one thing a cell, and checks that no job
 * is lost, none is finished twice, and service is regained. Of the backends of DRAY_TEST_BACKENDS
 * those named, or all. DRAY_TEST_ONLY selects cells by a part of their name.
 */
#include <string.h>

#include "tests/chaos/cells.h"

#define CTEST_SKIPPED 77

static const struct cell cells[] = {
	{ .name = "nothing", .disturb = cell_nothing, .outages = 1 },
	{ .name = "server restarted",
	  .backends = "postgresql mysql mariadb",
	  .disturb = cell_server_restarted,
	  .outages = 1 },
	{ .name = "server crashed",
	  .backends = "postgresql mysql mariadb",
	  .disturb = cell_server_crashed,
	  .outages = 1 },
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
