/* Random schedules as fugit and our compatible mode run them (RK10, RK14; solid-queue.md, 2.10). */
#include "tests/support/model/fugit_model.h"
#include "tests/support/test.h"

#define LINES_AT_LEAST 500

CASE(test_model)
{
	const struct world *world = *state;
	const char *text =
		test_read_file(world->arena, SOURCE_DIR "/tests/unit/model/schedules.txt");

	assert_true(fugit_model_check(world, text) >= LINES_AT_LEAST);
}

GROUP(world_set_up, world_tear_down);
