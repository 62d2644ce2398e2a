/* Time zones: the system's data as we read it, and names that are none. */
#include <time.h>

#include "schedule/zone/zones.h"
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct offset {
	const char *zone, *at;
	int offset;
	const char *abbreviation;
};

/* Facts, on both sides of changes, in the table of the file and past its end. */
static const struct offset offsets[] = {
	{ "UTC", "2026-07-01", 0, "UTC" },
	{ "Europe/Madrid", "2026-03-29T00:59:59Z", 3600, "CET" },
	{ "Europe/Madrid", "2026-03-29T01:00:00Z", 7200, "CEST" },
	{ "Europe/Madrid", "2026-10-25T00:59:59Z", 7200, "CEST" },
	{ "Europe/Madrid", "2026-10-25T01:00:00Z", 3600, "CET" },
	{ "Europe/Madrid", "2400-07-01", 7200, "CEST" },
	{ "Europe/Madrid", "1850-01-01", -884, "LMT" },
	{ "America/New_York", "2026-03-08T06:59:59Z", -18000, "EST" },
	{ "America/New_York", "2026-03-08T07:00:00Z", -14400, "EDT" },
	{ "America/New_York", "2099-11-01T05:59:59Z", -14400, "EDT" },
	{ "America/New_York", "2099-11-01T06:00:00Z", -18000, "EST" },
	{ "Europe/Dublin", "2026-07-01", 3600, "IST" },
	{ "Europe/Dublin", "2026-12-01", 0, "GMT" },
	{ "Australia/Lord_Howe", "2026-04-04T14:59:59Z", 39600, "+11" },
	{ "Australia/Lord_Howe", "2026-04-04T15:00:00Z", 37800, "+1030" },
	{ "Antarctica/Troll", "2026-01-01", 0, "+00" },
	{ "Antarctica/Troll", "2026-07-01", 7200, "+02" },
	{ "Pacific/Apia", "2011-12-30T09:59:59Z", -36000, "-10" },
	{ "Pacific/Apia", "2011-12-30T10:00:00Z", 50400, "+14" },
	{ "Asia/Kathmandu", "2026-01-01", 20700, "+0545" },
	{ "America/Nuuk", "2026-07-01", -3600, "-01" },
	{ "Asia/Kolkata", "9999-12-31", 19800, "IST" },
	{ "-03:30", "2026-01-01", -12600, "-03:30" },
};

static const struct zone *find(const struct world *world, const char *name)
{
	const struct zone *zone = NULL;

	must(zones_find, world->zones, name, &zone);
	return zone;
}

CASE(test_offsets)
{
	for (size_t i = 0; i < COUNT(offsets); i++) {
		const struct offset *row = &offsets[i];
		struct zone_span span =
			zone_span(find(*state, row->zone), instant(row->at) / CLOCK_SECOND);
		if (span.offset != row->offset || strcmp(span.abbreviation, row->abbreviation) != 0)
			fail_msg("%s at %s: %d %s", row->zone, row->at, span.offset,
				 span.abbreviation);
	}
}

/* Spans lie side by side, from the first year to the last. */
CASE(test_spans)
{
	for (size_t i = 0; i < COUNT(offsets); i++) {
		const struct zone *zone = find(*state, offsets[i].zone);
		int64_t at = instant("0001-01-01") / CLOCK_SECOND;
		struct zone_span before = zone_span(zone, at);
		while (before.until < CLOCK_LAST / CLOCK_SECOND) {
			struct zone_span span = zone_span(zone, before.until);
			assert_int_equal(span.from, before.until);
			assert_int_equal(span.before, before.offset);
			assert_true(span.until > span.from);
			before = span;
		}
	}
}

struct unknown {
	const char *name, *says;
};

static const struct unknown unknowns[] = {
	{ "Europe/Madrit", "did you mean Europe/Madrid?" },
	{ "europe/madrid", "did you mean Europe/Madrid?" },
	{ "Madrid", "did you mean Europe/Madrid?" },
	{ "America/NewYork", "did you mean America/New_York?" },
	{ "New York", "did you mean America/New_York?" },
	{ "America/Boston", "did you mean America/New_York?" },
	{ "us/pacific", "did you mean US/Pacific?" },
	{ "US/Eastren", "did you mean US/Eastern?" },
	{ "boston", "did you mean America/New_York?" },
	{ "Asia/Beijing", "did you mean Asia/Shanghai?" },
	{ "San Francisco", "did you mean America/Los_Angeles?" },
	{ "Europe/Munich", "did you mean Europe/Berlin?" },
	{ "Asia/Xanadu", "is not a time zone such as" },
	{ "America/Lost", "is not a time zone such as" },
	{ "PST", "did you mean America/Los_Angeles?" },
	{ "cest", "did you mean Europe/Berlin?" },
	{ "UTC+2", "did you mean +02:00?" },
	{ "gmt-5:30", "did you mean -05:30?" },
	{ "UTC+99", "is not a time zone" },
	{ "Nowhere/AtAllInTheWorld", "is not a time zone such as" },
	{ "", "is not a time zone" },
	{ "../zoneinfo/UTC", "is not a time zone" },
	{ "Europe/../UTC", "is not a time zone" },
	{ "/etc/passwd", "is not a time zone" },
	{ "Europe", "is not a time zone" },
	{ "Europe//Madrid", "is not a time zone" },
	{ "+9", "is not a time zone" },
	{ "+09:17", "is not a time zone" },
	{ "+25:00", "is not a time zone" },
	{ "+09:00x", "is not a time zone" },
};

/* Each is the first that somebody asks for. */
CASE(test_unknown)
{
	struct world *world = *state;
	for (size_t i = 0; i < COUNT(unknowns); i++) {
		const struct zone *zone = NULL;
		struct error error = { 0 };
		struct zones *zones = zones_new(world->arena, NULL);
		assert_status(zones_find(zones, unknowns[i].name, &zone, &error), STATUS_INVALID,
			      &error);
		assert_contains(error.text, unknowns[i].says);
		assert_null(zone);
	}
}

#define STEP (INT64_C(86400) * 17 + 4567) /* some 4,000 instants of 200 years */

static void compare_zone(struct world *world, const char *name)
{
	const struct zone *zone = find(world, name);
	int64_t end = instant("2100-01-01") / CLOCK_SECOND;
	assert_int_equal(setenv("TZ", name, 1), 0); /* NOLINT(concurrency-mt-unsafe) */
	tzset();                                    /* NOLINT(concurrency-mt-unsafe) */
	for (int64_t at = instant("1900-01-01") / CLOCK_SECOND; at < end; at += STEP) {
		time_t seconds = (time_t)at;
		struct tm parts;
		(void)localtime_r(&seconds, &parts);
		struct zone_span span = zone_span(zone, at);
		if (parts.tm_gmtoff != span.offset || parts.tm_isdst != span.daylight)
			fail_msg("%s at %lld: %d, not %ld", name, (long long)at, span.offset,
				 parts.tm_gmtoff);
	}
}

/* Every zone that people live in agrees with the C library. */
CASE(test_all)
{
	FILE *table = fopen("/usr/share/zoneinfo/zone1970.tab", "re");
	char line[1024];
	int zones = 0;
	if (!table)
		skip();
	while (fgets(line, sizeof(line), table)) {
		char name[64];
		if (line[0] == '#' || sscanf(line, "%*s %*s %63s", name) != 1)
			continue;
		compare_zone(*state, name);
		zones++;
	}
	(void)fclose(table);
	assert_int_equal(unsetenv("TZ"), 0); /* NOLINT(concurrency-mt-unsafe) */
	assert_true(zones > 100);
}

/* RK24. */
CASE(test_rails_names)
{
	static const char *const names[][2] = {
		{ "Eastern Time (US & Canada)", "America/New_York" },
		{ "Madrid", "Europe/Madrid" },
		{ "Zurich", "Europe/Zurich" },
		{ "Abu Dhabi", "Asia/Muscat" },
		{ "Nuku'alofa", "Pacific/Tongatapu" },
		{ "Europe/Madrid", "Europe/Madrid" },
	};
	struct world *world = *state;
	const struct zone *zone = NULL;
	for (size_t i = 0; i < COUNT(names); i++) {
		must(zones_find_setting, world->zones, names[i][0], &zone);
		assert_string_equal(zone_name(zone), names[i][1]);
	}
	must_be(STATUS_INVALID, zones_find_setting, world->zones, "Eastern Time", &zone);
}

/* A name is read once, and zones of two sets are two. */
CASE(test_kept)
{
	struct world *world = *state;
	const struct zone *tokyo = find(world, "Asia/Tokyo");
	size_t used = arena_used(world->arena);
	assert_ptr_equal(find(world, "Asia/Tokyo"), tokyo);
	assert_ptr_equal(find(world, "+0900"), find(world, "+09:00"));
	assert_string_equal(zone_name(find(world, "+0900")), "+09:00");
	assert_in_range(arena_used(world->arena) - used, 1, 4096);
}

/* Another directory, as TZDIR may name one; a file there that is no zone, and none at all. */
CASE(test_directory)
{
	char directory[] = "/tmp/dray-zones-XXXXXX";
	char path[64];
	struct world *world = *state;
	struct error error = { 0 };
	const struct zone *zone = NULL;
	assert_non_null(mkdtemp(directory));
	struct zones *zones = zones_new(world->arena, directory);
	assert_status(zones_find(zones, "Europe/Madrid", &zone, &error), STATUS_INVALID, &error);
	assert_contains(error.text, "tzdata");
	assert_ok(zones_find(zones, "UTC", &zone, &error), &error);
	(void)snprintf(path, sizeof(path), "%s/Broken", directory);
	test_write_file(path, "TZif2 and then nothing");
	assert_status(zones_find(zones, "Broken", &zone, &error), STATUS_INVALID, &error);
	assert_string_equal(error.text, "the data of time zone Broken is not a time zone file");
	(void)test_remove(directory);
}

/* right/ counts leap seconds: its hours would be 27 seconds off. */
CASE(test_leap_seconds)
{
	struct world *world = *state;
	struct zones *zones = zones_new(world->arena, "/usr/share/zoneinfo/right");
	const struct zone *zone = NULL;
	struct error error = { 0 };
	if (access("/usr/share/zoneinfo/right/Europe/Madrid", R_OK) != 0)
		skip();
	assert_status(zones_find(zones, "Europe/Madrid", &zone, &error), STATUS_INVALID, &error);
	assert_contains(error.text, "leap seconds");
}

struct variable {
	const char *value, *at;
	int offset;
};

static const struct variable variables[] = {
	{ "Europe/Madrid", "2026-07-01", 7200 },
	{ ":Europe/Madrid", "2026-07-01", 7200 },
	{ "/usr/share/zoneinfo/Europe/Madrid", "2026-07-01", 7200 },
	{ "CET-1CEST,M3.5.0,M10.5.0/3", "2026-07-01", 7200 },
	{ "<-03>3", "2026-07-01", -10800 },
	{ "", "2026-07-01", 0 },
	{ "UTC0", "2026-07-01", 0 },
};

CASE(test_system)
{
	struct world *world = *state;
	const struct zone *zone = NULL;
	for (size_t i = 0; i < COUNT(variables); i++) {
		assert_int_equal(setenv("TZ", variables[i].value, 1), 0);
		must(zones_system, world->zones, &zone);
		assert_int_equal(zone_span(zone, instant(variables[i].at) / CLOCK_SECOND).offset,
				 variables[i].offset);
	}
	assert_int_equal(setenv("TZ", "Mars/Base", 1), 0);
	must_be(STATUS_INVALID, zones_system, world->zones, &zone);
	assert_int_equal(unsetenv("TZ"), 0);
	must(zones_system, world->zones, &zone);
}

GROUP(world_set_up, world_tear_down);
