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

void test_assert_status(enum status status, enum status expected, const struct error *error,
			const char *file, int line);
void test_assert_contains(const char *text, const char *part, const char *file, int line);

#endif
