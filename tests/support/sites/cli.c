#include "tests/support/sites/cli.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>

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

void test_assert_refused(struct text *said, struct test_result result, const char *file, int line)
{
	test_assert_code(result, EXIT_USAGE, file, line);
	_assert_string_equal(result.output, "", file, line);
	const char *hint = strstr(result.errors, "Try `dray");
	text_append(said, result.errors,
		    hint ? (size_t)(hint - result.errors) : strlen(result.errors));
}

void test_assert_told(const char *name, int code, struct test_result result, const char *file,
		      int line)
{
	struct text said = { 0 };

	test_assert_code(result, code, file, line);
	text_add(&said, result.errors);
	text_add(&said, result.output);
	test_assert_wording(name, text_string(&said), file, line);
	text_free(&said);
}

void test_said(const char *name, struct text *said)
{
	assert_wording(name, text_string(said));
	text_free(said);
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

/* NOLINTBEGIN(misc-no-recursion): as deep as the pattern */
static bool holds(const json_t *value, const json_t *pattern);

static bool holds_members(const json_t *value, json_t *pattern)
{
	const char *key;
	json_t *part;

	json_object_foreach(pattern, key, part)
	{
		if (!holds(json_object_get(value, key), part))
			return false;
	}
	return json_is_object(value);
}

static bool holds_elements(const json_t *value, const json_t *pattern)
{
	json_t *part;
	size_t i;

	json_array_foreach(pattern, i, part)
	{
		if (!holds(json_array_get(value, i), part))
			return false;
	}
	return json_is_array(value) && json_array_size(value) == json_array_size(pattern);
}

static bool holds(const json_t *value, const json_t *pattern)
{
	if (json_is_object(pattern))
		return holds_members(value, (json_t *)pattern);
	if (json_is_array(pattern))
		return holds_elements(value, pattern);
	if (json_is_string(pattern) && json_is_string(value))
		return test_agrees(json_string_value(pattern), json_string_value(value));
	return json_equal(value, pattern);
}
/* NOLINTEND(misc-no-recursion) */

void test_assert_json(struct test_result result, int code, const char *pattern, const char *file,
		      int line)
{
	json_error_t error;
	char *copy = strdup(pattern);

	test_assert_code(result, code, file, line);
	assert_non_null(copy);
	for (char *at = copy; (at = strchr(at, '\''));)
		*at = '"';
	json_t *wanted = json_loads(copy, JSON_REJECT_DUPLICATES, &error);
	if (!wanted)
		fail_msg("%s:%d: no pattern: %s", file, line, error.text);
	json_t *value = test_json(result);
	bool held = holds(value, wanted);
	json_decref(wanted);
	json_decref(value);
	free(copy);
	if (!held) {
		print_error("%sbut should hold %s\n", result.output, pattern);
		_fail(file, line);
	}
}

void assert_audited(struct test_db *test, const char *expected)
{
	assert_query(
		test, arena_printf(test->arena, "%s\n", expected),
		"SELECT action, count, state, target FROM dray_audit ORDER BY id DESC LIMIT 1");
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

long test_cli_peak_arguments(const struct test_db *test, const char *const *arguments)
{
	struct rusage usage;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0)
		test_cli_become(test, arguments);
	assert_int_equal(wait4(pid, &status, 0, &usage), pid);
	assert_int_equal(status, 0);
	return usage.ru_maxrss;
}
