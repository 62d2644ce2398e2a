/* What tests of schedules begin with: an arena, and the time zones of the system. */
#ifndef TEST_ZONE_WORLD_H
#define TEST_ZONE_WORLD_H

#include <stdint.h>

struct world {
	struct arena *arena;
	struct zones *zones;
};

/* A group's setup and teardown; its state is the struct world. */
int world_set_up(void **state);
int world_tear_down(void **state);

/* The instant that a text of clock_parse names; fails the test when it is none. */
int64_t instant(const char *text);

#endif
