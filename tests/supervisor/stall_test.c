/* How long a loop may stand still: by the database's waits, and never before others give up. */
#include "process/notice.h"
#include "tests/support/test.h"

CASE(test_limits)
{
	static const struct {
		int64_t connect, call, retry, threshold, limit;
	} cases[] = {
		{ 5, 30, 10, 30, 180 }, { 5, 30, 10, 300, 300 },        { 1, 0, 0, 30, 30 },
		{ 0, 0, 0, 1, 5 },      { 600, 3600, 3600, 30, 31200 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct config config = {
			.database = { .connect_timeout = cases[i].connect * CLOCK_SECOND,
				      .call_timeout = cases[i].call * CLOCK_SECOND,
				      .retry_for = cases[i].retry * CLOCK_SECOND },
			.process = { .process_alive_threshold = cases[i].threshold * CLOCK_SECOND },
		};
		assert_int_equal(stall_limit(&config), cases[i].limit * CLOCK_SECOND);
		assert_true(stall_beat(&config) > 0);
		assert_true(4 * stall_beat(&config) < stall_limit(&config));
	}
}
