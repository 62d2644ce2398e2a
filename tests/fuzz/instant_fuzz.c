/* Any text: the times that people say stay in bounds, and past and future are on their side. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "common/calendar.h"
#include "common/clock.h"
#include "schedule/instant.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define NOW INT64_C(1795347000000000) /* 2026-11-22 11:30:00 UTC */

static void require(bool holds)
{
	if (!holds)
		abort();
}

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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct zone *zone = NULL;
	char *text = malloc(size + 1);

	if (text &&
	    zone_posix(arena, "Madrid", "CET-1CEST,M3.5.0,M10.5.0/3", &zone, NULL) == STATUS_OK) {
		if (size > 0)
			memcpy(text, data, size);
		text[size] = '\0';
		check(text, zone);
	}
	free(text);
	arena_free(arena);
	return 0;
}
