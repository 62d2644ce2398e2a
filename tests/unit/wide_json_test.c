/* JSON that Rails writes and Jansson does not read: it comes out as it went in. */
#include "queue/payload/payload.h"
#include "queue/payload/wide_json.h"
#include "queue/recurring/task.h"
#include "tests/support/test.h"

CASE(test_what_goes_in_comes_out)
{
	static const char *const texts[] = {
		"[]",
		"[9223372036854775807,-9223372036854775808]",
		"[9223372036854775808]",
		"[-9223372036854775809,1,\"2\"]",
		"{\"a\":[123456789012345678901234567890],\"b\":{\"c\":-99999999999999999999}}",
		"[1e999,-1.5E+4000]",
		"[\"\\u0000\"]",
		"[\"a\\u0000b\\u0000\",18446744073709551616]",
		"[\"99999999999999999999\",\"\\\"99999999999999999999\\\\\",99999999999999999999]",
		"{\"99999999999999999999\":99999999999999999999}",
		"{\"\\u0000\":1}",
		"[{\"a\\u0000\\u0000b\":\"\\u0000\",\"\\\\u0000\":[99999999999999999999]}]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_error_t where;
		json_t *root = wide_json_load(texts[i], 0, &where);
		if (!root)
			fail_msg("%s: %s", texts[i], where.text);
		char *text = wide_json_dump(root, JSON_COMPACT);
		assert_string_equal(text, texts[i]);
		free(text);
		json_decref(root);
	}
}

/* Each number by itself: a long neighbour makes none longer. */
CASE(test_fractions_are_short)
{
	static const char *const texts[] = {
		"[0.1,12345.678901234567,0.3,-1.5,100.0,1e20]",
		"[1234567890123450.0,1.7976931348623157e308,0.0,-0.0,0.1]",
		"[\"0.10000000000000001\",99999999999999999999,{\"1.50\":[0.1]}]",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_t *root = wide_json_load(texts[i], 0, NULL);
		char *text = wide_json_dump(root, JSON_COMPACT);
		assert_string_equal(text, texts[i]);
		free(text);
		json_decref(root);
	}
}

CASE(test_no_json)
{
	static const char *const texts[] = { "[99999999999999999999",
					     "[099999999999999999999]",
					     "[99999999999999999999.]",
					     "[99999999999999999999e]",
					     "[-]",
					     "[\"99999999999999999999]",
					     "[99999999999999999999 \"a",
					     "[1e999,\"\\" };

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		json_error_t where;
		assert_null(wide_json_load(texts[i], 0, &where));
		assert_true(where.line == 1 && *where.text != '\0');
	}
}

struct fault {
	const char *text;
	int line, column;
};

/* Where the fault stands in the text as it was given. */
CASE(test_the_column_of_a_fault)
{
	static const struct fault faults[] = {
		{ "[1,]", 1, 4 },
		{ "[99999999999999999999,]", 1, 23 },
		{ "{\"a\\u0000\":1e999,}", 1, 18 },
		{ "[99999999999999999999,\n 99999999999999999999 }", 2, 23 },
		{ "[99999999999999999999,\n }", 2, 2 },
	};

	for (size_t i = 0; i < sizeof(faults) / sizeof(faults[0]); i++) {
		json_error_t where;
		assert_null(wide_json_load(faults[i].text, 0, &where));
		assert_int_equal(where.line, faults[i].line);
		assert_int_equal(where.column, faults[i].column);
	}
}

CASE(test_keys_that_are_one_stay_one)
{
	json_error_t where;

	assert_null(
		wide_json_load("{\"\\u0000\":1,\"\\u0000\" : 2}", JSON_REJECT_DUPLICATES, &where));
	json_t *root = wide_json_load("{\"\\u0000\":1,\"a\":2}", JSON_REJECT_DUPLICATES, &where);
	assert_int_equal(json_object_size(root), 2);
	json_decref(root);
}

CASE(test_a_large_number_is_known)
{
	json_t *root = wide_json_load("[99999999999999999999,\"99999999999999999999\",1]", 0, NULL);

	assert_string_equal(wide_json_number(json_array_get(root, 0)), "99999999999999999999");
	assert_null(wide_json_number(json_array_get(root, 1)));
	assert_null(wide_json_number(json_array_get(root, 2)));
	assert_null(wide_json_number(NULL));
	json_decref(root);
}

/* The mark is secret, but even a text that has it cannot have a string taken for a number. */
CASE(test_a_mark_is_not_forged)
{
	json_t *root = wide_json_load("[99999999999999999999]", 0, NULL);
	const char *number = json_string_value(json_array_get(root, 0));
	const char *mark = number + strlen(number) + 1;
	char string[128];
	char key[128];
	json_error_t where;

	assert_int_equal(strlen(mark), 32);
	(void)snprintf(string, sizeof(string), "[\"1\\u0000%s\"]", mark);
	(void)snprintf(key, sizeof(key), "{\"%s;\":1}", mark);
	assert_null(wide_json_load(string, 0, &where));
	assert_non_null(strstr(where.text, "mark"));
	assert_null(wide_json_load(key, 0, NULL));
	json_decref(root);
}

/* Their names are listed beside them; read again, all of it is what it was. */
ARENA_CASE(test_keywords_with_nul)
{
	static const char arguments[] = "[{\"a\\u0000\":15555.5555555,"
					"\"_aj_ruby2_keywords\":[\"a\\u0000\"]}]";
	const char *array;
	struct payload read;

	must(payload_arguments, arena, "{\"a\\u0000\":15555.5555555}", NULL, &read, &array);
	assert_string_equal(array, arguments);
	payload_clear(&read);
	must(payload_arguments, arena, arguments, NULL, &read, &array);
	assert_string_equal(array, arguments);
	payload_clear(&read);
}

ARENA_CASE(test_fractions_of_a_recurring_task)
{
	static const char stored[] = "[0.1,12345.678901234567,{\"k\":0.3,"
				     "\"_aj_symbol_keys\":[\"k\"]}]";
	const char *out;

	must(recurring_arguments_store, arena, "[0.1,12345.678901234567,{\"k\":0.3}]", &out);
	assert_string_equal(out, stored);
	must(recurring_arguments, arena, stored, &out);
	assert_string_equal(out, "[0.1,12345.678901234567,{\"k\":0.3,"
				 "\"_aj_ruby2_keywords\":[\"k\"]}]");
}

/* A retry writes the payload anew. */
ARENA_CASE(test_payload_reset)
{
	const char *out;

	must(payload_reset, arena,
	     "{\"arguments\":[\"\\u0000\",99999999999999999999,0.1],"
	     "\"executions\":3}",
	     &out);
	assert_string_equal(out, "{\"arguments\":[\"\\u0000\",99999999999999999999,0.1],"
				 "\"executions\":0,\"exception_executions\":{}}");
}
