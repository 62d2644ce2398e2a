/* What tests of schedules begin with: an arena, and the time zones of the system. */
#ifndef TEST_ZONE_WORLD_H
#define TEST_ZONE_WORLD_H

#include <stdint.h>

#include "schedule/schedule.h"

struct world {
	struct arena *arena;
	struct zones *zones;
};

/* A group's setup and teardown; its state is the struct world. */
int world_set_up(void **state);
int world_tear_down(void **state);

/* What is asked for, in the world's zones; fails the test when it is refused. */
const struct schedule *world_schedule(const struct world *world, struct schedule_request request);

/*
 * Fails when other runs than these come after an instant, forward and back: texts of clock_parse
 * with commas between them, followed by what is peculiar: "moved", "first" or "second".
 */
void assert_runs(const struct schedule *schedule, const char *after, const char *runs);

/* The instant that a text of clock_parse names; fails the test when it is none. */
int64_t instant(const char *text);

#endif
