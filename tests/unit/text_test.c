#include <jansson.h>

#include "common/text/text.h"
#include "tests/support/test.h"

CASE(test_append)
{
	struct text text = { 0 };
	assert_string_equal(text_string(&text), "");
	text_append(&text, NULL, 0);
	text_append(&text, "abcdef", 3);
	text_add(&text, "-");
	text_printf(&text, "%d%s", 12, "");
	assert_string_equal(text_string(&text), "abc-12");
	assert_int_equal(text.length, 6);
	text_clear(&text);
	assert_string_equal(text_string(&text), "");
	for (int i = 0; i < 10000; i++)
		text_printf(&text, "%d,", i % 10);
	assert_int_equal(text.length, 20000);
	assert_false(text.truncated);
	text_free(&text);
	assert_string_equal(text_string(&text), "");
}

CASE(test_maximum)
{
	struct text text = { .maximum = 5 };
	text_add(&text, "abc");
	assert_false(text.truncated);
	text_printf(&text, "%s", "defgh");
	assert_true(text.truncated);
	assert_string_equal(text_string(&text), "abcde");
	text_add(&text, "x");
	assert_string_equal(text_string(&text), "abcde");
	text_clear(&text);
	assert_false(text.truncated);
	text_add(&text, "12345");
	assert_false(text.truncated);
	text_free(&text);
}

static const struct {
	const char *input, *output;
} literals[] = {
	{ "", "\"\"" },
	{ "plain", "\"plain\"" },
	{ "a\"b\\c", "\"a\\\"b\\\\c\"" },
	{ "\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"" },
	{ "\x01\x1f\x7f", "\"\\u0001\\u001f\\u007f\"" },
	{ "\xc2\x9b", "\"\\u009b\"" }, /* C1: a terminal takes it for ESC [ */
	{ "\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
	  "\"\xc2\xa0\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ "a\xff\xc3z", "\"a\xef\xbf\xbd\xef\xbf\xbdz\"" },
	{ "\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"" }, /* a surrogate */
};

CASE(test_json)
{
	for (size_t i = 0; i < sizeof(literals) / sizeof(literals[0]); i++) {
		struct text text = { 0 };
		text_json(&text, literals[i].input);
		assert_string_equal(text_string(&text), literals[i].output);
		text_free(&text);
	}
}

/* Every byte, in every room: always a whole literal that another parser reads, never too long. */
CASE(test_json_part)
{
	char bytes[256];
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (char)(i * 7 + 3);
	for (size_t room = 8; room < 1200; room++) {
		struct text text = { 0 };
		text_add(&text, "[");
		bool whole = text_json_part(&text, bytes, sizeof(bytes), room);
		assert_true(text.length <= room + 1);
		assert_int_equal(whole, strstr(text_string(&text), "...\"") == NULL);
		text_add(&text, "]");
		json_t *value = json_loads(text_string(&text), JSON_ALLOW_NUL, NULL);
		assert_non_null(value);
		json_decref(value);
		text_free(&text);
	}
}

ARENA_CASE(test_json_lists)
{
	static const char *const texts[] = { "a", "\"b\"" };
	static const int64_t numbers[] = { 7, 0, INT64_MIN, INT64_MAX };
	struct text text = { 0 };

	text_json_texts(&text, texts, 2);
	assert_string_equal(text_take(&text, arena), "[\"a\",\"\\\"b\\\"\"]");
	text_json_texts(&text, NULL, 0);
	assert_string_equal(text_take(&text, arena), "[]");
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		text_number(&text, numbers[i]);
	assert_string_equal(text_take(&text, arena), "70-92233720368547758089223372036854775807");
	assert_null(text.data);
	assert_string_equal(text_take(&text, arena), "");
}

CASE(test_same)
{
	assert_true(text_same(NULL, NULL));
	assert_true(text_same("a", "a"));
	assert_false(text_same("a", "b"));
	assert_false(text_same("a", NULL));
	assert_false(text_same(NULL, "a"));
}
