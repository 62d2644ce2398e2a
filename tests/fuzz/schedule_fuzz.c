/* A schedule, read as its first byte says: the canonical form means the same, runs are in order. */
#include "common/clock.h"
#include "schedule/schedule.h"
#include "tests/fuzz/fuzz.h"

#define OCCURRENCES 20
#define START       (INT64_C(1772000000) * CLOCK_SECOND) /* 2026-02-25 */

static void check_note(const struct schedule_note *note, const char *text)
{
	require(note->offset + note->length <= strlen(text));
	require(note->line >= 1 && note->column >= 1 && note->column <= strlen(text) + 1);
	require(note->text && *note->text);
}

static void check_occurrences(const struct schedule *schedule, const struct schedule *canonical)
{
	struct schedule_occurrence occurrence = { .instant = START };
	struct schedule_occurrence other;
	for (int i = 0; i < OCCURRENCES; i++) {
		int64_t before = occurrence.instant;
		bool found = schedule_next(schedule, before, &occurrence);
		require(schedule_next(canonical, before, &other) == found);
		if (!found)
			return;
		require(occurrence.instant > before && occurrence.instant == other.instant);
		require(occurrence.instant % CLOCK_SECOND == 0 && occurrence.instant <= CLOCK_LAST);
		require(schedule_previous(schedule, occurrence.instant + 1, &other));
		require(other.instant == occurrence.instant && other.mark == occurrence.mark);
		if (schedule_previous(schedule, occurrence.instant, &other))
			require(other.instant <= before || i > 0);
		if (i > 0)
			require(other.instant == before);
	}
}

static void check_edges(const struct schedule *schedule)
{
	struct schedule_occurrence occurrence;
	if (schedule_next(schedule, INT64_MIN, &occurrence))
		require(occurrence.instant >= -CLOCK_LAST);
	require(!schedule_next(schedule, CLOCK_LAST, &occurrence));
	require(!schedule_next(schedule, INT64_MAX, &occurrence));
	require(!schedule_previous(schedule, INT64_MIN, &occurrence));
	if (schedule_previous(schedule, INT64_MAX, &occurrence))
		require(occurrence.instant <= CLOCK_LAST);
}

static void check(struct arena *arena, const struct schedule_request *request,
		  const struct schedule *schedule)
{
	const struct schedule *canonical = NULL;
	struct schedule_request again = *request;
	struct error error;
	again.text = schedule->cron;
	again.strict = false;
	require(*schedule_words(arena, schedule) != '\0');
	for (size_t i = 0; i < schedule->warning_count; i++)
		check_note(&schedule->warnings[i], request->text);
	if (strlen(again.text) > SCHEDULE_TEXT_MAXIMUM)
		return;
	require(schedule_parse(arena, &again, &canonical, NULL, &error) == STATUS_OK);
	check_occurrences(schedule, canonical);
	check_edges(schedule);
}

FUZZ()
{
	uint8_t how = size > 0 ? data[0] : 0;
	struct schedule_request request = {
		.text = size > 0 ? text + 1 : text,
		.key = how & 1 ? "task" : NULL,
		.zones = zones_new(arena, "/usr/share/zoneinfo/US"), /* few, for speed */
		.strict = how & 2,
		.compatible = how & 4,
		.gap = how >> 3 & 1 ? SCHEDULE_GAP_SKIP : SCHEDULE_GAP_DEFAULT,
		.overlap = how >> 4 & 1 ? SCHEDULE_OVERLAP_BOTH : SCHEDULE_OVERLAP_DEFAULT,
	};
	const struct schedule *schedule = NULL;
	struct schedule_note fault = { 0 };
	struct error error = { 0 };
	if (schedule_parse(arena, &request, &schedule, &fault, &error) == STATUS_OK) {
		check(arena, &request, schedule);
	} else {
		check_note(&fault, request.text);
		require(strstr(error.text, fault.text) || strlen(fault.text) > 900);
	}
}
