/* What changes of the clocks, of whatever length, do to schedules. */
#include "tests/support/model/zone_world.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))

struct change {
	const char *text, *after;
	enum schedule_gap gap;
	enum schedule_overlap overlap;
	const char *runs;
};

#define SKIP  SCHEDULE_GAP_SKIP
#define VALID SCHEDULE_GAP_NEXT_VALID
#define FIRST SCHEDULE_OVERLAP_FIRST
#define BOTH  SCHEDULE_OVERLAP_BOTH

static const struct change changes[] = {
	/* Forward: 2:00 to 3:00 on 2026-03-08. */
	{ "30 2 * * * America/New_York", "2026-03-07", 0, 0,
	  "2026-03-07 07:30, 2026-03-08 07:00 moved, 2026-03-09 06:30" },
	{ "30 2 * * * America/New_York", "2026-03-07", SKIP, 0,
	  "2026-03-07 07:30, 2026-03-09 06:30" },
	{ "*/10 2 * * * America/New_York", "2026-03-07 07:50", 0, 0,
	  "2026-03-08 07:00 moved, 2026-03-09 06:00" },
	{ "0 2,3 * * * America/New_York", "2026-03-07 12:00", 0, 0,
	  "2026-03-08 07:00 moved, 2026-03-09 06:00, 2026-03-09 07:00" },
	{ "0 * * * * America/New_York", "2026-03-08 05:00", 0, 0,
	  "2026-03-08 06:00, 2026-03-08 07:00, 2026-03-08 08:00" },
	{ "30 * * * * America/New_York", "2026-03-08 05:00", 0, 0,
	  "2026-03-08 05:30, 2026-03-08 06:30, 2026-03-08 07:30" },
	{ "30 * * * * America/New_York", "2026-03-08 06:00", VALID, 0,
	  "2026-03-08 06:30, 2026-03-08 07:00 moved, 2026-03-08 07:30" },
	/* Back: 2:00 to 1:00 on 2026-11-01. */
	{ "30 1 * * * America/New_York", "2026-10-31 12:00", 0, 0,
	  "2026-11-01 05:30 first, 2026-11-02 06:30" },
	{ "30 1 * * * America/New_York", "2026-10-31 12:00", 0, BOTH,
	  "2026-11-01 05:30 first, 2026-11-01 06:30 second, 2026-11-02 06:30" },
	{ "30 1 * * * America/New_York", "2026-11-01 05:45", 0, 0, "2026-11-02 06:30" },
	{ "0 * * * * America/New_York", "2026-11-01 04:00", 0, 0,
	  "2026-11-01 05:00 first, 2026-11-01 06:00 second, 2026-11-01 07:00" },
	{ "0 * * * * America/New_York", "2026-11-01 04:00", 0, FIRST,
	  "2026-11-01 05:00 first, 2026-11-01 07:00" },
	{ "*/20 0-1 * * * America/New_York", "2026-11-01 05:30", 0, 0,
	  "2026-11-01 05:40 first, 2026-11-02 05:00" },
	/* Midnight that does not exist. */
	{ "0 0 * * * America/Sao_Paulo", "2018-11-03 12:00", 0, 0,
	  "2018-11-04 03:00 moved, 2018-11-05 02:00" },
	{ "0 0 * * * America/Sao_Paulo", "2018-11-03 12:00", SKIP, 0, "2018-11-05 02:00" },
	/* Half an hour: 2:00 to 2:30 on 2026-10-04, 2:00 to 1:30 on 2026-04-05. */
	{ "15 2 * * * Australia/Lord_Howe", "2026-10-02 16:00", 0, 0,
	  "2026-10-03 15:30 moved, 2026-10-04 15:15" },
	{ "45 1 * * * Australia/Lord_Howe", "2026-04-04", 0, BOTH,
	  "2026-04-04 14:45 first, 2026-04-04 15:15 second, 2026-04-05 15:15" },
	{ "15 1 * * * Australia/Lord_Howe", "2026-04-04", 0, BOTH,
	  "2026-04-04 14:15, 2026-04-05 14:45" },
	/* Two hours: 1:00 to 3:00 on 2026-03-29, 3:00 to 1:00 on 2026-10-25. */
	{ "30 1,2 * * * Antarctica/Troll", "2026-03-28 12:00", 0, 0,
	  "2026-03-29 01:00 moved, 2026-03-29 23:30, 2026-03-30 00:30" },
	{ "30 1,2 * * * Antarctica/Troll", "2026-10-24 12:00", 0, 0,
	  "2026-10-24 23:30 first, 2026-10-25 00:30 first, 2026-10-26 01:30" },
	/* Back for Ramadan and forward after it: 3:00 to 2:00 on 2026-02-15, back on 03-22. */
	{ "30 2 * * * Africa/Casablanca", "2026-02-14 12:00", 0, 0,
	  "2026-02-15 01:30 first, 2026-02-16 02:30" },
	{ "30 2 * * * Africa/Casablanca", "2026-03-21 12:00", 0, 0,
	  "2026-03-22 02:00 moved, 2026-03-23 01:30" },
	/* Friday 2011-12-30 was not. */
	{ "0 12 * * * Pacific/Apia", "2011-12-29", 0, 0,
	  "2011-12-29 22:00, 2011-12-30 10:00 moved, 2011-12-30 22:00" },
	{ "0 12 * * * Pacific/Apia", "2011-12-29", SKIP, 0, "2011-12-29 22:00, 2011-12-30 22:00" },
	{ "0 12 * * fri Pacific/Apia", "2011-12-24", 0, 0,
	  "2011-12-30 10:00 moved, 2012-01-05 22:00" },
	/* Before the beginning of daylight saving, and long after the file's end. */
	{ "0 12 1 7 * Europe/Madrid", "1899-12-31", 0, 0, "1900-07-01 12:14:44" },
	{ "0 12 1 7 * Europe/Madrid", "9998-12-31", 0, 0, "9999-07-01 10:00" },
};

static void check(const struct world *world, const struct change *change, bool compatible)
{
	const struct schedule_request request = { .text = change->text,
						  .gap = change->gap,
						  .overlap = change->overlap,
						  .compatible = compatible };

	assert_runs(world_schedule(world, request), change->after, change->runs);
}

CASE(test_changes)
{
	for (size_t i = 0; i < COUNT(changes); i++)
		check(*state, &changes[i], false);
}

/* Measured (solid-queue.md, 2.11): what does not exist is skipped, what exists twice runs twice. */
CASE(test_compatible)
{
	static const struct change model[] = {
		{ "30 2 * * * America/New_York", "2026-03-08", 0, 0, "2026-03-09 06:30" },
		{ "30 1 * * * America/New_York", "2026-11-01", 0, 0,
		  "2026-11-01 05:30 first, 2026-11-01 06:30 second" },
		{ "0 * * * * America/New_York", "2026-11-01 04:30", 0, 0,
		  "2026-11-01 05:00 first, 2026-11-01 06:00 second, 2026-11-01 07:00" },
		{ "0 0 * * * America/Sao_Paulo", "2018-11-03 12:00", 0, 0, "2018-11-05 02:00" },
		/* All days, but not as * names them: a weekday beside them is one day more. */
		{ "0 0 18-17 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-24, 2026-11-25" },
		{ "0 0 1-15,16-31 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-24" },
		{ "0 0 1-31 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-30" },
		{ "0 0 */1 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-30" },
		{ "0 0 1/1 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-30" },
		{ "0 0 1-L,5 * 1 UTC", "2026-11-23 12:00", 0, 0, "2026-11-30" },
		{ "0 0 18-17 * * UTC", "2026-11-23 12:00", 0, 0, "2026-11-24" },
	};

	for (size_t i = 0; i < COUNT(model); i++)
		check(*state, &model[i], true);
}

/* RK21 to RK23: the default is for what names no zone, and is not shown. */
CASE(test_default)
{
	const struct world *world = *state;
	struct schedule_request request = { .text = "every day at 9am" };
	struct schedule_occurrence occurrence;

	assert_ok(zones_find(world->zones, "Asia/Tokyo", &request.zone, NULL), NULL);
	const struct schedule *schedule = world_schedule(world, request);
	assert_true(schedule_next(schedule, instant("2026-11-21"), &occurrence));
	assert_int_equal(occurrence.instant, instant("2026-11-22"));
	assert_int_equal(occurrence.offset, 9 * 3600);
	assert_string_equal(schedule->cron, "0 9 * * *");
	request.text = "every day at 9am Europe/Madrid";
	assert_string_equal(zone_name(world_schedule(world, request)->zone), "Europe/Madrid");
	request.zone = NULL;
	request.text = "every day at 9am";
	assert_string_equal(zone_name(world_schedule(world, request)->zone), "UTC");
}

GROUP(world_set_up, world_tear_down);
