/* Any bytes as a time zone: what is accepted has spans side by side, and searching it ends. */
#include "common/clock.h"
#include "schedule/schedule.h"
#include "tests/fuzz/fuzz.h"

#define YEAR  (INT64_C(366) * 86400)
#define SPANS 400

static void check_span(const struct zone *zone, int64_t second, struct zone_span *span)
{
	*span = zone_span(zone, second);
	require(span->from <= second && second < span->until);
	require(span->offset >= ZONE_OFFSET_MINIMUM && span->offset <= ZONE_OFFSET_MAXIMUM);
	require(span->before >= ZONE_OFFSET_MINIMUM && span->before <= ZONE_OFFSET_MAXIMUM);
	require(strlen(span->abbreviation) < ZONE_FILE_MAXIMUM);
}

static void check_spans(const struct zone *zone)
{
	struct zone_span span;
	int64_t last = CLOCK_LAST / CLOCK_SECOND;
	int64_t at = -YEAR * 200;
	for (int i = 0; i < SPANS && at < last; i++, at = span.until)
		check_span(zone, at, &span);
	for (at = -YEAR * 1970; at < last; at += YEAR * 31)
		check_span(zone, at, &span);
}

static void check_schedule(struct arena *arena, const struct zone *zone, const char *text)
{
	struct schedule_request request = { .text = text,
					    .zones = zones_new(arena, "/usr/share/zoneinfo"),
					    .zone = zone };
	const struct schedule *schedule = NULL;
	struct schedule_occurrence occurrence = { .instant = INT64_C(1772000000) * CLOCK_SECOND };
	require(schedule_parse(arena, &request, &schedule, NULL, NULL) == STATUS_OK);
	for (int i = 0; i < 50; i++) {
		int64_t before = occurrence.instant;
		if (!schedule_next(schedule, before, &occurrence))
			break;
		require(occurrence.instant > before);
	}
	for (int i = 0; i < 50; i++) {
		int64_t after = occurrence.instant;
		if (!schedule_previous(schedule, after, &occurrence))
			break;
		require(occurrence.instant < after);
	}
}

static void check(struct arena *arena, const struct zone *zone)
{
	check_spans(zone);
	check_schedule(arena, zone, "30 2 * * *");
	check_schedule(arena, zone, "0 0 29 2 *");
	check_schedule(arena, zone, "*/20 * * * *");
}

FUZZ()
{
	struct zone *zone = NULL;
	struct error error;
	if (zone_read(arena, "Fuzz/File", data, size, &zone, &error) == STATUS_OK)
		check(arena, zone);
	if (zone_posix(arena, "Fuzz/Rule", text, &zone, &error) == STATUS_OK)
		check(arena, zone);
}
