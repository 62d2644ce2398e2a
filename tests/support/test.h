/* cmocka with the headers it wants before it, and assertions on our statuses. */
#ifndef TEST_H
#define TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "common/error.h"

/* Fails with the error's text when status is not OK. */
#define assert_ok(status, error)                                                                   \
	test_assert_status((status), STATUS_OK, (error), __FILE__, __LINE__)

#define assert_status(status, expected, error)                                                     \
	test_assert_status((status), (expected), (error), __FILE__, __LINE__)

/* Fails when text does not contain part. */
#define assert_contains(text, part) test_assert_contains((text), (part), __FILE__, __LINE__)

/*
 * cmocka_run_group_tests, with a group's set-up or tear-down that fails counted as one failure
 * more: cmocka prints it and leaves it at that. The exit code of the program.
 */
int test_run_group(const char *name, const struct CMUnitTest tests[], size_t count,
		   CMFixtureFunction set_up, CMFixtureFunction tear_down);

#define test_group(tests, set_up, tear_down)                                                       \
	test_run_group(#tests, (tests), sizeof(tests) / sizeof((tests)[0]), (set_up), (tear_down))

/* How often `part` is in the text. */
size_t test_count_text(const char *text, const char *part);

void test_assert_status(enum status status, enum status expected, const struct error *error,
			const char *file, int line);
void test_assert_contains(const char *text, const char *part, const char *file, int line);

#endif
