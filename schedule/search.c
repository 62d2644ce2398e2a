#include "common/clock.h"
#include "schedule/cron/cron.h"
#include "schedule/schedule.h"

/* Where instants have a text form, in seconds. */
#define FIRST (CALENDAR_FIRST_DAY * 86400)
#define LAST  (CALENDAR_LAST_DAY * 86400 + 86399)

/*
 * Within a span of a zone local time and UTC differ by a constant, so the search walks over spans
 * and looks for local times in each. What the rules for daylight saving add lies where spans meet.
 */
struct search {
	const struct cron *cron;
	const struct zone *zone;
	bool moved; /* local times that do not exist run at the end of the gap */
	bool twice; /* local times that exist twice run twice */
};

struct found {
	int64_t second;
	enum schedule_mark mark;
};

#define EVERY_HOUR ((UINT32_C(1) << 24) - 1)

static struct search search_for(const struct schedule *schedule, size_t index)
{
	const struct cron *cron = &schedule->crons[index];
	bool hourly = cron->hours == EVERY_HOUR;
	return (struct search){
		.cron = cron,
		.zone = schedule->zone,
		.moved = schedule->gap == SCHEDULE_GAP_DEFAULT
				 ? !hourly
				 : schedule->gap == SCHEDULE_GAP_NEXT_VALID,
		.twice = schedule->overlap == SCHEDULE_OVERLAP_DEFAULT
				 ? hourly
				 : schedule->overlap == SCHEDULE_OVERLAP_BOTH,
	};
}

/* Does a local time that the beginning of the span leaves out match? */
static bool gap_matches(const struct search *search, const struct zone_span *span)
{
	int64_t from = span->from + span->before;
	int64_t until = span->from + span->offset;
	return search->moved && from < until && cron_first(search->cron, from, until) < until;
}

/* The first local time of the span that is not a repetition, or that may be one. */
static int64_t span_start(const struct search *search, const struct zone_span *span)
{
	int offset = span->offset;
	if (!search->twice && span->before > offset)
		offset = span->before;
	return span->from + offset;
}

/* Does this local time come again in the next span, or came it in the one before? */
static enum schedule_mark mark_of(const struct search *search, const struct zone_span *span,
				  int64_t local)
{
	if (local == span->from + span->offset && gap_matches(search, span))
		return SCHEDULE_MOVED;
	if (local < span->from + span->before)
		return SCHEDULE_SECOND;
	if (span->until >= LAST)
		return SCHEDULE_PLAIN;
	struct zone_span next = zone_span(search->zone, span->until);
	return local >= span->until + next.offset ? SCHEDULE_FIRST : SCHEDULE_PLAIN;
}

static bool at_local(const struct search *search, const struct zone_span *span, int64_t local,
		     struct found *found)
{
	found->second = local - span->offset;
	found->mark = mark_of(search, span, local);
	return found->second >= FIRST && found->second <= LAST;
}

static bool first_from(const struct search *search, int64_t second, struct found *found)
{
	while (second <= LAST) {
		struct zone_span span = zone_span(search->zone, second);
		if (second == span.from && gap_matches(search, &span)) {
			*found = (struct found){ second, SCHEDULE_MOVED };
			return true;
		}
		int64_t start = span_start(search, &span);
		int64_t from = second + span.offset > start ? second + span.offset : start;
		int64_t end = span.until <= LAST ? span.until : LAST + 1;
		int64_t local = cron_first(search->cron, from, end + span.offset);
		if (local < end + span.offset)
			return at_local(search, &span, local, found);
		second = end;
	}
	return false;
}

static bool last_until(const struct search *search, int64_t second, struct found *found)
{
	while (second >= FIRST) {
		struct zone_span span = zone_span(search->zone, second);
		int64_t start = span_start(search, &span);
		int64_t bound = FIRST + span.offset;
		int64_t from = start > bound ? start : bound;
		int64_t local = cron_last(search->cron, from, second + span.offset + 1);
		if (local >= from)
			return at_local(search, &span, local, found);
		if (span.from >= FIRST && gap_matches(search, &span)) {
			*found = (struct found){ span.from, SCHEDULE_MOVED };
			return true;
		}
		second = span.from - 1;
	}
	return false;
}

static void tell(const struct schedule *schedule, const struct found *found,
		 struct schedule_occurrence *occurrence)
{
	struct zone_span span = zone_span(schedule->zone, found->second);
	*occurrence = (struct schedule_occurrence){
		.instant = found->second * CLOCK_SECOND,
		.offset = span.offset,
		.mark = found->mark,
		.abbreviation = span.abbreviation,
	};
}

/* The nearest one of all crons. */
static bool nearest(const struct schedule *schedule, int64_t second, bool backwards,
		    struct schedule_occurrence *occurrence)
{
	struct found best = { 0 };
	bool any = false;
	for (size_t i = 0; i < schedule->cron_count; i++) {
		struct search search = search_for(schedule, i);
		struct found found = { 0 };
		if (!(backwards ? last_until : first_from)(&search, second, &found))
			continue;
		if (!any || (backwards ? found.second > best.second : found.second < best.second))
			best = found;
		any = true;
	}
	if (any)
		tell(schedule, &best, occurrence);
	return any;
}

bool schedule_next(const struct schedule *schedule, int64_t after,
		   struct schedule_occurrence *occurrence)
{
	int64_t second = floor_divide(after, CLOCK_SECOND) + 1;
	return nearest(schedule, second < FIRST ? FIRST : second, false, occurrence);
}

bool schedule_previous(const struct schedule *schedule, int64_t before,
		       struct schedule_occurrence *occurrence)
{
	int64_t second = floor_divide(before, CLOCK_SECOND) - (before % CLOCK_SECOND == 0 ? 1 : 0);
	return nearest(schedule, second > LAST ? LAST : second, true, occurrence);
}

const char *schedule_mark_name(enum schedule_mark mark)
{
	static const char *const names[] = {
		[SCHEDULE_PLAIN] = NULL,
		[SCHEDULE_MOVED] = "moved",
		[SCHEDULE_FIRST] = "first of two",
		[SCHEDULE_SECOND] = "second of two",
	};
	return names[mark];
}
