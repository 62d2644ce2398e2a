/*
 * Random cron expressions and phrases against a walk over every minute of a year: the C library
 * says what each minute is called in its zone, and the expression is held against that by the
 * letter of the language. DRAY_TEST_SCHEDULES=10000 for as many, DRAY_TEST_SEED=n for others.
 */
#include <time.h>

#include "common/text/parse.h"
#include "schedule/schedule.h"
#include "tests/support/model/cron_model.h"
#include "tests/support/test.h"

#define COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define MINUTES      (366 * 1440)
#define SAMPLE       140 /* schedules in an ordinary run */
#define PICKS        12
#define WALK         400
#define WEEK_0       17896 /* 2018-12-31 in days since 1970 */

/* A year in a zone, chosen for what happens to its clocks. */
static const struct {
	const char *zone, *start;
} years[] = {
	{ "America/New_York", "2024-01-01" },
	{ "Australia/Lord_Howe", "2024-02-01" },
	{ "Antarctica/Troll", "2026-01-01" },
	{ "Africa/Casablanca", "2025-01-01" },
	{ "Pacific/Apia", "2011-01-01" },
	{ "Europe/Dublin", "2096-01-01" },
	{ "UTC", "2028-01-01" },
};

/* What a minute is called. */
struct minute {
	int64_t local; /* minutes since 1970 of the wall */
	bool again;    /* the wall showed it before */
};

static struct minute minutes[MINUTES];
static bool fires[MINUTES];

static uint64_t seed;

static unsigned pick(unsigned below)
{
	return cron_model_pick(&seed, below);
}

/* What the model says of a local minute; days are asked for one after the other. */
struct asked {
	const struct cron_model *model;
	bool minutes[60], hours[24];
	int64_t day;
	bool day_matches;
};

static bool matches(struct asked *asked, int64_t local)
{
	int64_t day = local / 1440;
	if (!asked->minutes[local % 60] || !asked->hours[local / 60 % 24])
		return false;
	if (day != asked->day) {
		asked->day = day;
		asked->day_matches = cron_model_day(asked->model, day);
	}
	return asked->day_matches;
}

/* Fills fires[]. Returns how often it fires. */
static int walk(const struct cron_model *model)
{
	struct asked asked = { .model = model, .day = -1 };
	bool every_hour = true;
	int count = 0;
	for (int i = 0; i < 60; i++)
		asked.minutes[i] = cron_model_matches(model, MODEL_MINUTE, i);
	for (int i = 0; i < 24; i++) {
		asked.hours[i] = cron_model_matches(model, MODEL_HOUR, i);
		every_hour = every_hour && asked.hours[i];
	}
	for (int i = 0; i < MINUTES; i++) {
		int64_t local = minutes[i].local;
		fires[i] = matches(&asked, local) && (every_hour || !minutes[i].again);
		if (i > 0 && !every_hour)
			for (int64_t gone = minutes[i - 1].local + 1; gone < local; gone++)
				fires[i] = fires[i] || matches(&asked, gone);
		count += fires[i];
	}
	return count;
}

/* Asks the C library, which has one zone at a time. */
static void name_minutes(const char *zone, int64_t start)
{
	int64_t latest = INT64_MIN;
	(void)setenv("TZ", zone, 1); /* NOLINT(concurrency-mt-unsafe): there is one thread */
	tzset();                     /* NOLINT(concurrency-mt-unsafe) */
	for (int i = 0; i < MINUTES; i++) {
		time_t at = (time_t)(start / CLOCK_SECOND + i * INT64_C(60));
		struct tm parts;
		(void)localtime_r(&at, &parts);
		int64_t local = (at + parts.tm_gmtoff) / 60;
		minutes[i] = (struct minute){ local, local <= latest };
		if (local > latest)
			latest = local;
	}
}

static void check_next(const struct schedule *schedule, int64_t start, int from)
{
	struct schedule_occurrence occurrence = { 0 };
	int expected = from + 1;
	while (expected < MINUTES && !fires[expected])
		expected++;
	bool found = schedule_next(schedule, start + from * CLOCK_MINUTE, &occurrence);
	int64_t at = start + expected * CLOCK_MINUTE;
	if (expected < MINUTES ? !found || occurrence.instant != at
			       : found && occurrence.instant < at)
		fail_msg("\"%s\" %s: after minute %d not minute %d", schedule->text,
			 zone_name(schedule->zone), from, expected);
}

static void check_previous(const struct schedule *schedule, int64_t start, int from)
{
	struct schedule_occurrence occurrence = { 0 };
	int expected = from - 1;
	while (expected > 1500 && !fires[expected])
		expected--;
	bool found = schedule_previous(schedule, start + from * CLOCK_MINUTE, &occurrence);
	int64_t at = start + expected * CLOCK_MINUTE;
	/* What a gap before the year moves into it was not walked over. */
	if (expected > 1500 ? !found || occurrence.instant != at : found && occurrence.instant > at)
		fail_msg("\"%s\" %s: before minute %d not minute %d", schedule->text,
			 zone_name(schedule->zone), from, expected);
}

static void check(const struct schedule *schedule, int64_t start)
{
	for (int i = 0; i < PICKS; i++) {
		check_next(schedule, start, (int)pick(MINUTES));
		check_previous(schedule, start, 1600 + (int)pick(MINUTES - 1600));
	}
	for (int from = (int)pick(MINUTES), i = 0; i < WALK && from < MINUTES; i++) {
		check_next(schedule, start, from);
		do
			from++;
		while (from < MINUTES && !fires[from]);
	}
}

static int64_t number(const char *variable, int64_t otherwise)
{
	const char *text = getenv(variable);
	int64_t value = otherwise;
	if (text)
		assert_int_equal(parse_int(text, 1, INT64_MAX, &value), STATUS_OK);
	return value;
}

/* What is refused never runs, or names a date that there is not, whatever else it names. */
static void check_refused(const struct cron_model *model, const struct error *error)
{
	if (strstr(error->text, "such a day"))
		return;
	assert_contains(error->text, "400 years");
	if (walk(model) > 0)
		fail_msg("\"%s\" was refused: %s", model->text, error->text);
}

static void check_year(const char *name, int64_t start, int64_t count)
{
	for (int64_t i = 0; i < count; i++) {
		struct arena *arena = arena_new();
		struct zones *zones = zones_new(arena, NULL);
		const struct zone *zone = NULL;
		const struct schedule *schedule = NULL;
		struct error error = { 0 };
		struct cron_model model;
		if (i % 4 == 3)
			cron_model_phrase(&model, &seed);
		else
			cron_model_random(&model, &seed);
		assert_ok(zones_find(zones, name, &zone, &error), &error);
		struct schedule_request request = { .text = model.text,
						    .zones = zones,
						    .zone = zone };
		if (schedule_parse(arena, &request, &schedule, NULL, &error) == STATUS_OK) {
			(void)walk(&model);
			check(schedule, start);
		} else {
			check_refused(&model, &error);
		}
		arena_free(arena);
	}
}

CASE(test_walk)
{
	int64_t schedules = number("DRAY_TEST_SCHEDULES", SAMPLE);
	seed = (uint64_t)number("DRAY_TEST_SEED", 20261121);
	print_message("%lld schedules, seed %llu\n", (long long)schedules,
		      (unsigned long long)seed);
	for (size_t i = 0; i < COUNT(years); i++) {
		int64_t start = 0;
		assert_int_equal(clock_parse(years[i].start, &start), STATUS_OK);
		name_minutes(years[i].zone, start);
		check_year(years[i].zone, start, (schedules + (int64_t)i) / (int64_t)COUNT(years));
	}
}
