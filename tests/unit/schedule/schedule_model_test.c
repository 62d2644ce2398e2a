/*
 * Random schedules whose runs were computed by fugit, the parser that Solid Queue uses, held
 * against ours in its compatible mode (RK10, RK14; docs/internals/solid-queue.md, 2.10 and 2.11).
 */
#include <stdlib.h>

#include "common/process.h"
#include "tests/support/model/fugit_model.h"
#include "tests/support/test.h"

#define LINES_AT_LEAST 500

CASE(test_model)
{
	struct error error = { 0 };
	char *text = NULL;
	size_t length;

	assert_ok(file_read(SOURCE_DIR "/tests/unit/model/schedules.txt", 1 << 20, &text, &length,
			    &error),
		  &error);
	assert_true(fugit_model_check(*state, text) >= LINES_AT_LEAST);
	free(text);
}

GROUP(world_set_up, world_tear_down);
