/* The dray command on a test's database, and what it prints with --json. */
#ifndef TEST_CLI_H
#define TEST_CLI_H

#include <jansson.h>

#include "tests/support/database.h"
#include "tests/support/sites/command.h"

/* dray ARGUMENTS --database URL, where no configuration is; `input` may be NULL. */
struct test_result test_cli_arguments(struct test_db *test, const char *input,
				      const char *const *arguments);

#define test_cli(test, ...)                                                                        \
	test_cli_arguments((test), NULL, (const char *const[]){ __VA_ARGS__, NULL })
#define test_cli_input(test, input, ...)                                                           \
	test_cli_arguments((test), (input), (const char *const[]){ __VA_ARGS__, NULL })

/* Fails the test unless the status is `code`, showing what was printed. */
#define assert_code(result, expected) test_assert_code((result), (expected), __FILE__, __LINE__)
void test_assert_code(struct test_result result, int code, const char *file, int line);

/* For a child: becomes dray --database URL ARGUMENTS, whose standard output nobody sees. */
_Noreturn void test_cli_become(const struct test_db *test, const char *const *arguments);

/* Standard output as JSON, to be released; fails the test when it is none. */
json_t *test_json(struct test_result result);

/* Members, which must be there and of that type. */
json_int_t test_json_integer(const json_t *object, const char *key);
const char *test_json_text(const json_t *object, const char *key);

/* The member must be null. */
void test_json_null(const json_t *object, const char *key);

#endif
