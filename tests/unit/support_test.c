/* What the tests stand on: a helper that hides a failure would hide everything. */
#include "tests/support/sites/command.h"
#include "tests/support/sites/process.h"
#include "tests/support/test.h"

static int return_index(unsigned index, void *data)
{
	(void)data;
	return (int)index;
}

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

CASE(test_children)
{
	const struct test_function function = { return_index, NULL };
	int results[5];

	test_fork_all(&function, 5, results, CLOCK_MINUTE);
	for (int i = 0; i < 5; i++)
		assert_int_equal(results[i], i);
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

static bool reached(void *data)
{
	int *count = data;

	return ++*count >= 3;
}

static bool never(void *data)
{
	(void)data;
	return false;
}

CASE(test_waiting)
{
	int count = 0;

	assert_true(test_wait_until(reached, &count, CLOCK_MINUTE));
	assert_int_equal(count, 3);
	assert_false(test_wait_until(never, NULL, CLOCK_MILLISECOND));
}

ARENA_CASE(test_commands)
{
	static const char *const arguments[] = { "-c",
						 "cat; echo \"$GREETING$HOME\" >&2; pwd; exit 7",
						 NULL };
	static const char *const environment[] = { "GREETING=hello", "HOME", NULL };
	const struct test_command command = { .program = "/bin/sh",
					      .arguments = arguments,
					      .environment = environment,
					      .input = "from the test\n",
					      .directory = "/" };

	struct test_result result = test_command_run(arena, &command);
	assert_int_equal(result.code, 7);
	assert_string_equal(result.output, "from the test\n/\n");
	assert_string_equal(result.errors, "hello\n");
}

static bool has_output(void *data)
{
	struct arena *arena = arena_new();
	bool found = strstr(test_command_output(arena, data), "started") != NULL;

	arena_free(arena);
	return found;
}

ARENA_CASE(test_running_command)
{
	static const char *const arguments[] = { "-c", "echo started; exec sleep 3600", NULL };
	const struct test_command command = { .program = "/bin/sh", .arguments = arguments };

	struct test_running running = test_command_start(&command);
	assert_true(test_wait_until(has_output, &running, CLOCK_MINUTE));
	kill(running.pid, SIGTERM);
	struct test_result result = test_command_finish(arena, &running, CLOCK_MINUTE);
	assert_int_equal(result.code, -SIGTERM);
	assert_string_equal(result.output, "started\n");
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
