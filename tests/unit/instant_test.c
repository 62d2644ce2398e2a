/* Times as people say them, in a zone with changes of the clock. */
#include "schedule/instant.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof(table)[0])

/* Madrid by its rule, whatever the system's data say. */
static const char madrid[] = "CET-1CEST,M3.5.0,M10.5.0/3";

struct said {
	const char *now, *text, *past, *future;
};

#define NOON  "2026-11-22 11:30:00Z" /* 12:30 in Madrid */
#define LATE  "2026-11-22 23:30:00Z" /* the day after there */
#define MARCH "2026-03-29 00:30:00Z" /* half an hour before 2:00 becomes 3:00 */

static const struct said table[] = {
	{ NOON, "now", NOON, NOON },
	{ NOON, "Now", NOON, NOON },
	{ NOON, "1h", "2026-11-22 10:30:00Z", "2026-11-22 12:30:00Z" },
	{ NOON, "1h30m", "2026-11-22 10:00:00Z", "2026-11-22 13:00:00Z" },
	{ NOON, "4m 10s", "2026-11-22 11:25:50Z", "2026-11-22 11:34:10Z" },
	{ NOON, "1d ago", "2026-11-21 11:30:00Z", "2026-11-21 11:30:00Z" },
	{ NOON, "in 90s", "2026-11-22 11:31:30Z", "2026-11-22 11:31:30Z" },
	{ NOON, "12:00", "2026-11-22 11:00:00Z", "2026-11-23 11:00:00Z" },
	{ NOON, "18:00", "2026-11-21 17:00:00Z", "2026-11-22 17:00:00Z" },
	{ NOON, "12:30", NOON, "2026-11-23 11:30:00Z" },
	{ NOON, "18:00:30", "2026-11-21 17:00:30Z", "2026-11-22 17:00:30Z" },
	{ NOON, "9am", "2026-11-22 08:00:00Z", "2026-11-23 08:00:00Z" },
	{ NOON, "9:30 PM", "2026-11-21 20:30:00Z", "2026-11-22 20:30:00Z" },
	{ NOON, "12am", "2026-11-21 23:00:00Z", "2026-11-22 23:00:00Z" },
	{ NOON, "12pm", "2026-11-22 11:00:00Z", "2026-11-23 11:00:00Z" },
	{ NOON, "noon", "2026-11-22 11:00:00Z", "2026-11-23 11:00:00Z" },
	{ NOON, "midnight", "2026-11-21 23:00:00Z", "2026-11-22 23:00:00Z" },
	{ NOON, "today", "2026-11-21 23:00:00Z", "2026-11-21 23:00:00Z" },
	{ NOON, "yesterday", "2026-11-20 23:00:00Z", "2026-11-20 23:00:00Z" },
	{ NOON, "yesterday 23:59", "2026-11-21 22:59:00Z", "2026-11-21 22:59:00Z" },
	{ NOON, "tomorrow 9am", "2026-11-23 08:00:00Z", "2026-11-23 08:00:00Z" },
	{ NOON, "Tomorrow  noon", "2026-11-23 11:00:00Z", "2026-11-23 11:00:00Z" },
	{ NOON, "2026-07-01 9am", "2026-07-01 07:00:00Z", "2026-07-01 07:00:00Z" },
	{ NOON, "2026-07-01T09:00", "2026-07-01 07:00:00Z", "2026-07-01 07:00:00Z" },
	{ NOON, "2026-07-01", "2026-06-30 22:00:00Z", "2026-06-30 22:00:00Z" },
	{ LATE, "today", "2026-11-22 23:00:00Z", "2026-11-22 23:00:00Z" },
	{ LATE, "0:15", "2026-11-22 23:15:00Z", "2026-11-23 23:15:00Z" },
	/* Left out: where it goes on. */
	{ MARCH, "2:30", "2026-03-28 01:30:00Z", "2026-03-29 01:00:00Z" },
	{ MARCH, "today 2:30", "2026-03-29 01:00:00Z", "2026-03-29 01:00:00Z" },
	{ MARCH, "3:00", "2026-03-28 02:00:00Z", "2026-03-29 01:00:00Z" },
	{ MARCH, "24h", "2026-03-28 00:30:00Z", "2026-03-30 00:30:00Z" },
	/* Twice: the first. */
	{ NOON, "2026-10-25 2:30", "2026-10-25 00:30:00Z", "2026-10-25 00:30:00Z" },
	{ NOON, "2026-10-25 3:00", "2026-10-25 02:00:00Z", "2026-10-25 02:00:00Z" },
};

static const char *const not_times[] = { "",
					 " ",
					 "9",
					 "30",
					 "1800",
					 "24:00",
					 "18:60",
					 "18:0",
					 "18:00:60",
					 "18:00:",
					 "018:00",
					 "13pm",
					 "0am",
					 "9a",
					 "9am tomorrow",
					 "tomorrow9am",
					 "tomorrow 9",
					 "tomorrow x",
					 "yesterdays",
					 "1h later",
					 "in",
					 "in tomorrow",
					 "ago",
					 " ago",
					 "30 ago",
					 "now ago",
					 "-1h",
					 "in 5h ago",
					 "1h 1h",
					 "2026-02-30 9am",
					 "2026-07-01T",
					 "2026-07-01x",
					 "18:00 Europe/Madrid",
					 "noonish",
					 "1000000d",
					 "d",
					 "9999-12-31 23:59:60" };

static int64_t instant(const char *text)
{
	int64_t value = 0;

	assert_int_equal(clock_parse(text, &value), STATUS_OK);
	return value;
}

static const struct zone *rule(struct arena *arena)
{
	struct zone *zone = NULL;

	assert_int_equal(zone_posix(arena, "Madrid", madrid, &zone, NULL), STATUS_OK);
	return zone;
}

static void check(const struct said *said, const struct zone *zone, enum instant_side side)
{
	const char *expected = side == INSTANT_PAST ? said->past : said->future;
	char text[CLOCK_TEXT_SIZE];
	int64_t value = -7;

	if (instant_parse(said->text, instant(said->now), zone, side, &value) != STATUS_OK)
		fail_msg("refused: '%s'", said->text);
	clock_format(value, text);
	if (value != instant(expected))
		fail_msg("'%s' at %s is %s, not %s", said->text, said->now, text, expected);
}

ARENA_CASE(test_what_people_say)
{
	const struct zone *zone = rule(arena);

	for (size_t i = 0; i < COUNT(table); i++) {
		check(&table[i], zone, INSTANT_PAST);
		check(&table[i], zone, INSTANT_FUTURE);
	}
}

ARENA_CASE(test_what_is_no_time)
{
	const struct zone *zone = rule(arena);
	int64_t value = -7;

	for (size_t i = 0; i < COUNT(not_times); i++)
		if (instant_parse(not_times[i], instant(NOON), zone, INSTANT_PAST, &value) !=
			    STATUS_INVALID ||
		    value != -7)
			fail_msg("accepted: '%s'", not_times[i]);
	assert_int_equal(instant_parse("1d", CLOCK_LAST, zone, INSTANT_FUTURE, &value),
			 STATUS_INVALID);
	assert_true(instant_is_dated("2026-07-01 9am"));
	assert_true(instant_is_dated("2026-07-01"));
	assert_false(instant_is_dated("tomorrow"));
	assert_false(instant_is_dated("2026"));
}
