#include "common/text/text.h"
#include "tests/support/test.h"

CASE(test_set_and_prefix)
{
	struct error error = { 0 };
	assert_int_equal(error_set(&error, STATUS_RETRY, "job %d", 7), STATUS_RETRY);
	assert_int_equal(error.status, STATUS_RETRY);
	assert_string_equal(error.text, "job 7");
	assert_int_equal(error_prefix(&error, "claim of %s", "q"), STATUS_RETRY);
	assert_string_equal(error.text, "claim of q: job 7");
}

CASE(test_no_error_wanted)
{
	assert_int_equal(error_set(NULL, STATUS_DOWN, "%s", "x"), STATUS_DOWN);
	(void)error_prefix(NULL, "%s", "x");
}

CASE(test_own_text_as_argument)
{
	struct error error = { 0 };
	error_set(&error, STATUS_FATAL, "inner");
	error_set(&error, STATUS_FATAL, "outer(%s)", error.text);
	assert_string_equal(error.text, "outer(inner)");
}

CASE(test_one_line)
{
	struct error error = { 0 };
	error_set(&error, STATUS_FATAL, "ERROR:  no\nLINE 1:\x1b[31m x\r\n");
	assert_string_equal(error.text, "ERROR:  no LINE 1: [31m x");
}

CASE(test_cut_between_characters)
{
	struct error error = { 0 };
	char text[2 * ERROR_TEXT_SIZE];
	size_t fault;
	for (size_t i = 0; i + 2 < sizeof(text); i += 2)
		memcpy(text + i, "\xc3\xa9", 3);
	error_set(&error, STATUS_FATAL, "%s", text);
	assert_int_equal(strlen(error.text), ERROR_TEXT_SIZE - 2);
	assert_true(utf8_valid(error.text, strlen(error.text), &fault));
	error_prefix(&error, "x");
	assert_memory_equal(error.text, "x: \xc3\xa9", 5);
	assert_true(utf8_valid(error.text, strlen(error.text), &fault));
}

CASE(test_every_status_has_a_name)
{
	for (int status = STATUS_OK; status <= STATUS_FATAL; status++)
		assert_string_not_equal(status_name((enum status)status), "unknown");
	assert_string_equal(status_name(STATUS_UNCERTAIN), "uncertain");
	assert_string_equal(status_name((enum status)99), "unknown");
}
