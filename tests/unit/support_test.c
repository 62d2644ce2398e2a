/* What the tests stand on: a helper that hides a failure would hide everything. */
#include "tests/support/sites/command.h"
#include "tests/support/sites/process.h"
#include "tests/support/test.h"

static int fail_assertion(unsigned index, void *data)
{
	(void)data;
	if (!freopen("/dev/null", "w", stderr))
		return 99;
	assert_int_equal(index, 1000);
	return 0;
}

static int sleep_long(unsigned index, void *data)
{
	(void)index;
	(void)data;
	clock_sleep(CLOCK_HOUR);
	return 0;
}

CASE(test_failing_child)
{
	const struct test_function function = { fail_assertion, NULL };

	assert_int_equal(test_wait_exit(test_fork(&function, 0), CLOCK_MINUTE), -SIGABRT);
}

CASE(test_slow_child)
{
	const struct test_function function = { sleep_long, NULL };

	assert_int_equal(test_wait_exit(test_fork(&function, 0), CLOCK_MILLISECOND), TEST_TIMEOUT);
}

CASE(test_waiting)
{
	int count = 0;

	test_until(++count >= 3, "three");
	assert_int_equal(count, 3);
	assert_false(test_look_again(clock_monotonic()));
}

static void pass(void **state)
{
	(void)state;
}

static int fail_fixture(void **state)
{
	(void)state;
	return 1;
}

static int run_groups(unsigned index, void *data)
{
	static const struct {
		CMFixtureFunction set_up;
		CMFixtureFunction tear_down;
	} groups[] = { { NULL, NULL }, { NULL, fail_fixture }, { fail_fixture, NULL } };
	const struct CMUnitTest tests[] = { cmocka_unit_test(pass) };

	(void)data;
	if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
		return 99;
	return test_group(tests, groups[index].set_up, groups[index].tear_down);
}

CASE(test_failing_fixtures)
{
	const struct test_function function = { run_groups, NULL };
	int results[3];

	test_fork_all(&function, 3, results, CLOCK_MINUTE);
	assert_int_equal(results[0], 0);
	assert_true(results[1] > 0 && results[1] < 99);
	assert_true(results[2] > 0 && results[2] < 99);
}
