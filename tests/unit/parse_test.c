#include <inttypes.h>
#include <locale.h>

#include "common/text/parse.h"
#include "common/text/text.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

struct number {
	const char *text;
	int64_t value;
};

static const struct number ints[] = {
	{ "0", 0 },
	{ "-0", 0 },
	{ "+7", 7 },
	{ "007", 7 },
	{ "9223372036854775807", INT64_MAX },
	{ "-9223372036854775808", INT64_MIN },
};
static const char *const not_ints[] = { "",
					" 1",
					"1 ",
					"+",
					"-",
					"--1",
					"0x10",
					"1e3",
					"1.0",
					"9223372036854775808",
					"-9223372036854775809",
					"99999999999999999999999",
					"1_000",
					"\xd9\xa1" };

CASE(test_int)
{
	int64_t value;
	for (size_t i = 0; i < COUNT(ints); i++) {
		assert_int_equal(parse_int(ints[i].text, INT64_MIN, INT64_MAX, &value), STATUS_OK);
		assert_int_equal(value, ints[i].value);
	}
	value = -7;
	for (size_t i = 0; i < COUNT(not_ints); i++)
		if (parse_int(not_ints[i], INT64_MIN, INT64_MAX, &value) != STATUS_INVALID)
			fail_msg("accepted: '%s'", not_ints[i]);
	assert_int_equal(parse_int("11", 1, 10, &value), STATUS_INVALID);
	assert_int_equal(parse_int("0", 1, 10, &value), STATUS_INVALID);
	assert_int_equal(value, -7);
	assert_int_equal(parse_int("10", 1, 10, &value), STATUS_OK);
}

static const char *const not_reals[] = { "",   "nan", "inf", "1e999", "0x1p3", "1,5", " 1",
					 "1 ", ".",   "e5",  "1e",    "1e+",   "--1", "1.2.3" };

CASE(test_real)
{
	double value = 0;
	(void)setlocale(LC_ALL, "de_DE.UTF-8"); /* where installed: must change nothing */
	assert_int_equal(parse_real("0.1", &value), STATUS_OK);
	assert_true(value > 0.0999 && value < 0.1001);
	assert_int_equal(parse_real("-2.5e-1", &value), STATUS_OK);
	assert_true(value > -0.2501 && value < -0.2499);
	assert_int_equal(parse_real("1e-999", &value), STATUS_OK);
	for (size_t i = 0; i < COUNT(not_reals); i++)
		if (parse_real(not_reals[i], &value) != STATUS_INVALID)
			fail_msg("accepted: '%s'", not_reals[i]);
	(void)setlocale(LC_ALL, "C");
}

CASE(test_bool)
{
	static const char *const yes[] = { "true", "True", "TRUE", "yes", "on", "ON" };
	static const char *const no[] = { "false", "False", "FALSE", "no", "off", "Off" };
	static const char *const neither[] = { "", "y", "1", "tRUE", "true ", "enabled" };
	bool value = false;
	for (size_t i = 0; i < COUNT(yes); i++) {
		assert_int_equal(parse_bool(yes[i], &value), STATUS_OK);
		assert_true(value);
	}
	for (size_t i = 0; i < COUNT(no); i++) {
		assert_int_equal(parse_bool(no[i], &value), STATUS_OK);
		assert_false(value);
	}
	for (size_t i = 0; i < COUNT(neither); i++)
		assert_int_equal(parse_bool(neither[i], &value), STATUS_INVALID);
}

static const struct number durations[] = {
	{ "0", 0 },
	{ "0.1", 100000 },
	{ "0.3", 300000 },
	{ "30", 30 * CLOCK_SECOND },
	{ "0.000001", 1 },
	{ "0.1000000", 100000 },
	{ "1h30m", 90 * CLOCK_MINUTE },
	{ "4m 10s", 250 * CLOCK_SECOND },
	{ "1.5s", 1500000 },
	{ "250ms", 250000 },
	{ "0.25ms", 250 },
	{ "7us", 7 },
	{ "1.5d", 36 * CLOCK_HOUR },
	{ "1d2h3m4s5ms6us", INT64_C(93784005006) },
	{ "1m1ms", CLOCK_MINUTE + CLOCK_MILLISECOND },
	{ "36525d", 36525 * CLOCK_DAY },
	{ "3155760000", 36525 * CLOCK_DAY },
};
static const char *const not_durations[] = { "",
					     "-1",
					     "+1",
					     " 1",
					     "1 ",
					     "1  s",
					     "s",
					     "1x",
					     ".5",
					     "5.",
					     "5.s",
					     "1e3",
					     "1m1h",
					     "1s1s",
					     "1h30",
					     "30 1h",
					     "0.1us",
					     "0.0000001",
					     "0.00000010001",
					     "0.0001ms",
					     "36526d",
					     "36525d1us",
					     "3155760001",
					     "99999999999999999999",
					     "9223372036854775807d",
					     "1h ",
					     "1msus",
					     "1.5.5s",
					     "1S",
					     "1 h",
					     "infinity",
					     "0x1",
					     "36525.00000001d" };

CASE(test_duration)
{
	for (size_t i = 0; i < COUNT(durations); i++) {
		int64_t value = -7;
		if (parse_duration(durations[i].text, &value) != STATUS_OK ||
		    value != durations[i].value)
			fail_msg("%s: %" PRId64, durations[i].text, value);
	}
	for (size_t i = 0; i < COUNT(not_durations); i++) {
		int64_t value = -7;
		if (parse_duration(not_durations[i], &value) != STATUS_INVALID || value != -7)
			fail_msg("accepted: '%s'", not_durations[i]);
	}
}

static const struct number sizes[] = {
	{ "0", 0 },
	{ "64", 64 },
	{ "64k", 65536 },
	{ "64K", 65536 },
	{ "64KiB", 65536 },
	{ "10M", 10485760 },
	{ "2G", INT64_C(2147483648) },
	{ "1TiB", INT64_C(1099511627776) },
	{ "9223372036854775807", INT64_MAX },
};
static const char *const not_sizes[] = { "",
					 "-1",
					 "k",
					 "1.5M",
					 "64KB",
					 "64 k",
					 "64kB",
					 "1P",
					 "1ki",
					 "1KiBx",
					 "9223372036854775808",
					 "9223372036854775807k",
					 "8388608T" };

CASE(test_size)
{
	int64_t value;
	for (size_t i = 0; i < COUNT(sizes); i++) {
		assert_int_equal(parse_size(sizes[i].text, &value), STATUS_OK);
		assert_int_equal(value, sizes[i].value);
	}
	for (size_t i = 0; i < COUNT(not_sizes); i++)
		if (parse_size(not_sizes[i], &value) != STATUS_INVALID)
			fail_msg("accepted: '%s'", not_sizes[i]);
}

static const struct {
	const char *data;
	size_t length, fault; /* fault == length: valid */
} utf8[] = {
	{ "", 0, 0 },
	{ "abc\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 12, 12 },
	{ "\xf4\x8f\xbf\xbf\xee\x80\x80", 7, 7 },
	{ "a\0b", 3, 1 },
	{ "ab\x80", 3, 2 },
	{ "\xc0\xaf", 2, 0 },
	{ "\xe0\x80\x80", 3, 0 },
	{ "\xed\xa0\x80", 3, 0 },
	{ "\xf4\x90\x80\x80", 4, 0 },
	{ "\xf5\x80\x80\x80", 4, 0 },
	{ "x\xe2\x82", 3, 1 },
	{ "x\xe2\x28\xa1", 4, 1 },
	{ "\xf0\x9f\x98", 3, 0 },
	{ "\xf0\x9f\x98x", 4, 0 },
};

CASE(test_utf8)
{
	for (size_t i = 0; i < COUNT(utf8); i++) {
		size_t fault = utf8[i].length;
		assert_int_equal(utf8_valid(utf8[i].data, utf8[i].length, &fault),
				 utf8[i].fault == utf8[i].length);
		assert_int_equal(fault, utf8[i].fault);
	}
}

CASE(test_nearest)
{
	static const char *const words[] = { "threads", "processes", "polling_interval", "queues",
					     "url" };
	char endless[200];
	memset(endless, 'q', sizeof(endless) - 1);
	endless[sizeof(endless) - 1] = '\0';
	assert_string_equal(nearest_word("thread", words, COUNT(words)), "threads");
	assert_string_equal(nearest_word("proceses", words, COUNT(words)), "processes");
	assert_string_equal(nearest_word("poling_intervall", words, COUNT(words)),
			    "polling_interval");
	assert_string_equal(nearest_word("queeus", words, COUNT(words)), "queues");
	assert_string_equal(nearest_word("ulr", words, COUNT(words)), "url"); /* one swap */
	assert_null(nearest_word("banana", words, COUNT(words)));
	assert_null(nearest_word("", words, COUNT(words)));
	assert_null(nearest_word(endless, words, COUNT(words)));
	assert_null(nearest_word("threads", words, 0));
}
