/* The dray command on a test's database, and what it prints with --json. */
#ifndef TEST_CLI_H
#define TEST_CLI_H

#include <jansson.h>

#include "common/text/text.h"
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

/* A sanitizer keeps what is freed for a while: nothing can be said of memory then. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#define SANITIZED (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define SANITIZED 0
#endif

/* Runs dray, which must succeed: the most memory it took, in KiB. */
#define test_cli_peak(test, ...)                                                                   \
	test_cli_peak_arguments((test), (const char *const[]){ __VA_ARGS__, NULL })
long test_cli_peak_arguments(const struct test_db *test, const char *const *arguments);

/* The status is `code`, and all that the command says is the message of this name. */
#define assert_told(name, code, result)                                                            \
	test_assert_told((name), (code), (result), __FILE__, __LINE__)
void test_assert_told(const char *name, int code, struct test_result result, const char *file,
		      int line);

/*
 * Adds what a command said that must have been refused: with EXIT_USAGE, having printed nothing. A
 * hint at --help is left out. test_said: all of it is the message of this name.
 */
#define assert_refused(said, result) test_assert_refused((said), (result), __FILE__, __LINE__)
void test_assert_refused(struct text *said, struct test_result result, const char *file, int line);
void test_said(const char *name, struct text *said);

/* The newest line of the audit trail: its action, count, state and target. */
void assert_audited(struct test_db *test, const char *expected);

/* For a child: becomes dray --database URL ARGUMENTS, whose standard output nobody sees. */
_Noreturn void test_cli_become(const struct test_db *test, const char *const *arguments);

/*
 * The status is `code`, and standard output is JSON that holds at least this: each member that the
 * pattern names, and of an array each element. Its quotes are single ones; `...` in a text stands
 * for any text within a line.
 */
#define assert_json(result, code, pattern)                                                         \
	test_assert_json((result), (code), (pattern), __FILE__, __LINE__)
void test_assert_json(struct test_result result, int code, const char *pattern, const char *file,
		      int line);

/* Standard output as JSON, to be released; fails the test when it is none. */
json_t *test_json(struct test_result result);

/* Members, which must be there and of that type. */
json_int_t test_json_integer(const json_t *object, const char *key);
const char *test_json_text(const json_t *object, const char *key);

#endif
