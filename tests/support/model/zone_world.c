#include "tests/support/model/zone_world.h"

#include "common/arena.h"
#include "common/clock.h"
#include "schedule/zone/zones.h"
#include "tests/support/test.h"

int world_set_up(void **state)
{
	static struct world world;

	world.arena = arena_new();
	world.zones = zones_new(world.arena, NULL);
	*state = &world;
	return 0;
}

int world_tear_down(void **state)
{
	struct world *world = *state;

	arena_free(world->arena);
	return 0;
}

int64_t instant(const char *text)
{
	int64_t value = 0;

	if (clock_parse(text, &value) != STATUS_OK)
		fail_msg("not a time: %s", text);
	return value;
}
