/* What fugit makes of schedules (tests/unit/model/schedules.rb), held against ours. */
#ifndef TEST_FUGIT_MODEL_H
#define TEST_FUGIT_MODEL_H

#include <stddef.h>

#include "tests/support/model/zone_world.h"

/*
 * Fails where ours, in compatible mode, says something else than one of the lines: a schedule, an
 * instant, the next runs after it; "-" when it is refused. Returns how many lines there are.
 */
size_t fugit_model_check(const struct world *world, const char *lines);

#endif
