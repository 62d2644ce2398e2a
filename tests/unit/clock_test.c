#include <inttypes.h>
#include <time.h>

#include "tests/support/test.h"

static const struct {
	const char *text;
	int64_t instant;
} accepted[] = {
	{ "1970-01-01", 0 },
	{ "1970-01-01 00:00", 0 },
	{ "1970-01-01T00:00:00Z", 0 },
	{ "1970-01-01 00:00:00.000001", 1 },
	{ "1970-01-01 00:00:00.1", 100000 },
	{ "1970-01-01 00:00:00.123456789", 123456 },
	{ "1969-12-31 23:59:59.999999", -1 },
	{ "1970-01-01T01:00:00+01:00", 0 },
	{ "1970-01-01T00:00:00+00", 0 },
	{ "1969-12-31 18:30:00-05:30", 0 },
	{ "2000-02-29", INT64_C(951782400000000) },
	{ "2026-11-21 02:56:07.533381", INT64_C(1795229767533381) },
	{ "2026-11-21T02:56:07.533381000Z", INT64_C(1795229767533381) },
	{ "0001-01-01 00:00:00", INT64_C(-62135596800000000) },
	{ "9999-12-31 23:59:59.999999", INT64_C(253402300799999999) },
};

static const char *const refused[] = {
	"",
	"1970",
	"1970-01",
	"1970-1-1",
	"70-01-01",
	"0000-01-01",
	"10000-01-01",
	"1970-00-01",
	"1970-13-01",
	"1970-01-00",
	"1970-01-32",
	"2026-04-31",
	"2026-02-29",
	"1900-02-29",
	"2100-02-29",
	"1970-01-01 ",
	"1970-01-01T",
	"1970-01-01 00",
	"1970-01-01 00:0",
	"1970-01-01 24:00",
	"1970-01-01 00:60",
	"2016-12-31 23:59:60",
	"1970-01-01 00:00:00.",
	"1970-01-01 00:00:00.0123456789",
	"1970-01-01 00:00.5",
	"1970-01-01t00:00",
	"1970-01-01  00:00",
	"1970-01-01 00:00:00z",
	"1970-01-01 00:00:00 Z",
	"1970-01-01 00:00:00Zx",
	"1970-01-01 00:00:00+1",
	"1970-01-01 00:00:00+0100",
	"1970-01-01 00:00:00+24:00",
	"1970-01-01 00:00:00+01:60",
	"1970-01-01 00:00:00+01:",
	"1970-01-01 00:00:00*01:00",
	"1970-01-01Z",
	" 1970-01-01",
	"-970-01-01",
	"1970-01-01 -1:00",
	"0001-01-01 00:00+00:01",
	"9999-12-31 23:59:59-00:01",
	"now",
};

CASE(test_parse)
{
	for (size_t i = 0; i < sizeof(accepted) / sizeof(accepted[0]); i++) {
		int64_t instant = -7;
		if (clock_parse(accepted[i].text, &instant) != STATUS_OK ||
		    instant != accepted[i].instant)
			fail_msg("%s: %" PRId64, accepted[i].text, instant);
	}
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		int64_t instant = -7;
		if (clock_parse(refused[i], &instant) != STATUS_INVALID || instant != -7)
			fail_msg("accepted: '%s'", refused[i]);
	}
}

CASE(test_format)
{
	char text[CLOCK_TEXT_SIZE];
	clock_format(INT64_C(1795229767533381), text);
	assert_string_equal(text, "2026-11-21 02:56:07.533381");
	clock_format(INT64_C(1795229767000000), text);
	assert_string_equal(text, "2026-11-21 02:56:07.000000");
	clock_format_short(INT64_C(1795229767000000), text);
	assert_string_equal(text, "2026-11-21 02:56:07");
	clock_format_short(INT64_C(1795229767500000), text);
	assert_string_equal(text, "2026-11-21 02:56:07.500000");
	clock_format_iso(INT64_C(1795229767533381), text);
	assert_string_equal(text, "2026-11-21T02:56:07.533381000Z");
	clock_format_iso(-1, text);
	assert_string_equal(text, "1969-12-31T23:59:59.999999000Z");
	clock_format_iso(INT64_MIN, text);
	clock_format_iso(INT64_MAX, text);
}

/* Our calendar against the C library's, a step that meets every month and leap rule. */
CASE(test_calendar)
{
	const int64_t end = INT64_C(253402300800) * CLOCK_SECOND;
	for (int64_t instant = INT64_C(-62135596800) * CLOCK_SECOND; instant < end;
	     instant += 9 * CLOCK_DAY + INT64_C(12345678901)) {
		char text[CLOCK_TEXT_SIZE];
		char expected[CLOCK_TEXT_SIZE];
		int64_t back = 0;
		int64_t micros = (instant % CLOCK_SECOND + CLOCK_SECOND) % CLOCK_SECOND;
		time_t seconds = (time_t)((instant - micros) / CLOCK_SECOND);
		struct tm occurrence;
		assert_non_null(gmtime_r(&seconds, &occurrence));
		occurrence.tm_year += 1900;
		(void)snprintf(expected, sizeof(expected), "%04d-%02d-%02d %02d:%02d:%02d.%06d",
			       occurrence.tm_year % 10000, (occurrence.tm_mon + 1) % 100,
			       occurrence.tm_mday % 100, occurrence.tm_hour % 100,
			       occurrence.tm_min % 100, occurrence.tm_sec % 100, (int)micros);
		clock_format(instant, text);
		assert_string_equal(text, expected);
		assert_int_equal(clock_parse(text, &back), STATUS_OK);
		assert_int_equal(back, instant);
	}
}

static const struct {
	int64_t span;
	const char *text;
} spans[] = {
	{ 0, "0s" },
	{ 1, "1us" },
	{ 999, "999us" },
	{ 350 * CLOCK_MILLISECOND, "350ms" },
	{ CLOCK_SECOND, "1s" },
	{ 2100 * CLOCK_MILLISECOND, "2.1s" },
	{ 59999 * CLOCK_MILLISECOND, "59.9s" },
	{ CLOCK_MINUTE, "1m" },
	{ 4 * CLOCK_MINUTE + 10 * CLOCK_SECOND, "4m 10s" },
	{ 3 * CLOCK_HOUR + 5 * CLOCK_MINUTE + CLOCK_SECOND, "3h 5m" },
	{ 2 * CLOCK_DAY + 4 * CLOCK_HOUR, "2d 4h" },
	{ -1500 * CLOCK_MILLISECOND, "-1.5s" },
	{ CLOCK_NEVER, "never" },
};

/* QU7: a span as people read it. */
CASE(test_span)
{
	char text[CLOCK_TEXT_SIZE];
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++) {
		clock_span(spans[i].span, text);
		assert_string_equal(text, spans[i].text);
	}
	clock_span(INT64_MIN, text);
	assert_string_equal(text, "-106751991d 4h");
}

CASE(test_clocks)
{
	int64_t before = clock_monotonic();
	clock_sleep(2000);
	clock_sleep(-5);
	assert_true(clock_monotonic() - before >= 2000);
	int64_t least = time(NULL) * CLOCK_SECOND;
	int64_t wall = clock_wall();
	assert_in_range(wall, least, (time(NULL) + 2) * CLOCK_SECOND);
}
