#include <string.h>

#include "schedule/phrase/phrase.h"

static const char *day_text(struct arena *arena, int day)
{
	return day == LAST_DAY_OF_MONTH ? "L" : phrase_number_text(arena, day);
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
		list = phrase_join(arena, list, item);
	}
	return list;
}

/* Each day of a range by itself: 1%2,2%2. */
static const char *modulo_text(struct arena *arena, const struct phrase_range *range, int modulus)
{
	const char *list = NULL;
	int days = (range->to - range->from + 7) % 7;
	for (int i = 0; i <= days; i++)
		list = phrase_join(arena, list,
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
	return phrase_number_text(arena, range->from);
}

/* NULL when none was named. */
static const char *weekdays_text(const struct phrase *phrase, int modulus)
{
	struct arena *arena = phrase->reading->arena;
	const char *list = NULL;
	for (size_t i = 0; i < phrase->weekdays.count; i++)
		list = phrase_join(arena, list,
				   weekday_text(arena, &phrase->weekdays.list[i], modulus));
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
	return reading_warn(phrase->reading, part, phrase_suggested(phrase->reading, &both),
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
	return phrase->other ? "*%2" : phrase_interval_text(phrase);
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
		fields->month = year ? "1" : phrase_interval_text(phrase);
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
		fields.second = phrase_set_text(arena, phrase_minutes_set(&phrase->seconds));
	add_unit(phrase, &fields);
	if (!warn_days(phrase, &fields) || !warn_month(phrase, &fields))
		return false;
	return interval ? phrase_compile_interval(phrase, &fields)
			: phrase_compile_times(phrase, &fields);
}
