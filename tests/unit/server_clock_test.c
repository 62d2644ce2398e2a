/* The database's clock as a connection knows it: measured badly, set forward, set back. */
#include "db/server_clock.h"

#include "tests/support/test.h"

#define NOON INT64_C(1795262400000000)

CASE(test_a_measurement_bounds_the_offset)
{
	struct server_clock clock = { 0 };

	server_clock_measured(&clock, NOON, 100, 300);
	assert_int_equal(clock.offset, NOON - 200);
	/* Consistent with what we had, though it took an hour. */
	server_clock_measured(&clock, NOON + 1000, 1000, CLOCK_HOUR);
	assert_int_equal(clock.offset, NOON - 200);
	/* Quick, and somewhere else: the nearest offset that can be. */
	server_clock_measured(&clock, NOON + CLOCK_MINUTE, 1000, 1010);
	assert_int_equal(clock.offset, NOON + CLOCK_MINUTE - 1010);
	server_clock_measured(&clock, NOON - CLOCK_MINUTE, 1000, 1010);
	assert_int_equal(clock.offset, NOON - CLOCK_MINUTE - 1000);
}

CASE(test_no_value_comes_twice)
{
	struct server_clock clock = { 0 };
	int64_t last = 0;

	server_clock_measured(&clock, NOON, 0, 0);
	for (int i = 0; i < 1000; i++) {
		int64_t now = server_clock_now(&clock, i / 10);
		assert_true(now > last);
		last = now;
	}
	assert_in_range(last, NOON, NOON + CLOCK_SECOND);
	/* Put back a little: it crawls until its time comes. */
	server_clock_measured(&clock, NOON - CLOCK_SECOND / 2, 0, 0);
	int64_t next = server_clock_now(&clock, 0);
	assert_true(next > last && next < last + 100);
}

/* The same hour twice, looked at every microsecond for a while: all values differ. */
CASE(test_a_clock_that_is_set_back_is_followed)
{
	struct server_clock clock = { 0 };
	int64_t first[100];

	server_clock_measured(&clock, NOON, 0, 0);
	for (int i = 0; i < 100; i++)
		first[i] = server_clock_now(&clock, i);
	(void)server_clock_now(&clock, CLOCK_HOUR);
	server_clock_measured(&clock, NOON, CLOCK_HOUR, CLOCK_HOUR);
	for (int i = 0; i < 100; i++) {
		int64_t again = server_clock_now(&clock, CLOCK_HOUR + i);
		assert_in_range(again, NOON, NOON + 808);
		for (int j = 0; j < 100; j++)
			assert_int_not_equal(again, first[j]);
	}
}
