/* Any text: the times that people say stay in bounds, and past and future are on their side. */
#include "common/clock.h"
#include "schedule/instant.h"
#include "tests/fuzz/fuzz.h"

#define NOW INT64_C(1795347000000000) /* 2026-11-22 11:30:00 UTC */

static void check(const char *text, const struct zone *zone)
{
	int64_t past = INT64_MIN, future = INT64_MIN;
	enum status status = instant_parse(text, NOW, zone, INSTANT_PAST, &past);

	require(instant_parse(text, NOW, zone, INSTANT_FUTURE, &future) == status);
	if (status != STATUS_OK) {
		require(past == INT64_MIN && future == INT64_MIN);
		return;
	}
	require(past >= CALENDAR_FIRST_DAY * CLOCK_DAY && future <= CLOCK_LAST);
	/* What differs is on both sides of now. */
	require(past == future || (past <= NOW && future > NOW));
}

FUZZ()
{
	struct zone *zone = NULL;

	require(zone_posix(arena, "Madrid", "CET-1CEST,M3.5.0,M10.5.0/3", &zone, NULL) ==
		STATUS_OK);
	check(text, zone);
}
