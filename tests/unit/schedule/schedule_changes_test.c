/*
 * What changes of the clocks do to schedules: gaps and overlaps of an hour, half an hour, two hours
 * and a whole day, forward and backward.
 */
#include "common/clock.h"
#include "schedule/schedule.h"
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct change {
	const char *text, *after;
	enum schedule_gap gap;
	enum schedule_overlap overlap;
	const char *runs[5];
	enum schedule_mark marks[5];
};

#define SKIP  SCHEDULE_GAP_SKIP
#define VALID SCHEDULE_GAP_NEXT_VALID
#define FIRST SCHEDULE_OVERLAP_FIRST
#define BOTH  SCHEDULE_OVERLAP_BOTH
#define MOVED SCHEDULE_MOVED

static const struct change changes[] = {
	/* Forward: 2:00 to 3:00 on 2026-03-08. */
	{ "30 2 * * * America/New_York",
	  "2026-03-07T00:00:00Z",
	  0,
	  0,
	  { "2026-03-07T07:30:00Z", "2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z" },
	  { 0, MOVED, 0 } },
	{ "30 2 * * * America/New_York",
	  "2026-03-07T00:00:00Z",
	  SKIP,
	  0,
	  { "2026-03-07T07:30:00Z", "2026-03-09T06:30:00Z" } },
	{ "*/10 2 * * * America/New_York",
	  "2026-03-07T07:50:00Z",
	  0,
	  0,
	  { "2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z" },
	  { MOVED, 0 } },
	{ "0 2,3 * * * America/New_York",
	  "2026-03-07T12:00:00Z",
	  0,
	  0,
	  { "2026-03-08T07:00:00Z", "2026-03-09T06:00:00Z", "2026-03-09T07:00:00Z" },
	  { MOVED, 0, 0 } },
	{ "0 * * * * America/New_York",
	  "2026-03-08T05:00:00Z",
	  0,
	  0,
	  { "2026-03-08T06:00:00Z", "2026-03-08T07:00:00Z", "2026-03-08T08:00:00Z" } },
	{ "30 * * * * America/New_York",
	  "2026-03-08T05:00:00Z",
	  0,
	  0,
	  { "2026-03-08T05:30:00Z", "2026-03-08T06:30:00Z", "2026-03-08T07:30:00Z" } },
	{ "30 * * * * America/New_York",
	  "2026-03-08T06:00:00Z",
	  VALID,
	  0,
	  { "2026-03-08T06:30:00Z", "2026-03-08T07:00:00Z", "2026-03-08T07:30:00Z" },
	  { 0, MOVED, 0 } },
	/* Back: 2:00 to 1:00 on 2026-11-01. */
	{ "30 1 * * * America/New_York",
	  "2026-10-31T12:00:00Z",
	  0,
	  0,
	  { "2026-11-01T05:30:00Z", "2026-11-02T06:30:00Z" },
	  { SCHEDULE_FIRST, 0 } },
	{ "30 1 * * * America/New_York",
	  "2026-10-31T12:00:00Z",
	  0,
	  BOTH,
	  { "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z", "2026-11-02T06:30:00Z" },
	  { SCHEDULE_FIRST, SCHEDULE_SECOND, 0 } },
	{ "30 1 * * * America/New_York", "2026-11-01T05:45:00Z", 0, 0, { "2026-11-02T06:30:00Z" } },
	{ "0 * * * * America/New_York",
	  "2026-11-01T04:00:00Z",
	  0,
	  0,
	  { "2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z" },
	  { SCHEDULE_FIRST, SCHEDULE_SECOND, 0 } },
	{ "0 * * * * America/New_York",
	  "2026-11-01T04:00:00Z",
	  0,
	  FIRST,
	  { "2026-11-01T05:00:00Z", "2026-11-01T07:00:00Z" },
	  { SCHEDULE_FIRST, 0 } },
	{ "*/20 0-1 * * * America/New_York",
	  "2026-11-01T05:30:00Z",
	  0,
	  0,
	  { "2026-11-01T05:40:00Z", "2026-11-02T05:00:00Z" },
	  { SCHEDULE_FIRST, 0 } },
	/* Midnight that does not exist. */
	{ "0 0 * * * America/Sao_Paulo",
	  "2018-11-03T12:00:00Z",
	  0,
	  0,
	  { "2018-11-04T03:00:00Z", "2018-11-05T02:00:00Z" },
	  { MOVED, 0 } },
	{ "0 0 * * * America/Sao_Paulo",
	  "2018-11-03T12:00:00Z",
	  SKIP,
	  0,
	  { "2018-11-05T02:00:00Z" } },
	/* Half an hour: 2:00 to 2:30 on 2026-10-04, 2:00 to 1:30 on 2026-04-05. */
	{ "15 2 * * * Australia/Lord_Howe",
	  "2026-10-02T16:00:00Z",
	  0,
	  0,
	  { "2026-10-03T15:30:00Z", "2026-10-04T15:15:00Z" },
	  { MOVED, 0 } },
	{ "45 1 * * * Australia/Lord_Howe",
	  "2026-04-04T00:00:00Z",
	  0,
	  BOTH,
	  { "2026-04-04T14:45:00Z", "2026-04-04T15:15:00Z", "2026-04-05T15:15:00Z" },
	  { SCHEDULE_FIRST, SCHEDULE_SECOND, 0 } },
	{ "15 1 * * * Australia/Lord_Howe",
	  "2026-04-04T00:00:00Z",
	  0,
	  BOTH,
	  { "2026-04-04T14:15:00Z", "2026-04-05T14:45:00Z" } },
	/* Two hours: 1:00 to 3:00 on 2026-03-29, 3:00 to 1:00 on 2026-10-25. */
	{ "30 1,2 * * * Antarctica/Troll",
	  "2026-03-28T12:00:00Z",
	  0,
	  0,
	  { "2026-03-29T01:00:00Z", "2026-03-29T23:30:00Z", "2026-03-30T00:30:00Z" },
	  { MOVED, 0, 0 } },
	{ "30 1,2 * * * Antarctica/Troll",
	  "2026-10-24T12:00:00Z",
	  0,
	  0,
	  { "2026-10-24T23:30:00Z", "2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z" },
	  { SCHEDULE_FIRST, SCHEDULE_FIRST, 0 } },
	/* Back for Ramadan and forward after it: 3:00 to 2:00 on 2026-02-15, back on 03-22. */
	{ "30 2 * * * Africa/Casablanca",
	  "2026-02-14T12:00:00Z",
	  0,
	  0,
	  { "2026-02-15T01:30:00Z", "2026-02-16T02:30:00Z" },
	  { SCHEDULE_FIRST, 0 } },
	{ "30 2 * * * Africa/Casablanca",
	  "2026-03-21T12:00:00Z",
	  0,
	  0,
	  { "2026-03-22T02:00:00Z", "2026-03-23T01:30:00Z" },
	  { MOVED, 0 } },
	/* Friday 2011-12-30 was not. */
	{ "0 12 * * * Pacific/Apia",
	  "2011-12-29T00:00:00Z",
	  0,
	  0,
	  { "2011-12-29T22:00:00Z", "2011-12-30T10:00:00Z", "2011-12-30T22:00:00Z" },
	  { 0, MOVED, 0 } },
	{ "0 12 * * * Pacific/Apia",
	  "2011-12-29T00:00:00Z",
	  SKIP,
	  0,
	  { "2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z" } },
	{ "0 12 * * fri Pacific/Apia",
	  "2011-12-24T00:00:00Z",
	  0,
	  0,
	  { "2011-12-30T10:00:00Z", "2012-01-05T22:00:00Z" },
	  { MOVED, 0 } },
	/* Before the beginning of daylight saving, and long after the file's end. */
	{ "0 12 1 7 * Europe/Madrid", "1899-12-31", 0, 0, { "1900-07-01T12:14:44Z" } },
	{ "0 12 1 7 * Europe/Madrid", "9998-12-31", 0, 0, { "9999-07-01T10:00:00Z" } },
};

static const struct schedule *parse(struct world *world, const struct change *change)
{
	const struct schedule *schedule = NULL;
	struct error error = { 0 };
	struct schedule_request request = { .text = change->text,
					    .zones = world->zones,
					    .gap = change->gap,
					    .overlap = change->overlap };
	assert_ok(schedule_parse(world->arena, &request, &schedule, NULL, &error), &error);
	return schedule;
}

static void check_occurrence(const struct change *change, size_t i,
			     const struct schedule_occurrence *occurrence)
{
	char text[CLOCK_TEXT_SIZE];
	clock_format(occurrence->instant, text);
	if (occurrence->instant != instant(change->runs[i]))
		fail_msg("%s runs at %s, not %s", change->text, text, change->runs[i]);
	if (occurrence->mark != change->marks[i])
		fail_msg("%s at %s is marked %d", change->text, text, (int)occurrence->mark);
}

/* Forward over the occurrences, and the same ones back. */
CASE(test_changes)
{
	for (size_t i = 0; i < COUNT(changes); i++) {
		const struct change *change = &changes[i];
		const struct schedule *schedule = parse(*state, change);
		struct schedule_occurrence occurrence = { .instant = instant(change->after) };
		size_t count = 0;
		for (; count < COUNT(change->runs) && change->runs[count]; count++) {
			assert_true(schedule_next(schedule, occurrence.instant, &occurrence));
			check_occurrence(change, count, &occurrence);
		}
		while (--count > 0) {
			assert_true(schedule_previous(schedule, occurrence.instant, &occurrence));
			check_occurrence(change, count - 1, &occurrence);
		}
	}
}

/* Measured (solid-queue.md, 2.11): what does not exist is skipped, what exists twice runs twice. */
CASE(test_compatible)
{
	static const struct change model[] = {
		{ "30 2 * * * America/New_York",
		  "2026-03-08T00:00:00Z",
		  0,
		  0,
		  { "2026-03-09T06:30:00Z" } },
		{ "30 1 * * * America/New_York",
		  "2026-11-01T00:00:00Z",
		  0,
		  0,
		  { "2026-11-01T05:30:00Z", "2026-11-01T06:30:00Z" } },
		{ "0 * * * * America/New_York",
		  "2026-11-01T04:30:00Z",
		  0,
		  0,
		  { "2026-11-01T05:00:00Z", "2026-11-01T06:00:00Z", "2026-11-01T07:00:00Z" } },
		{ "0 0 * * * America/Sao_Paulo",
		  "2018-11-03T12:00:00Z",
		  0,
		  0,
		  { "2018-11-05T02:00:00Z" } },
		/* All days, but not as * names them: a weekday beside them is one day more. */
		{ "0 0 18-17 * 1 UTC",
		  "2026-11-23T12:00:00Z",
		  0,
		  0,
		  { "2026-11-24T00:00:00Z", "2026-11-25T00:00:00Z" } },
		{ "0 0 1-15,16-31 * 1 UTC",
		  "2026-11-23T12:00:00Z",
		  0,
		  0,
		  { "2026-11-24T00:00:00Z" } },
		{ "0 0 1-31 * 1 UTC", "2026-11-23T12:00:00Z", 0, 0, { "2026-11-30T00:00:00Z" } },
		{ "0 0 */1 * 1 UTC", "2026-11-23T12:00:00Z", 0, 0, { "2026-11-30T00:00:00Z" } },
		{ "0 0 1/1 * 1 UTC", "2026-11-23T12:00:00Z", 0, 0, { "2026-11-30T00:00:00Z" } },
		{ "0 0 1-L,5 * 1 UTC", "2026-11-23T12:00:00Z", 0, 0, { "2026-11-30T00:00:00Z" } },
		{ "0 0 18-17 * * UTC", "2026-11-23T12:00:00Z", 0, 0, { "2026-11-24T00:00:00Z" } },
	};
	struct world *world = *state;
	for (size_t i = 0; i < COUNT(model); i++) {
		const struct schedule *schedule = NULL;
		struct schedule_occurrence occurrence = { .instant = instant(model[i].after) };
		struct schedule_request request = { .text = model[i].text,
						    .zones = world->zones,
						    .compatible = true };
		assert_ok(schedule_parse(world->arena, &request, &schedule, NULL, NULL), NULL);
		for (size_t j = 0; j < COUNT(model[i].runs) && model[i].runs[j]; j++) {
			assert_true(schedule_next(schedule, occurrence.instant, &occurrence));
			assert_int_equal(occurrence.instant, instant(model[i].runs[j]));
		}
	}
}

/* RK21 to RK23: the default is for what names no zone, and is not shown. */
CASE(test_default)
{
	struct world *world = *state;
	const struct zone *zone = NULL;
	const struct schedule *schedule = NULL;
	struct schedule_occurrence occurrence;
	assert_ok(zones_find(world->zones, "Asia/Tokyo", &zone, NULL), NULL);
	struct schedule_request request = { .text = "every day at 9am",
					    .zones = world->zones,
					    .zone = zone };
	assert_ok(schedule_parse(world->arena, &request, &schedule, NULL, NULL), NULL);
	assert_true(schedule_next(schedule, instant("2026-11-21T00:00:00Z"), &occurrence));
	assert_int_equal(occurrence.instant, instant("2026-11-22T00:00:00Z"));
	assert_int_equal(occurrence.offset, 9 * 3600);
	assert_string_equal(schedule->cron, "0 9 * * *");
	request.text = "every day at 9am Europe/Madrid";
	assert_ok(schedule_parse(world->arena, &request, &schedule, NULL, NULL), NULL);
	assert_string_equal(zone_name(schedule->zone), "Europe/Madrid");
	request.zone = NULL;
	request.text = "every day at 9am";
	assert_ok(schedule_parse(world->arena, &request, &schedule, NULL, NULL), NULL);
	assert_string_equal(zone_name(schedule->zone), "UTC");
}

GROUP(world_set_up, world_tear_down);
