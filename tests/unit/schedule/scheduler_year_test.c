/*
 * A simulated year in each of five zones, across both changes of the clocks: two schedulers that
 * share nothing but the record of what was decided on enqueue the occurrences of their tasks, late
 * by random seconds, replaced at random, and through a clock that is set back and forth. What the
 * record then has is held against a walk over every minute of the year, named by the C library.
 */
#include <time.h>

#include "scheduler/task.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MINUTES      (INT64_C(365) * 1440)
#define SCHEDULERS   2
#define LATE         9 /* seconds: not yet missed */
#define RARELY       20
#define START        (INT64_C(1767225600) * CLOCK_SECOND) /* 2026-01-01 00:00 UTC */

static const char *const zone_names[] = { "Europe/Madrid", "America/New_York", "Europe/Dublin",
					  "Australia/Lord_Howe", "America/Santiago" };

/* What a minute is called; gone: so many that the wall did not show before it. */
struct minute {
	int minute, hour, day, weekday, gone;
	bool again; /* the wall showed it before */
};

static struct minute minutes[MINUTES];

static bool nightly(const struct minute *at)
{
	return at->hour == 2 && at->minute == 30;
}

static bool midnight(const struct minute *at)
{
	return at->hour == 0 && at->minute == 0;
}

static bool monthly(const struct minute *at)
{
	return at->day == 1 && at->hour == 12 && at->minute == 15;
}

static bool sundays(const struct minute *at)
{
	return at->weekday == 0 && at->hour == 1 && (at->minute == 0 || at->minute == 45);
}

static bool hourly(const struct minute *at)
{
	return at->minute == 20;
}

static const struct {
	const char *schedule;
	bool (*runs)(const struct minute *at);
	bool every_hour; /* each real one */
} kinds[] = {
	{ "every day at 2:30am", nightly, false },
	{ "0 0 * * *", midnight, false },
	{ "15 12 1 * *", monthly, false },
	{ "0,45 1 * * sun", sundays, false },
	{ "20 * * * *", hourly, true },
};

struct year {
	struct arena *arena;
	uint64_t seed;
	struct config_task config;
	unsigned char *enqueued; /* by minute: how many jobs */
	int64_t last;            /* as dray_recurring_runs would tell */
	size_t repeated;
	struct task tasks[SCHEDULERS];
};

static unsigned pick(struct year *year, unsigned below)
{
	year->seed = year->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(year->seed >> 33) % below;
}

/* Asks the C library, which has one zone at a time. */
static void name_minutes(const char *zone)
{
	int64_t latest = INT64_MIN;

	(void)setenv("TZ", zone, 1); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	tzset();                     /* NOLINT(concurrency-mt-unsafe) */
	for (int i = 0; i < MINUTES; i++) {
		time_t at = (time_t)(START / CLOCK_SECOND + i * INT64_C(60));
		struct tm parts;
		(void)localtime_r(&at, &parts);
		int64_t local = (at + parts.tm_gmtoff) / 60;
		minutes[i] = (struct minute){ .minute = parts.tm_min,
					      .hour = parts.tm_hour,
					      .day = parts.tm_mday,
					      .weekday = parts.tm_wday,
					      .gone = latest >= 0 && local > latest + 1
							      ? (int)(local - latest - 1)
							      : 0,
					      .again = local <= latest };
		latest = local > latest ? local : latest;
	}
}

/* Does one of the minutes that the wall left out before this one name an occurrence? It is then
 * now. */
static bool left_out(size_t kind, const struct minute *at)
{
	int now = at->hour * 60 + at->minute;

	for (int i = 1; i <= at->gone; i++) {
		int local = (now - i + 1440) % 1440;
		/* A gap over midnight begins on the day before. */
		bool before = i > now;
		const struct minute gone = { .minute = local % 60,
					     .hour = local / 60,
					     .day = before ? at->day - 1 : at->day,
					     .weekday =
						     before ? (at->weekday + 6) % 7 : at->weekday };
		if (kinds[kind].runs(&gone))
			return true;
	}
	return false;
}

static bool expected(size_t kind, const struct minute *at)
{
	if (kinds[kind].runs(at) && (kinds[kind].every_hour || !at->again))
		return true;
	return !kinds[kind].every_hour && left_out(kind, at);
}

/* The unique row: the second one to come finds the occurrence taken. */
static void record(struct year *year, int64_t occurrence)
{
	int64_t minute = (occurrence - START) / CLOCK_MINUTE;

	assert_int_equal((occurrence - START) % CLOCK_MINUTE, 0);
	assert_in_range(minute, 0, MINUTES - 1);
	if (year->enqueued[minute])
		year->repeated++;
	else
		year->enqueued[minute] = 1;
	if (occurrence > year->last)
		year->last = occurrence;
}

static void tick(struct year *year, struct task *task, int64_t now)
{
	task_follow_clock(task, now);
	if (task_wakes(task) > now)
		return;
	const struct due due = task_due(task, year->arena, now);
	assert_int_equal(due.missed, 0);
	for (size_t i = 0; i < due.count; i++)
		record(year, due.occurrences[i]);
	task_continue(task, now);
}

/* Another process takes its place, and knows what the record tells. */
static void replace(struct year *year, struct task *task, int64_t now)
{
	*task = (struct task){ .config = &year->config };
	task_resume(task, START, year->last <= now ? year->last : 0, now);
}

/* The clock is an hour ahead for a while, and set right again. */
static void step(struct year *year, struct task *task, int64_t now)
{
	tick(year, task, now + CLOCK_HOUR);
	tick(year, task, now);
	assert_true(task->from <= now);
}

static int64_t next_wake(const struct year *year)
{
	int64_t wakes = CLOCK_NEVER;

	for (size_t i = 0; i < SCHEDULERS; i++)
		if (task_wakes(&year->tasks[i]) < wakes)
			wakes = task_wakes(&year->tasks[i]);
	return wakes;
}

static void live(struct year *year, int64_t end)
{
	int64_t now = START + CLOCK_SECOND;

	for (size_t i = 0; i < SCHEDULERS; i++)
		replace(year, &year->tasks[i], now);
	for (;;) {
		int64_t wakes = next_wake(year);
		now = (wakes > now ? wakes : now) + pick(year, LATE) * CLOCK_SECOND;
		if (now >= end)
			return;
		/* What else happens to one of them then. */
		struct task *task = &year->tasks[pick(year, SCHEDULERS)];
		if (pick(year, RARELY) == 0)
			replace(year, task, now);
		else if (pick(year, RARELY) == 0 && now + CLOCK_HOUR < end)
			step(year, task, now);
		for (size_t i = 0; i < SCHEDULERS; i++)
			tick(year, &year->tasks[i], now);
		arena_clear(year->arena);
	}
}

static void check(struct year *year, const char *zone, size_t kind)
{
	size_t occurrences = 0;

	for (int i = 1; i < MINUTES; i++) {
		bool wanted = expected(kind, &minutes[i]);
		occurrences += wanted;
		if (wanted != (year->enqueued[i] != 0))
			fail_msg("\"%s\" in %s: minute %d of the year (%02d:%02d) has %d jobs",
				 kinds[kind].schedule, zone, i, minutes[i].hour, minutes[i].minute,
				 year->enqueued[i]);
	}
	assert_true(occurrences >= 12);
	assert_true(year->repeated >= occurrences); /* the second scheduler came to each */
}

static void run_year(const char *name, size_t kind)
{
	struct arena *arena = arena_new();
	struct year *year = arena_alloc(arena, sizeof(*year));
	struct zones *zones = zones_new(arena, NULL);
	struct schedule_request request = { .text = kinds[kind].schedule, .zones = zones };

	year->arena = arena_new();
	year->seed = 20260101 + kind;
	year->enqueued = arena_alloc(arena, (size_t)MINUTES);
	year->config = (struct config_task){ .key = "task",
					     .class = "A",
					     .misfire = MISFIRE_ALL,
					     .misfire_limit = 1000,
					     .misfire_window = CLOCK_DAY,
					     .enabled = true,
					     .starts = INT64_MIN,
					     .ends = CLOCK_NEVER };
	must(zones_find, zones, name, &request.zone);
	must(schedule_parse, arena, &request, &year->config.timer, NULL);
	live(year, START + MINUTES * CLOCK_MINUTE);
	check(year, name, kind);
	arena_free(year->arena);
	arena_free(arena);
}

/* The zones change at 1, 2 and 3 at night, by an hour and by half of one, and at midnight. */
CASE(test_a_year_in_five_zones)
{
	for (size_t i = 0; i < COUNT(zone_names); i++) {
		name_minutes(zone_names[i]);
		for (size_t kind = 0; kind < COUNT(kinds); kind++)
			run_year(zone_names[i], kind);
	}
}
