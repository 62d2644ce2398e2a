/*
 * chaos [BACKEND...]: breaks what a deployment stands on, one thing a cell, and checks that no job
 * is lost, none is finished twice, and service is regained. Without arguments the backends of
 * DRAY_TEST_BACKENDS. DRAY_TEST_ONLY selects cells by a part of their name.
 */
#include "tests/chaos/cells.h"

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

int main(int argc, char **argv)
{
	struct arena *arena = arena_new();
	size_t count = (size_t)argc - 1;
	const char *const *backends =
		argc > 1 ? (const char *const *)argv + 1 : test_backends(arena, &count);
	int failed = 0;

	for (size_t i = 0; i < count; i++)
		failed += field_run(backends[i], cells, sizeof(cells) / sizeof(cells[0]));
	arena_free(arena);
	return failed;
}
