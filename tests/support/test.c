#include "tests/support/test.h"

#include <string.h>

void test_assert_status(enum status status, enum status expected, const struct error *error,
			const char *file, int line)
{
	if (status == expected)
		return;
	print_error("status %s, expected %s%s%s\n", status_name(status), status_name(expected),
		    status != STATUS_OK && error ? ": " : "",
		    status != STATUS_OK && error ? error->text : "");
	_fail(file, line);
}

void test_assert_contains(const char *text, const char *part, const char *file, int line)
{
	if (text && strstr(text, part))
		return;
	print_error("'%s' does not contain '%s'\n", text ? text : "(null)", part);
	_fail(file, line);
}
