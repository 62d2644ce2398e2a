#include "tests/support/sites/cli.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAXIMUM 40

struct test_result test_cli_arguments(struct test_db *test, const char *input,
				      const char *const *arguments)
{
	const char *all[MAXIMUM + 3] = { "--database", test->url };
	size_t count = 0;

	while (arguments[count]) {
		assert_true(count < MAXIMUM);
		all[count + 2] = arguments[count];
		count++;
	}
	return test_command_run(
		test->arena,
		&(struct test_command){ .arguments = all, .input = input, .directory = "/" });
}

void test_assert_code(struct test_result result, int code, const char *file, int line)
{
	if (result.code != code)
		print_error("%s%s", result.output, result.errors);
	_assert_int_equal((LargestIntegralType)result.code, (LargestIntegralType)code, file, line);
}

json_t *test_json(struct test_result result)
{
	json_error_t error;
	json_t *value = json_loads(result.output, JSON_REJECT_DUPLICATES, &error);

	if (!value)
		fail_msg("not JSON: %s: %.200s%s", error.text, result.output,
			 result.errors ? result.errors : "");
	return value;
}

_Noreturn void test_cli_become(const struct test_db *test, const char *const *arguments)
{
	const char *all[MAXIMUM + 4] = { getenv("DRAY_BINARY"), "--database", test->url };
	int null = open("/dev/null", O_WRONLY | O_CLOEXEC);

	for (size_t i = 0; arguments[i] && i < MAXIMUM; i++)
		all[i + 3] = arguments[i];
	if (all[0] && null >= 0 && dup2(null, STDOUT_FILENO) >= 0)
		execv(all[0], (char *const *)all);
	_exit(127);
}

json_int_t test_json_integer(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_integer(value))
		fail_msg("%s is no integer", key);
	return json_integer_value(value);
}

const char *test_json_text(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);

	if (!json_is_string(value))
		fail_msg("%s is no text", key);
	return json_string_value(value);
}

void test_json_null(const json_t *object, const char *key)
{
	if (!json_is_null(json_object_get(object, key)))
		fail_msg("%s is not null", key);
}
