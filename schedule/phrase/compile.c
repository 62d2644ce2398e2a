/*
 * Slots to cron expressions, which are then read like any other: first the fields as texts, then
 * when in its days a phrase runs (every so often, or at times), then its days.
 */
#include <string.h>

#include "schedule/phrase/phrase.h"

/* What the fields of a cron expression say; NULL: "*", or for seconds none. */
struct phrase_fields {
	const char *second, *minute, *hour, *day, *month, *weekday;
};

/* Fields */

/* A list with one more in it: "1,2". */
static const char *join(struct arena *arena, const char *list, const char *item)
{
	return list ? arena_printf(arena, "%s,%s", list, item) : item;
}

static const char *number_text(struct arena *arena, int number)
{
	return arena_printf(arena, "%d", number);
}

/* The members of a set in order. */
static const char *set_text(struct arena *arena, uint64_t set)
{
	const char *list = NULL;
	for (int i = 0; i < 64; i++)
		if (set >> i & 1)
			list = join(arena, list, number_text(arena, i));
	return list;
}

/* "*", a step, or one from the start. */
static const char *interval_text(const struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	if (phrase->start >= 0)
		return arena_printf(arena, "%d/%d", phrase->start, phrase->number);
	return phrase->number == 1 ? "*" : arena_printf(arena, "*/%d", phrase->number);
}

static const char *fields_text(struct arena *arena, const struct phrase_fields *fields)
{
	const char *rest = arena_printf(
		arena, "%s %s %s %s %s", fields->minute, fields->hour ? fields->hour : "*",
		fields->day ? fields->day : "*", fields->month ? fields->month : "*",
		fields->weekday ? fields->weekday : "*");
	return fields->second ? arena_printf(arena, "%s %s", fields->second, rest) : rest;
}

/* The cron expression that says so, in the zone of the text. */
static const char *suggest_fields(const struct reading *reading, const struct phrase_fields *fields)
{
	const char *cron = fields_text(reading->arena, fields);
	if (!reading->zone)
		return cron;
	return arena_printf(reading->arena, "%s %s", cron, zone_name(reading->zone));
}

/* Adds one expression. */
static bool add_expression(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct reading *reading = phrase->reading;
	struct part whole = { 0, reading->length };
	const char *text = fields_text(reading->arena, fields);
	struct text scratch = { 0 };
	struct cron_fields chunks = cron_split(text, (struct part){ 0, strlen(text) }, &whole);
	bool read = cron_read_fields(reading, &chunks, &scratch);
	text_free(&scratch);
	reading->canonical = reading->canonical ? arena_printf(reading->arena, "%s | %s",
							       reading->canonical, text)
						: text;
	return read;
}

static const char *hours_text(struct arena *arena, int from, int to)
{
	return from == to ? number_text(arena, from) : arena_printf(arena, "%d-%d", from, to);
}

/* The hours of the range: those before its end, with a warning, or with its end. */
static bool add_range(struct phrase *phrase, struct phrase_fields *fields, bool with_end)
{
	struct arena *arena = phrase->reading->arena;
	const struct phrase_range *range = &phrase->hours.list[0];
	int from = range->from % 24;
	if (phrase->hours.count == 0)
		return true;
	fields->hour = with_end ? hours_text(arena, range->from, range->to)
				: hours_text(arena, from, (range->to + 23) % 24);
	return with_end ||
	       reading_warn(phrase->reading, phrase->hours.part,
			    suggest_fields(phrase->reading, fields),
			    "the range ends before %d:00, at which it does not run", range->to);
}

/* The numbers of a slot, below 64. */
static uint64_t minutes_set(const struct slot *slot)
{
	uint64_t set = 0;
	for (size_t i = 0; i < slot->count; i++)
		set |= UINT64_C(1) << slot->list[i].from;
	return set;
}

/* In the day */

static bool warn_count_of_days(struct phrase *phrase)
{
	const char *suggestion = NULL;
	if (phrase->number == 2 && phrase->start < 0)
		suggestion = reading_replaced(phrase->reading, phrase->interval, "every other day");
	return reading_warn(phrase->reading, phrase->interval, suggestion,
			    "the count of days starts again with each month: what runs on the "
			    "last of one may run on the first of the next");
}

/* Every 45 minutes is at :00 and :45, 45 and then 15 minutes apart. */
static bool warn_uneven(struct phrase *phrase)
{
	const struct phrase_unit_kind *kind = &phrase_units[phrase->unit];
	struct arena *arena = phrase->reading->arena;
	const char *list = NULL;
	if (phrase->unit == UNIT_DAY && phrase->number > 1 && !phrase->other)
		return warn_count_of_days(phrase);
	if (kind->period == 0 || kind->period % phrase->number == 0)
		return true;
	int first = phrase->start >= 0 ? phrase->start : kind->first;
	for (int i = first; i <= kind->highest; i += phrase->number)
		list = join(arena, list, number_text(arena, i));
	return reading_warn(phrase->reading, phrase->interval, NULL,
			    "%d %ss do not fill a%s %s: this runs at %s %s of each, where the "
			    "count starts again",
			    phrase->number, kind->name, strcmp(kind->next, "hour") == 0 ? "n" : "",
			    kind->next, kind->name, list);
}

/* Within hours the model runs every few seconds of their first minute only. */
static bool warn_seconds(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct phrase_fields whole = *fields;
	if (!fields->hour)
		return true;
	whole.minute = "*";
	whole.hour = phrase->hours.count ? whole.hour : "*";
	return reading_warn(phrase->reading, phrase->interval,
			    suggest_fields(phrase->reading, &whole),
			    "it runs only in the first minute of %s, and not all the time",
			    phrase->hours.count ? "each hour of the range" : "the day");
}

static bool compile_seconds(struct phrase *phrase, struct phrase_fields *fields)
{
	bool days = fields->day || fields->weekday || fields->month;
	if (!phrase_refuse(phrase, &phrase->seconds, "an interval and a second: which?"))
		return false;
	if (!phrase_refuse(phrase, &phrase->minutes, "an interval and a minute: which?"))
		return false;
	fields->second = interval_text(phrase);
	fields->minute = days || phrase->hours.count ? "0" : "*";
	fields->hour = days ? "0" : NULL;
	return add_range(phrase, fields, true) && warn_seconds(phrase, fields);
}

/* The model forgets the step of "every 4 hours from 6 to 18". */
static bool warn_step(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct phrase_fields stepped = *fields;
	if (phrase->number == 1)
		return true;
	stepped.hour = arena_printf(phrase->reading->arena, "%s/%d", fields->hour, phrase->number);
	return reading_warn(phrase->reading, phrase->interval,
			    suggest_fields(phrase->reading, &stepped),
			    "with a range of hours the %d is lost: it runs every hour of the range",
			    phrase->number);
}

/* Which minutes and hours the model makes of these depends on the order of the words. */
static bool fail_minutes_of_hours(struct phrase *phrase, const struct phrase_fields *fields)
{
	return reading_fail_with(phrase->reading, phrase->minutes.part,
				 suggest_fields(phrase->reading, fields),
				 "minutes and a range of hours: Solid Queue runs at other ones");
}

static bool compile_hours(struct phrase *phrase, struct phrase_fields *fields)
{
	uint64_t minutes = minutes_set(&phrase->minutes);
	fields->minute = minutes ? set_text(phrase->reading->arena, minutes) : "0";
	fields->hour = interval_text(phrase);
	if (phrase->hours.count == 0)
		return true;
	if (!add_range(phrase, fields, true))
		return false;
	return minutes ? fail_minutes_of_hours(phrase, fields) : warn_step(phrase, fields);
}

static bool compile_minutes(struct phrase *phrase, struct phrase_fields *fields)
{
	fields->minute = interval_text(phrase);
	return phrase_refuse(phrase, &phrase->minutes, "an interval and a minute: which?") &&
	       add_range(phrase, fields, false);
}

/* "every hour at 5" is once a day. */
static bool refuse_times(struct phrase *phrase)
{
	struct reading *reading = phrase->reading;
	if (phrase->times.count == 0)
		return true;
	return reading_fail_with(reading, phrase->times.part,
				 reading_replaced(reading, phrase->interval, "every day"),
				 "an interval and a time of day: which?");
}

static bool refuse_grain(struct phrase *phrase)
{
	return phrase->grain == UNIT_NONE ||
	       reading_fail(phrase->reading, phrase->grain_part, "on the %s of what?",
			    phrase_units[phrase->grain].name);
}

/* Every so many hours, minutes or seconds, in what the fields say of days. */
static bool compile_interval(struct phrase *phrase, struct phrase_fields *fields)
{
	static bool (*const compile[])(struct phrase * phrase, struct phrase_fields * fields) = {
		[UNIT_SECOND] = compile_seconds,
		[UNIT_MINUTE] = compile_minutes,
		[UNIT_HOUR] = compile_hours,
	};
	return warn_uneven(phrase) && refuse_times(phrase) && refuse_grain(phrase) &&
	       compile[phrase->unit](phrase, fields) && add_expression(phrase, fields);
}

/* The minutes of each hour at which it runs; midnight when no time was said. */
static void gather_times(const struct phrase *phrase, uint64_t minutes[25])
{
	if (phrase->times.count == 0)
		minutes[0] = 1;
	for (size_t i = 0; i < phrase->times.count; i++) {
		int time = phrase->times.list[i].from;
		minutes[time / 60] |= UINT64_C(1) << time % 60;
	}
}

/* Hours that share their minutes make one expression. Several are an extension. */
static bool add_times(struct phrase *phrase, struct phrase_fields *fields)
{
	struct arena *arena = phrase->reading->arena;
	uint64_t minutes[25] = { 0 };
	gather_times(phrase, minutes);
	for (int hour = 0; hour < 25; hour++) {
		uint64_t hours = 0;
		uint64_t shared = minutes[hour];
		for (int i = hour; i < 25 && shared; i++)
			if (minutes[i] == shared) {
				hours |= UINT64_C(1) << i;
				minutes[i] = 0;
			}
		if (!shared)
			continue;
		fields->minute = set_text(arena, shared);
		fields->hour = set_text(arena, hours);
		if (phrase->reading->cron_count == 1 &&
		    !reading_extension(phrase->reading, phrase->times.part,
				       "generates multiple cron schedules"))
			return false;
		if (!add_expression(phrase, fields))
			return false;
	}
	return true;
}

/* "8am to 5pm on the minute", "on minute 10 and 30", or once an hour. */
static bool add_hours(struct phrase *phrase, struct phrase_fields *fields)
{
	uint64_t minutes = minutes_set(&phrase->minutes);
	bool often = minutes || phrase->grain == UNIT_MINUTE;
	if (minutes && !refuse_grain(phrase))
		return false;
	if (phrase->grain == UNIT_SECOND)
		return refuse_grain(phrase);
	fields->minute = "0";
	if (often)
		fields->minute = minutes ? set_text(phrase->reading->arena, minutes) : "*";
	return add_range(phrase, fields, !often) && add_expression(phrase, fields);
}

/* The times, points and hours, where no interval is shorter than a day. */
static bool compile_times(struct phrase *phrase, struct phrase_fields *fields)
{
	bool days = fields->day || fields->weekday || fields->month || phrase->unit == UNIT_DAY;
	if (phrase->unit != UNIT_NONE && !warn_uneven(phrase))
		return false;
	if (phrase->hours.count > 0)
		return phrase_refuse(phrase, &phrase->times,
				     "a time of day and a range of hours: which?") &&
		       add_hours(phrase, fields);
	if (!refuse_grain(phrase))
		return false;
	if (phrase->minutes.count == 0 && (days || phrase->times.count > 0))
		return add_times(phrase, fields);
	if (!phrase_refuse(phrase, &phrase->times, "a time of day and a minute: which?"))
		return false;
	fields->minute = "*";
	if (phrase->minutes.count > 0)
		fields->minute = set_text(phrase->reading->arena, minutes_set(&phrase->minutes));
	return add_expression(phrase, fields);
}

/* Days */

static const char *day_text(struct arena *arena, int day)
{
	return day == LAST_DAY_OF_MONTH ? "L" : number_text(arena, day);
}

/* NULL when no day was named. */
static const char *days_text(const struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	const struct slot *days = &phrase->days;
	const char *list = NULL;
	for (size_t i = 0; i < days->count; i++) {
		const struct phrase_range *range = &days->list[i];
		const char *item = day_text(arena, range->from);
		if (range->from != range->to)
			item = arena_printf(arena, "%s-%s", item, day_text(arena, range->to));
		list = join(arena, list, item);
	}
	return list;
}

/* Each day of a range by itself: 1%2,2%2. */
static const char *modulo_text(struct arena *arena, const struct phrase_range *range, int modulus)
{
	const char *list = NULL;
	int days = (range->to - range->from + 7) % 7;
	for (int i = 0; i <= days; i++)
		list = join(arena, list,
			    arena_printf(arena, "%d%%%d", (range->from + i) % 7, modulus));
	return list;
}

static const char *weekday_text(struct arena *arena, const struct phrase_range *range, int modulus)
{
	if (range->nth != 0)
		return arena_printf(arena, "%d#%d", range->from, range->nth);
	if (modulus > 1)
		return modulo_text(arena, range, modulus);
	if (range->from != range->to)
		return arena_printf(arena, "%d-%d", range->from, range->to);
	return number_text(arena, range->from);
}

/* NULL when none was named. */
static const char *weekdays_text(const struct phrase *phrase, int modulus)
{
	struct arena *arena = phrase->reading->arena;
	const char *list = NULL;
	for (size_t i = 0; i < phrase->weekdays.count; i++)
		list = join(arena, list, weekday_text(arena, &phrase->weekdays.list[i], modulus));
	return list;
}

/* Days of the month or weekdays: "every monday on the 1st" is every Monday and every 1st. */
static bool warn_days(struct phrase *phrase, const struct phrase_fields *fields)
{
	struct phrase_fields both = *fields;
	const struct slot *days = phrase->days.count ? &phrase->days : &phrase->weekdays;
	struct part part = days->count ? days->part : phrase->interval;
	if (!fields->day || !fields->weekday)
		return true;
	both.minute = both.minute ? both.minute : "0";
	both.hour = both.hour ? both.hour : "0";
	both.weekday = arena_printf(phrase->reading->arena, "%s&", fields->weekday);
	return reading_warn(phrase->reading, part, suggest_fields(phrase->reading, &both),
			    "it runs on these days of the month and on these weekdays, whatever "
			    "day of the month those are");
}

/* "every month on monday" is every Monday. */
static bool warn_month(struct phrase *phrase, const struct phrase_fields *fields)
{
	if (phrase->unit != UNIT_MONTH || fields->day || !fields->weekday ||
	    phrase->weekdays.list[0].nth != 0)
		return true;
	return reading_warn(phrase->reading, phrase->interval, NULL,
			    "it runs on each of these weekdays in the month, and not once in it");
}

static const char *counted_days(const struct phrase *phrase)
{
	if (phrase->number == 1 && phrase->start < 0)
		return NULL;
	return phrase->other ? "*%2" : interval_text(phrase);
}

static const char *counted_weeks(const struct phrase *phrase)
{
	if (phrase->number == 1)
		return "0";
	return arena_printf(phrase->reading->arena, "0%%%d", phrase->number);
}

/* What the unit says of days, months and weekdays where nothing else does. */
static void add_unit(const struct phrase *phrase, struct phrase_fields *fields)
{
	bool year = phrase->unit == UNIT_YEAR;
	bool month = phrase->unit == UNIT_MONTH;
	if (phrase->unit == UNIT_DAY && !fields->day)
		fields->day = counted_days(phrase);
	if (phrase->unit == UNIT_WEEK && !fields->weekday)
		fields->weekday = counted_weeks(phrase);
	if (month || year)
		fields->month = year ? "1" : interval_text(phrase);
	if (!fields->day && (year || (month && !fields->weekday)))
		fields->day = "1";
}

/* What would be lost, or is two things in one. */
static bool check_slots(struct phrase *phrase)
{
	struct reading *reading = phrase->reading;
	struct part whole = { 0, reading->length };
	size_t slots = phrase->days.count + phrase->weekdays.count + phrase->times.count +
		       phrase->minutes.count + phrase->seconds.count + phrase->hours.count;
	if (phrase->unit == UNIT_NONE && slots == 0)
		return reading_fail(reading, whole, "when? Write \"every day ...\"");
	if (phrase->weekday && phrase->weekdays.count > 1)
		return reading_fail(reading, phrase->weekdays.part,
				    "beside other weekdays \"weekday\" is lost: name all of them");
	if (phrase->unit == UNIT_DAY && phrase->other &&
	    !phrase_refuse(phrase, &phrase->weekdays, "every other day and weekdays: which?"))
		return false;
	if (phrase->unit == UNIT_DAY && (phrase->number > 1 || phrase->start >= 0))
		return phrase_refuse(phrase, &phrase->days,
				     "an interval of days and days of the month: which?");
	return true;
}

static int week_modulus(const struct phrase *phrase)
{
	if (phrase->unit == UNIT_WEEK)
		return phrase->number;
	return phrase->other && phrase->unit == UNIT_NONE ? 2 : 1;
}

bool phrase_compile(struct phrase *phrase)
{
	struct arena *arena = phrase->reading->arena;
	bool interval = phrase->unit >= UNIT_SECOND && phrase->unit <= UNIT_HOUR;
	struct phrase_fields fields = { 0 };
	if (!check_slots(phrase))
		return false;
	fields.day = days_text(phrase);
	fields.weekday = weekdays_text(phrase, week_modulus(phrase));
	if (phrase->seconds.count > 0)
		fields.second = set_text(arena, minutes_set(&phrase->seconds));
	add_unit(phrase, &fields);
	if (!warn_days(phrase, &fields) || !warn_month(phrase, &fields))
		return false;
	return interval ? compile_interval(phrase, &fields) : compile_times(phrase, &fields);
}
